import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import {
  classifyDialError,
  currentPlace,
  dial,
  type EndpointPlace,
  type Listening,
  listenPrivate,
  MAX_SOCKET_PATH_BYTES,
  removeSocket,
  socketCandidates,
} from '../../../../src/shared/rendezvous/endpoint.ts';
import {
  currentOwner,
  ensurePrivateDirectory,
  isPrivateDirectory,
} from '../../../../src/shared/rendezvous/private-directory.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

const GENERATION = '0123456789abcdef';
let workspace: Workspace;
let place: EndpointPlace;
const open: Listening[] = [];

beforeEach(() => {
  workspace = createWorkspace();
  place = { ...currentPlace({}), temporaryDirectory: workspace.scratch };
});

afterEach(async () => {
  for (const { server } of open.splice(0)) await new Promise((resolve) => server.close(resolve));
  await workspace[Symbol.asyncDispose]();
});

async function listen(candidates: Parameters<typeof listenPrivate>[0]): Promise<Listening> {
  const listening = await listenPrivate(candidates, { accept: (socket) => socket.destroy() });
  open.push(listening);
  return listening;
}

/** A directory whose path has exactly this many bytes. */
function directoryOfLength(bytes: number, letter = 'd'): string {
  let directory: string = workspace.stateDir;
  while (Buffer.byteLength(directory) < bytes) {
    const left = bytes - Buffer.byteLength(directory) - 1;
    if (left < 1) return directoryOfLength(bytes - 1, letter);
    const size = Math.min(left, 60);
    const letters = letter.repeat(Math.floor(size / Buffer.byteLength(letter)));
    directory = path.join(
      directory,
      letters.padEnd(letters.length + (size - Buffer.byteLength(letters)), 'x'),
    );
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}

describe('where a broker listens', () => {
  it.each(
    [90, 99, 100, 101, 107, 108, 109, 150, 200].flatMap((bytes) => [
      { bytes, letter: 'd' },
      { bytes, letter: 'ü' },
    ]),
  )('reaches the right socket from a directory of $bytes bytes with "$letter"', async ({ bytes, letter }) => {
    const directory = directoryOfLength(bytes, letter);
    const twin = directoryOfLength(bytes, letter === 'd' ? 'e' : 'ö');
    const first = await listen(socketCandidates(directory, GENERATION, place));
    const second = await listen(socketCandidates(twin, 'fedcba9876543210', place));
    expect(first.path).not.toBe(second.path);
    for (const { path: socket } of [first, second]) {
      expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(MAX_SOCKET_PATH_BYTES);
      expect(lstatSync(socket).isSocket()).toBe(true);
      expect(lstatSync(socket).mode & 0o777).toBe(0o600);
      const dialled = await dial(socket, 2000);
      expect(dialled.kind).toBe('connected');
      if (dialled.kind === 'connected') dialled.socket.destroy();
    }
  });

  it('prefers the daemon directory, then a private runtime directory, then the temporary one', () => {
    const runtimeDirectory = path.join(workspace.scratch, 'run');
    mkdirSync(runtimeDirectory, { mode: 0o700 });
    const candidates = socketCandidates('/s/k', GENERATION, { ...place, runtimeDirectory });
    expect(candidates.map((candidate) => candidate.path)).toEqual([
      '/s/k/s-01234567',
      path.join(runtimeDirectory, 'agent-lsp/01234567'),
      path.join(workspace.scratch, `agent-lsp-${place.uid}/01234567`),
    ]);
  });

  it('does not use a runtime directory that others can enter', () => {
    const runtimeDirectory = path.join(workspace.scratch, 'run');
    mkdirSync(runtimeDirectory);
    chmodSync(runtimeDirectory, 0o755);
    const candidates = socketCandidates('/s/k', GENERATION, { ...place, runtimeDirectory });
    expect(candidates.some(({ path: each }) => each.startsWith(runtimeDirectory))).toBe(false);
  });

  it('gives every socket of a generation a name of its own', () => {
    const names = [0, 1, 2].map((round) => socketCandidates('/s/k', GENERATION, place, round)[0]?.path);
    expect(names).toEqual(['/s/k/s-01234567', '/s/k/s-01234567-1', '/s/k/s-01234567-2']);
  });

  it('names a pipe after directory and generation on Windows', () => {
    const windows: EndpointPlace = { ...place, platform: 'win32' };
    const [candidate, ...others] = socketCandidates('C:\\state\\daemons\\k', GENERATION, windows);
    expect(candidate?.path).toMatch(/^\\\\\.\\pipe\\agent-lsp-[0-9a-f]{12}-0123456789abcdef$/);
    expect(others).toEqual([]);
    const elsewhere = socketCandidates('C:\\state\\daemons\\l', GENERATION, windows)[0];
    expect(elsewhere?.path).not.toBe(candidate?.path);
  });

  it('skips a shared directory that somebody prepared: symlink, open to others, or a file', async () => {
    const shared = path.join(workspace.scratch, `agent-lsp-${place.uid}`);
    const candidates = socketCandidates(directoryOfLength(150), GENERATION, place);
    const elsewhere = path.join(workspace.scratch, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    symlinkSync(elsewhere, shared);
    await expect(listen(candidates)).rejects.toThrow('not a private directory');
    rmSync(shared);
    mkdirSync(shared);
    chmodSync(shared, 0o770);
    await expect(listen(candidates)).rejects.toThrow('not a private directory');
    expect(lstatSync(shared).mode & 0o777).toBe(0o770);
    rmSync(shared, { recursive: true });
    writeFileSync(shared, '');
    await expect(listen(candidates)).rejects.toThrow('not a private directory');
  });

  it('says what was wrong with every candidate when none works', async () => {
    await expect(listen([])).rejects.toThrow('every path would be too long');
  });
});

describe('dialling', () => {
  it('tells a missing socket from a refusing one', async () => {
    const file = path.join(workspace.scratch, 'file');
    expect(await dial(file, 2000)).toMatchObject({ kind: 'absent' });
    writeFileSync(file, '');
    expect(await dial(file, 2000)).toMatchObject({ kind: 'refused' });
  });

  it('never dials a path that would be cut', async () => {
    expect(await dial(`/tmp/${'x'.repeat(200)}`, 2000)).toMatchObject({ kind: 'absent' });
  });

  it.each([
    { code: 'ECONNREFUSED', kind: 'refused' },
    { code: 'ENOTSOCK', kind: 'refused' },
    { code: 'ENOENT', kind: 'absent' },
    { code: 'EAGAIN', kind: 'overloaded' },
    { code: 'EMFILE', kind: 'overloaded' },
    { code: 'ENOBUFS', kind: 'overloaded' },
    { code: 'ECONNRESET', kind: 'overloaded' },
    { code: 'EPERM', kind: 'forbidden' },
    { code: 'EACCES', kind: 'forbidden' },
    { code: 'ETIMEDOUT', kind: 'timeout' },
  ])('takes $code for $kind', ({ code, kind }) => {
    expect(classifyDialError(code)).toBe(kind);
  });

  it('removes only sockets', () => {
    const file = workspace.write('not-a-socket', 'text');
    removeSocket(file);
    expect(workspace.read('not-a-socket')).toBe('text');
  });
});

describe('a private directory', () => {
  it('is made with its parents, for its owner only, and repaired when it is too open', () => {
    const directory = path.join(workspace.stateDir, 'a/b');
    ensurePrivateDirectory(directory);
    expect(lstatSync(directory).mode & 0o777).toBe(0o700);
    chmodSync(directory, 0o755);
    expect(isPrivateDirectory(directory)).toBe(false);
    ensurePrivateDirectory(directory);
    expect(isPrivateDirectory(directory)).toBe(true);
  });

  it('is refused when it is a symbolic link', () => {
    const link = path.join(workspace.stateDir, 'link');
    symlinkSync(workspace.scratch, link);
    expect(() => ensurePrivateDirectory(link)).toThrow('symbolic link');
  });

  it('is refused when it cannot be made', () => {
    const file = workspace.write('file', '');
    try {
      ensurePrivateDirectory(path.join(file, 'below'));
      expect.unreachable();
    } catch (error) {
      expect(failureOf(error)?.kind).toBe('broker-unavailable');
    }
  });

  it('is refused when it belongs to somebody else', () => {
    const directory = path.join(workspace.stateDir, 'theirs');
    mkdirSync(directory, { mode: 0o700 });
    const owner = currentOwner();
    if (owner.uid === 0) chownSync(directory, 65534, 65534);
    const asked = owner.uid === 0 ? owner : { ...owner, uid: owner.uid + 1 };
    expect(() => ensurePrivateDirectory(directory, asked)).toThrow('belongs to user');
  });
});
