import { describe, expect, it } from 'vitest';
import { type DialPlan, dialTarget, planDial } from '../../../../src/frontend/access/dial.ts';
import { agreeTo } from '../../../../src/frontend/access/permission.ts';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { parseDialAddress } from '../../../../src/shared/config/dial-address.ts';

const NAMED = ['build.example:9999', '10.1.2.3:9999', '[fd00::0001]:9999'].map((one) =>
  parseDialAddress(one),
);

function refusedPlan(address: string, allowed = NAMED): string | undefined {
  try {
    planDial(address, allowed);
    return undefined;
  } catch (error) {
    return failureOf(error)?.kind;
  }
}

/** What is dialled when the names mean this. */
function targetOf(plan: DialPlan, ...addresses: readonly string[]) {
  return dialTarget(agreeTo(plan), async () => addresses);
}

describe('addresses to connect to', () => {
  it.each([
    { address: 'localhost:9999', host: 'localhost', port: 9999 },
    { address: 'LOCALHOST:9999', host: 'localhost', port: 9999 },
    { address: ':9999', host: '127.0.0.1', port: 9999 },
    { address: '[::1]:80', host: '::1', port: 80 },
  ])('$address is one', ({ address, host, port }) => {
    expect(planDial(address, [])).toMatchObject({ given: address, host, port, isNamed: false });
  });

  it.each(['localhost', 'localhost:0', 'localhost:70000', 'a b:1', '::1:80', ''])('%s is none', (address) => {
    expect(refusedPlan(address)).toBe('invalid-input');
  });

  it.each([
    '127.0.0.1:1',
    '127.200.3.4:1',
    '[::ffff:127.0.0.1]:1',
    'api.localhost:1',
    'build.example:9999',
    'BUILD.example:9999',
    '10.1.2.3:9999',
    '[fd00::1]:9999',
    '[::ffff:10.1.2.3]:9999',
  ])('%s is of this machine or named by the user', (address) => {
    expect(refusedPlan(address)).toBeUndefined();
  });

  it.each([
    '10.1.2.4:9999',
    '10.1.2.3:9998',
    '0.0.0.0:9999',
    '[::]:9999',
    '[::ffff:10.9.9.9]:9999',
    '169.254.169.254:80',
    'build.example:22',
    'build.example.evil.example:9999',
    'localhost.evil.example:9999',
    '127.0.0.1.nip.example:9999',
    // Other spellings of this machine's address, which a resolver could take for something else.
    '2130706433:9999',
    '0x7f.1:9999',
    '127.1:9999',
  ])('%s is refused without asking any network', (address) => {
    expect(refusedPlan(address)).toBe('not-permitted');
  });

  it('are what their names meant when they were looked up, and refused if that is elsewhere', async () => {
    const own = planDial('localhost:9999', []);
    expect(await targetOf(own, '::1', '127.0.0.1')).toEqual({
      host: 'localhost',
      port: 9999,
      addresses: ['::1', '127.0.0.1'],
    });
    for (const elsewhere of [['10.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['::ffff:10.0.0.1'], ['no address']])
      await expect(targetOf(own, ...elsewhere)).rejects.toMatchObject({ failure: { kind: 'not-permitted' } });
    // The user has named this one, wherever it is.
    expect((await targetOf(planDial('build.example:9999', NAMED), '10.7.7.7')).addresses).toEqual([
      '10.7.7.7',
    ]);
    expect((await targetOf(planDial('127.0.0.1:9999', []), '10.0.0.1')).addresses).toEqual(['127.0.0.1']);
  });
});
