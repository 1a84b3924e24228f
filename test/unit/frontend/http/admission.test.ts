import { describe, expect, it } from 'vitest';
import { Admission } from '../../../../src/frontend/http/admission.ts';

const LOCAL = { tokens: ['one', 'two'], allowedHosts: ['code.example'], address: '127.0.0.1' };
const admission = new Admission(LOCAL);

function statusFor(headers: Record<string, string>, of = admission): number {
  const admitted = of.admit({ host: 'localhost:8080', authorization: 'Bearer one', ...headers });
  return 'status' in admitted ? admitted.status : 200;
}

describe('admission', () => {
  it('lets in whoever shows a token that is known, and nobody else', () => {
    for (const authorization of ['Bearer one', 'bearer two', 'Bearer   one  '])
      expect(statusFor({ authorization }), authorization).toBe(200);
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      'Bearer on',
      'Bearer onee',
      'Bearer ONE',
      'Basic one',
      'one',
      'Bearer one two',
    ];
    // Unicode reaches us as single bytes.
    const odd = [
      `Bearer ${Buffer.from('öne€🔑').toString('latin1')}`,
      `Bearer ${'x'.repeat(15_000)}`,
      'Bearer one\0',
      'Bearer one,two',
    ];
    for (const authorization of [...wrong, ...odd])
      expect(statusFor({ authorization }), authorization).toBe(401);
    expect('status' in admission.admit({ host: 'localhost' })).toBe(true);
  });

  it('says nothing of why a token is refused', () => {
    expect(admission.admit({ host: 'localhost', authorization: 'Bearer wrong' })).toEqual({
      status: 401,
      body: { error: 'unauthorized' },
      headers: { Connection: 'close', 'WWW-Authenticate': 'Bearer' },
    });
  });

  it('tells principals apart by their tokens, which it does not repeat', () => {
    const principals = ['one', 'two', 'one'].map((token) =>
      admission.admit({ host: 'localhost', authorization: `Bearer ${token}` }),
    );
    expect(principals[0]).toEqual(principals[2]);
    expect(principals[0]).not.toEqual(principals[1]);
    expect(JSON.stringify(principals)).not.toMatch(/one|two/);
  });

  it('refuses names that are not ours, also of pages', () => {
    const ours = ['localhost', '127.0.0.1:1', '[::1]:8080', 'LOCALHOST:80', 'code.example', '127.9.9.9'];
    for (const host of ours) expect(statusFor({ host }), host).toBe(200);
    const foreign = [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '10.0.0.5',
      'a@localhost',
      '',
      'x/localhost',
      '2130706433.evil',
    ];
    for (const host of foreign) expect(statusFor({ host }), host).toBe(403);
    for (const origin of ['http://localhost:3000', 'https://code.example', 'http://[::1]'])
      expect(statusFor({ origin }), origin).toBe(200);
    for (const origin of [
      'null',
      '',
      'http://evil.example',
      'file://',
      'https://code.example.evil.example',
      'vscode-webview://x',
      'http://localhost@evil.example',
    ])
      expect(statusFor({ origin }), origin).toBe(403);
  });

  it('takes any address for its own where it listens on more than one', () => {
    const wide = new Admission({ ...LOCAL, address: '0.0.0.0' });
    for (const host of ['10.0.0.5:8080', '[fe80::1]', '127.0.0.1'])
      expect(statusFor({ host }, wide), host).toBe(200);
    expect(statusFor({ host: 'evil.example' }, wide)).toBe(403);
  });

  it('asks for no token where there is none, and still for its name', () => {
    const open = new Admission({ ...LOCAL, tokens: [] });
    expect(statusFor({ authorization: '' }, open)).toBe(200);
    expect(statusFor({ host: 'evil.example' }, open)).toBe(403);
  });
});
