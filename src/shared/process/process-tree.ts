/** Which processes descend from one, and what they do, as far as the platform tells cheaply. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { parseProcStat } from './process-identity.ts';

/** The pid itself and everything below it. On Windows only the pid itself. */
export async function processTree(
  root: number,
  platform: NodeJS.Platform = process.platform,
): Promise<number[]> {
  const parents = await parentTable(platform);
  const children = new Map<number, number[]>();
  for (const [pid, parent] of parents) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const tree = new Set<number>();
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    if (tree.has(pid)) continue;
    tree.add(pid);
    open.push(...(children.get(pid) ?? []));
  }
  return [...tree];
}

export interface SeenProcess {
  readonly pid: number;
  /** Compared only; empty where it is not known. */
  readonly startTime: string;
  readonly cpuMs: number;
  readonly command: string;
  /** The program file, the input and the output; empty where they are not known. */
  readonly program: string;
  readonly input: string;
  readonly output: string;
}

/** The process itself first, then what descends from it; empty when it is gone, or where nothing is known. */
export async function watchedTree(
  root: number,
  platform: NodeJS.Platform = process.platform,
): Promise<readonly SeenProcess[]> {
  if (platform === 'win32') return [];
  if (platform === 'linux') return linuxTree(root).flatMap((pid) => linuxProcess(pid) ?? []);
  const tree = new Set(await processTree(root, platform));
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,time=,command='], { timeout: 5000 });
  const seen = stdout.split('\n').flatMap((line): SeenProcess[] => {
    const [, pid = '', time = '', command = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (!tree.has(Number(pid))) return [];
    const unknown = { startTime: '', program: '', input: '', output: '' };
    return [{ pid: Number(pid), cpuMs: parsePsTime(time), command, ...unknown }];
  });
  return seen.sort((a, b) => Number(b.pid === root) - Number(a.pid === root));
}

/** False as soon as the process is on its way out: its parent may know before it has an end. */
export function isServing(
  { pid, startTime }: Pick<SeenProcess, 'pid' | 'startTime'>,
  platform: NodeJS.Platform = process.platform,
): boolean {
  try {
    if (platform !== 'linux') return process.kill(pid, 0);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const parsed = parseProcStat(stat);
    return parsed.startTime === startTime && !['Z', 'X'].includes(parsed.state) && !useOf(stat).exiting;
  } catch {
    return false;
  }
}

/** `[[days-]hours:]minutes:seconds`, as ps writes it. */
export function parsePsTime(time: string): number {
  const [clock = '', days = '0'] = time.split('-').toReversed();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number.parseFloat(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1000);
}

async function parentTable(platform: NodeJS.Platform): Promise<[pid: number, parent: number][]> {
  if (platform === 'linux') return linuxParents();
  if (platform === 'win32') return [];
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='], { timeout: 5000 });
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent] = line.trim().split(/\s+/);
      return [Number(pid), Number(parent)];
    });
}

function linuxParents(): [number, number][] {
  const table: [number, number][] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      table.push([Number(name), parseProcStat(readFileSync(`/proc/${name}/stat`, 'utf8')).parent]);
    } catch {
      // It ended between the listing and the reading.
    }
  }
  return table;
}

/** By the lists of children that the kernel keeps, which is far less to read than all processes. */
function linuxTree(root: number): number[] {
  const tree = [root];
  for (const pid of tree) {
    for (const task of namesIn(`/proc/${pid}/task`)) {
      const children = textOf(`/proc/${pid}/task/${task}/children`).trim();
      if (children !== '') tree.push(...children.split(' ').map(Number));
    }
  }
  return tree;
}

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;
/** The flag that the kernel sets first when it ends a process. */
const EXITING = 0x4;

function useOf(stat: string): { cpuMs: number; exiting: boolean } {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [flags = 0, user = 0, kernel = 0] = [fields[6], fields[11], fields[12]];
  return { cpuMs: (user + kernel) * TICK_MS, exiting: (flags & EXITING) !== 0 };
}

function linuxProcess(pid: number): SeenProcess | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === '') return undefined;
  const { startTime, state } = parseProcStat(stat);
  if (state === 'Z' || state === 'X') return undefined;
  return {
    pid,
    startTime,
    cpuMs: useOf(stat).cpuMs,
    command: textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
    program: linkOf(`/proc/${pid}/exe`),
    input: linkOf(`/proc/${pid}/fd/0`),
    output: linkOf(`/proc/${pid}/fd/1`),
  };
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
