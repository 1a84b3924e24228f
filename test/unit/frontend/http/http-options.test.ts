import { describe, expect, it } from 'vitest';
import { type HttpWords, httpOptions } from '../../../../src/frontend/http/http-options.ts';
import { failureSentence } from '../../../../src/frontend/render/failure.ts';
import { failureOf } from '../../../../src/shared/base/failure.ts';

function refusal(words: HttpWords, token?: string): string {
  try {
    return `taken: ${JSON.stringify(httpOptions(words, token))}`;
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return failureSentence(failure);
  }
}

describe('options', () => {
  it('are loopback, port 8080 and half an hour if nothing is said', () => {
    expect(httpOptions({}, 'secret')).toEqual({
      port: 8_080,
      address: '127.0.0.1',
      tokens: ['secret'],
      allowedHosts: [],
      sessionTimeoutMs: 1_800_000,
      warnings: [],
    });
  });

  it('take ports from 1 to 65535', () => {
    expect(['1', '65535'].map((port) => httpOptions({ port }, 'secret').port)).toEqual([1, 65_535]);
    for (const port of [
      '0',
      '65536',
      '-1',
      '1.5',
      '1e3',
      '0x50',
      ' 80',
      '80 ',
      'http',
      '',
      '٨٠',
      '9'.repeat(30),
    ])
      expect(refusal({ port }, 'secret')).toBe(
        `--port is ${JSON.stringify(port)}, which is no number from 1 to 65535. Leave it out for 8080.`,
      );
  });

  it('take addresses, and no names', () => {
    for (const listenAddr of ['127.0.0.1', '0.0.0.0', '::1', '::', '192.0.2.7'])
      expect(httpOptions({ listenAddr }, 'secret').address).toBe(listenAddr);
    for (const listenAddr of [
      'localhost',
      '127.0.0.1:80',
      '127.0.0.256',
      '127.1',
      '[::1]',
      '*',
      '',
      '2130706433',
    ])
      expect(refusal({ listenAddr }, 'secret')).toBe(
        `--listen-addr is ${JSON.stringify(listenAddr)}, which is no IP address. Pass one, for example 127.0.0.1, ::1 or 0.0.0.0.`,
      );
  });

  it('let nobody in without a token but on a loopback address', () => {
    expect(refusal({})).toContain('HTTP needs a token that clients show. Set AGENT_LSP_TOKEN');
    for (const listenAddr of [undefined, '127.0.0.1', '127.8.8.8', '::1'])
      expect(httpOptions({ noAuth: true, listenAddr }, undefined).tokens).toEqual([]);
    for (const listenAddr of ['0.0.0.0', '::', '192.0.2.1', 'fe80::1', '10.0.0.1', '128.0.0.1'])
      expect(refusal({ noAuth: true, listenAddr })).toBe(
        `--no-auth would let in everybody who reaches ${listenAddr}. Set AGENT_LSP_TOKEN, or listen on 127.0.0.1.`,
      );
    expect(refusal({ noAuth: true }, 'secret')).toContain('Leave out one of them');
    expect(refusal({ noAuth: true, token: 'secret' })).toContain('Leave out one of them');
  });

  it('take the token of the environment before the one that others can see, and warn of that', () => {
    expect(httpOptions({ token: 'seen' }, 'secret')).toMatchObject({
      tokens: ['secret'],
      warnings: [
        'warning: other users of this machine can see a token on the command line; set AGENT_LSP_TOKEN instead',
      ],
    });
    expect(httpOptions({ token: 'seen' }, undefined).tokens).toEqual(['seen']);
    expect(httpOptions({}, 'one, two,one').tokens).toEqual(['one', 'two']);
  });

  it('take no token that clients cannot send, and repeat none', () => {
    for (const token of [
      ' ',
      '',
      'pass word',
      'pässword',
      'password,',
      ',',
      'password"',
      'pass\nword',
      'pass=word',
    ])
      expect(refusal({}, token)).toBe(
        'the token has characters that clients cannot send, or is empty. Use letters, digits and - . _ ~ + / only; AGENT_LSP_TOKEN may name several, separated by commas.',
      );
  });

  it('take names alone for further hosts, and minutes for sessions', () => {
    expect(httpOptions({ allowedHosts: ['Code.Example'] }, 'secret').allowedHosts).toEqual(['code.example']);
    for (const host of ['http://code.example', 'code.example:80', '*', '*.example', '', 'a b', '.example'])
      expect(refusal({ allowedHosts: [host] }, 'secret')).toContain('which is no host name');
    expect(httpOptions({ sessionTimeout: '1' }, 'secret').sessionTimeoutMs).toBe(60_000);
    for (const sessionTimeout of ['0', '10081', 'ever'])
      expect(refusal({ sessionTimeout }, 'secret')).toContain('which is no number from 1 to 10080');
  });
});
