/** What the product keeps running, and the memory of it, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Running {
  readonly brokers: number;
  /** Language servers, and all processes that are theirs. */
  readonly servers: number;
  readonly serverProcesses: number;
  readonly serverMegabytes: number;
  /** The sum of what each of them had at most. */
  readonly serverPeakMegabytes: number;
  readonly ownMegabytes: number;
}

/** Runs the installed command, with a state directory of its own. */
interface Commands {
  cli(stateDir: string, ...args: readonly string[]): Promise<string>;
}

interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly megabytes: number;
  readonly peak: number;
  /** How long it has been there. */
  readonly seconds: number;
}

/** Undefined where there is no /proc. */
export async function running(
  bench: Commands,
  stateDir: string,
  frontEnd: number,
): Promise<Running | undefined> {
  const brokers = await brokersOf(bench, stateDir);
  const seen = processes();
  if (seen.length === 0) return undefined;
  return figuresOf(seen, brokers, frontEnd);
}

/** Whether a server was started since then, in ms of `performance.now()`: an answer that waited for that is the first one of its server. */
export async function hasStarted(
  bench: Commands,
  stateDir: string,
  frontEnd: number,
  began: number,
): Promise<boolean> {
  const owners = new Set([...(await brokersOf(bench, stateDir)), frontEnd]);
  // Asking for the brokers takes seconds on a busy machine, in which servers grow older.
  const seconds = (performance.now() - began) / 1_000;
  return serversOf(processes(), owners).some((server) => server.seconds <= seconds);
}

async function brokersOf(bench: Commands, stateDir: string): Promise<readonly number[]> {
  const listings = JSON.parse(await bench.cli(stateDir, 'daemon-status', '--json')) as readonly {
    readonly kind: string;
    readonly record?: { readonly process: { readonly pid: number } };
  }[];
  return listings.flatMap(({ kind, record }) => (kind === 'running' ? (record?.process.pid ?? []) : []));
}

/** The guard that ends a server with its owner is a shell; it is ours, and so is a launcher that goes on as a broker. */
function serversOf(seen: readonly Seen[], owners: ReadonlySet<number>): readonly Seen[] {
  return seen.filter(
    ({ pid, parent, name }) => owners.has(parent) && !owners.has(pid) && !/^(sh|dash|bash)$/.test(name),
  );
}

export function figuresOf(seen: readonly Seen[], brokers: readonly number[], frontEnd: number): Running {
  const owners = new Set([...brokers, frontEnd]);
  const servers = serversOf(seen, owners);
  const theirs = new Set(servers.flatMap(({ pid }) => [...below(seen, pid)]));
  const sum = (part: readonly Seen[], of: (each: Seen) => number) =>
    part.reduce((total, each) => total + of(each), 0);
  const serverParts = seen.filter(({ pid }) => theirs.has(pid));
  return {
    brokers: brokers.length,
    servers: servers.length,
    serverProcesses: serverParts.length,
    serverMegabytes: sum(serverParts, ({ megabytes }) => megabytes),
    serverPeakMegabytes: sum(serverParts, ({ peak }) => peak),
    ownMegabytes: sum(
      seen.filter(({ pid }) => owners.has(pid)),
      ({ megabytes }) => megabytes,
    ),
  };
}

function below(seen: readonly Seen[], pid: number): ReadonlySet<number> {
  const found = new Set([pid]);
  for (const each of found) for (const { pid: child, parent } of seen) if (parent === each) found.add(child);
  return found;
}

function processes(): readonly Seen[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => seenAt(Number(name)) ?? []);
  } catch {
    return [];
  }
}

function seenAt(pid: number): Seen | undefined {
  try {
    const status = readFileSync(path.join('/proc', String(pid), 'status'), 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1] ?? '';
    const megabytes = (name: string) => Number.parseInt(field(name) || '0', 10) / 1024;
    return {
      pid,
      parent: Number(field('PPid')),
      name: field('Name'),
      megabytes: megabytes('VmRSS'),
      peak: megabytes('VmHWM'),
      seconds: secondsOf(pid),
    };
  } catch {
    // It ended while we were looking.
    return undefined;
  }
}

/** Linux counts in hundredths of a second since it was started, behind a name that may have any characters. */
function secondsOf(pid: number): number {
  const stat = readFileSync(path.join('/proc', String(pid), 'stat'), 'utf8');
  const began = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) - began / 100;
}
