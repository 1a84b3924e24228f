/**
 * The one door to local sockets: where a broker may listen, listening there, and dialling.
 * Every broker generation has a name of its own, and a path that is too long is never tried:
 * Node 20 cuts it silently, and two brokers would meet on the rest.
 */
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, unlinkSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { posix } from 'node:path';
import { messageOf, systemCode } from '../base/failure.ts';
import { type Clock, systemClock } from '../base/lifetime.ts';
import { currentOwner, isPrivateDirectory } from './private-directory.ts';

/** Below the 108 bytes of Linux and the 104 of macOS, with room for a suffix. */
export const MAX_SOCKET_PATH_BYTES = 100;

export interface EndpointPlace {
  readonly platform: NodeJS.Platform;
  readonly uid: number;
  /** `XDG_RUNTIME_DIR`, if set. */
  readonly runtimeDirectory?: string | undefined;
  readonly temporaryDirectory: string;
}

export interface SocketCandidate {
  readonly path: string;
  /** A directory outside the daemon's own, which has to be made and checked before it is used. */
  readonly directory?: string;
}

export function currentPlace(env: NodeJS.ProcessEnv): EndpointPlace {
  return { ...currentOwner(), runtimeDirectory: env.XDG_RUNTIME_DIR, temporaryDirectory: '/tmp' };
}

/** Where to listen, best first. `round` counts the sockets of one generation: a name is never used again. */
export function socketCandidates(
  daemonDirectory: string,
  generation: string,
  place: EndpointPlace,
  round = 0,
): SocketCandidate[] {
  const suffix = round === 0 ? '' : `-${round}`;
  if (place.platform === 'win32') {
    const hash = createHash('sha256').update(daemonDirectory).digest('hex').slice(0, 12);
    return [{ path: `\\\\.\\pipe\\agent-lsp-${hash}-${generation.slice(0, 16)}${suffix}` }];
  }
  const name = `${generation.slice(0, 8)}${suffix}`;
  const fallbacks: string[] = [];
  if (place.runtimeDirectory?.startsWith('/') && isPrivateDirectory(place.runtimeDirectory, place))
    fallbacks.push(posix.join(place.runtimeDirectory, 'agent-lsp'));
  fallbacks.push(posix.join(place.temporaryDirectory, `agent-lsp-${place.uid}`));
  const candidates: SocketCandidate[] = [
    { path: posix.join(daemonDirectory, `s-${name}`) },
    ...fallbacks.map((directory) => ({ path: posix.join(directory, name), directory })),
  ];
  return candidates.filter(({ path }) => fits(path));
}

export interface Listening {
  readonly path: string;
  readonly server: Server;
}

/** Listens on the first candidate that works; throws with what was wrong with each when none does. */
export async function listenPrivate(
  candidates: readonly SocketCandidate[],
  options: { accept(socket: Socket): void; attempt?(path: string): void },
): Promise<Listening> {
  const problems: string[] = [];
  for (const candidate of candidates) {
    const problem = candidate.directory === undefined ? undefined : directoryProblem(candidate.directory);
    if (problem !== undefined) {
      problems.push(problem);
      continue;
    }
    try {
      options.attempt?.(candidate.path);
      return await listenAt(candidate.path, options.accept);
    } catch (error) {
      problems.push(`${candidate.path}: ${messageOf(error)}`);
    }
  }
  throw new Error(`no socket can be made here: ${problems.join('; ') || 'every path would be too long'}`);
}

export type DialFailure = 'refused' | 'absent' | 'overloaded' | 'forbidden' | 'timeout';
export type DialResult = { kind: 'connected'; socket: Socket } | { kind: DialFailure; detail: string };

/** Connects and says what a failure proves: only `refused` and `absent` mean that nobody listens. */
export function dial(path: string, timeoutMs: number, clock: Clock = systemClock): Promise<DialResult> {
  if (!fits(path) && !isPipe(path))
    return Promise.resolve({
      kind: 'absent',
      detail: `the path has more than ${MAX_SOCKET_PATH_BYTES} bytes`,
    });
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    const timer = clock.after(timeoutMs, () => finish({ kind: 'timeout', detail: `after ${timeoutMs} ms` }));
    const finish = (result: DialResult) => {
      timer[Symbol.dispose]();
      socket.off('connect', onConnect);
      if (result.kind !== 'connected') socket.destroy();
      else socket.off('error', onError);
      resolve(result);
    };
    const onConnect = () => finish({ kind: 'connected', socket });
    const onError = (error: Error) =>
      finish({ kind: classifyDialError(systemCode(error)), detail: messageOf(error) });
    socket.once('connect', onConnect);
    // Stays after a failed dial: destroying a connecting socket may still report an error.
    socket.on('error', onError);
  });
}

export function classifyDialError(code: string | undefined): DialFailure {
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOTSOCK':
      return 'refused';
    case 'ENOENT':
    case 'ENOTDIR':
      return 'absent';
    case 'EPERM':
    case 'EACCES':
      return 'forbidden';
    case 'ETIMEDOUT':
      return 'timeout';
    // EAGAIN, EMFILE, ENOBUFS, EBUSY, ECONNRESET and whatever else: it proves nothing, so ask again later.
    default:
      return 'overloaded';
  }
}

/** True if there is a socket at this path. Pipes vanish with their process and are always taken to be there. */
export function socketExists(path: string): boolean {
  if (isPipe(path)) return true;
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
}

/** Removes a socket's name; anything else at that path is left alone. */
export function removeSocket(path: string): void {
  if (isPipe(path) || !socketExists(path)) return;
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

function listenAt(path: string, accept: (socket: Socket) => void): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: false }, accept);
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      if (!socketExists(path)) {
        server.close();
        reject(new Error('listening succeeded but there is no socket at that path'));
        return;
      }
      if (!isPipe(path)) chmodSync(path, 0o600);
      resolve({ path, server });
    });
  });
}

/** A shared place such as /tmp is never repaired, only accepted or skipped: someone else may have prepared it. */
function directoryProblem(directory: string): string | undefined {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') return `${directory}: ${messageOf(error)}`;
  }
  return isPrivateDirectory(directory) ? undefined : `${directory} is not a private directory of this user`;
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES;
}

function isPipe(path: string): boolean {
  return path.startsWith('\\\\.\\pipe\\');
}
