/** State directories with long names or the wrong owner, and strangers at the socket. */
import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { daemonDirectory } from '../../src/shared/rendezvous/daemon-record.ts';
import { BROKER_PROTOCOL, VERSION } from '../../src/shared/version.ts';
import { DIRECT_NOTE, described, type FaultWorld, faultWorld, inspect } from '../support/fault-world.ts';

/** A path in the scratch directory that takes exactly so many bytes. */
function longPath(world: FaultWorld, bytes: number, letter: string): string {
  const missing = bytes - Buffer.byteLength(world.workspace.scratch) - 1;
  const letters = letter.repeat(Math.floor(missing / Buffer.byteLength(letter)));
  const name = letters.padEnd(letters.length + missing - Buffer.byteLength(letters), 'x');
  const long = path.join(world.workspace.scratch, name);
  expect(Buffer.byteLength(long)).toBe(bytes);
  return long;
}

describe('a state directory with a long name', () => {
  it.each([
    { bytes: 90, letter: 'd', withRuntime: false },
    { bytes: 108, letter: 'd', withRuntime: true },
    { bytes: 150, letter: 'ä', withRuntime: false },
    { bytes: 200, letter: '語', withRuntime: true },
  ])(
    'of $bytes bytes ($letter) is shared as any other; runtime directory: $withRuntime',
    async ({ bytes, letter, withRuntime }) => {
      await using world = faultWorld();
      const stateDir = longPath(world, bytes, letter);
      const runtime = path.join(world.workspace.scratch, 'run');
      mkdirSync(runtime, { mode: 0o700 });
      const env = { AGENT_LSP_STATE_DIR: stateDir, ...(withRuntime ? { XDG_RUNTIME_DIR: runtime } : {}) };
      expect(await inspect(await world.start({ env }), 1)).toBe(described(1));
      expect(await inspect(await world.start({ env }), 2)).toBe(described(2));
      expect(world.serverPids()).toHaveLength(1);
      const sockets = world.records(stateDir).map(({ socketPath }) => socketPath);
      expect(sockets).toHaveLength(1);
      for (const socket of sockets) {
        expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100);
        expect(lstatSync(socket).mode & 0o777).toBe(0o600);
        expect(lstatSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
        if (withRuntime) expect(socket.startsWith(runtime)).toBe(true);
      }
      await world.end([stateDir]);
      expect(sockets.filter((socket) => existsSync(socket))).toEqual([]);
    },
  );

  it('never meets another that differs only at its end, nor do two such roots', async () => {
    const long = 'r'.repeat(190);
    await using world = faultWorld({
      text: `//- ${long}1/own.fake\nfunction one\n//- ${long}2/own.fake\nfunction two\n`,
    });
    const stateDirs = ['1', '2'].map((end) => path.join(world.workspace.scratch, `${'s'.repeat(190)}${end}`));
    const asked = stateDirs.flatMap((stateDir) => ['1', '2'].map((root) => ({ stateDir, root })));
    const answers = await Promise.all(
      asked.map(async ({ stateDir, root }) => {
        const cwd = world.workspace.file(`${long}${root}`);
        const session = await world.start({ cwd, env: { AGENT_LSP_STATE_DIR: stateDir } });
        return session.call('inspect_symbol', { file_path: 'own.fake', line: 1, column: 10 });
      }),
    );
    const own = { 1: 'function one   own.fake:1:10', 2: 'function two   own.fake:1:10' };
    expect(answers.map(({ text }) => text)).toEqual([own[1], own[2], own[1], own[2]]);
    expect(new Set(world.serverPids()).size).toBe(4);
    expect(world.brokerProcesses()).toHaveLength(4);
    await world.end(stateDirs);
  });
});

describe('a stranger at the socket', () => {
  it('without the token learns nothing and disturbs nobody', async () => {
    await using world = faultWorld();
    const session = await world.start();
    expect(await inspect(session, 1)).toBe(described(1));
    const { socketPath, token } = await world.recordWhere(() => true, 'a descriptor');
    const hello = (params: object) => framed({ jsonrpc: '2.0', id: 1, method: 'hello', params });
    const rest = { protocol: [BROKER_PROTOCOL, BROKER_PROTOCOL], version: VERSION, clientPid: process.pid };
    const strangers = await Promise.all([
      heard(socketPath, hello({ token: `${token.slice(0, -1)}_`, ...rest })),
      heard(socketPath, hello(rest)),
      heard(socketPath, framed({ jsonrpc: '2.0', id: 1, method: 'status', params: {} })),
      heard(socketPath, framed({ jsonrpc: '2.0', id: 1, method: 'stop', params: { mode: 'now' } })),
      heard(socketPath, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      heard(socketPath, 'Content-Length: 1000000000000\r\n\r\n'),
      heard(socketPath, ''),
    ]);
    expect(strangers.join('')).toBe('');
    expect(await inspect(session, 2)).toBe(described(2));
    expect(await inspect(await world.start(), 3)).toBe(described(3));
    expect(world.serverPids()).toHaveLength(1);
    await world.end();
  });
});

describe('a directory that cannot be trusted', () => {
  it('of another user is not used: calls run without a broker and say so, and no file is touched', async (context) => {
    if (process.getuid?.() !== 0) context.skip('only root can give a directory away');
    await using world = faultWorld();
    const daemons = path.join(world.workspace.stateDir, 'daemons');
    mkdirSync(daemons, { mode: 0o700 });
    chownSync(daemons, 65534, 65534);
    const before = lstatSync(daemons);
    const answer = await inspect(await world.start(), 1);
    expect(answer.split('\n')[0]).toBe(described(1));
    expect(answer).toMatch(DIRECT_NOTE);
    expect(answer).toContain('belongs to user 65534');
    const { mtimeMs, mode, uid } = lstatSync(daemons);
    expect({ mtimeMs, mode, uid }).toEqual({ mtimeMs: before.mtimeMs, mode: before.mode, uid: before.uid });
    expect(readdirSync(daemons)).toEqual([]);
    await world.end();
  });

  it('that came to belong to another user is not read: a descriptor in it may be a trap', async (context) => {
    if (process.getuid?.() !== 0) context.skip('only root can give a directory away');
    await using world = faultWorld();
    expect(await inspect(await world.start(), 1)).toBe(described(1));
    const { key } = await world.recordWhere(() => true, 'a descriptor');
    const directory = daemonDirectory(world.workspace.stateDir, key);
    chownSync(directory, 65534, 65534);
    const answer = await inspect(await world.start(), 2);
    expect(answer).toMatch(DIRECT_NOTE);
    expect(answer).toContain('belongs to user 65534');
    chownSync(directory, 0, 0);
    expect(await inspect(await world.start(), 3)).toBe(described(3));
    await world.end();
  });

  it('that is a symbolic link is not followed', async () => {
    await using world = faultWorld();
    const elsewhere = path.join(world.workspace.scratch, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, path.join(world.workspace.stateDir, 'daemons'));
    const answer = await inspect(await world.start(), 1);
    expect(answer).toMatch(DIRECT_NOTE);
    expect(answer).toContain('symbolic link');
    expect(readdirSync(elsewhere)).toEqual([]);
    await world.end();
  });
});

function framed(message: object): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** All that is said to somebody who sends this and then waits to be hung up on. */
function heard(socketPath: string, sent: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = createConnection(socketPath, () => void (sent !== '' && socket.write(sent)));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}
