/**
 * Finds and ends the processes of a test. Each test has an id that all its processes inherit in their environment,
 * so that also those are found that were started by others, lost their parent or ignore signals. Linux only (/proc).
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { until } from './events.ts';

export const TEST_ID_VARIABLE = 'AGENT_LSP_TEST_ID';

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** In clock ticks since boot: with the pid it names a process for ever. */
  readonly startTime: string;
  readonly command: string;
}

export function newTestId(): string {
  return randomUUID();
}

/** The processes whose arguments or environment contain the marker; never this process, never a zombie. */
export function processesMatching(marker: string): readonly RunningProcess[] {
  return pids().flatMap((pid) => {
    if (pid === process.pid) return [];
    const mentioned = `${readProc(pid, 'environ')}\0${readProc(pid, 'cmdline')}`.includes(marker);
    const found = mentioned ? describeProcess(pid) : undefined;
    return found ? [found] : [];
  });
}

export function processesOfTest(testId: string): readonly RunningProcess[] {
  return processesMatching(`${TEST_ID_VARIABLE}=${testId}`);
}

/** Children, their children and so on; the process itself is not among them. */
export function descendantsOf(pid: number): readonly RunningProcess[] {
  const all = pids().flatMap((each) => describeProcess(each) ?? []);
  const found: RunningProcess[] = [];
  for (let parents = [pid]; parents.length > 0; ) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map((child) => child.pid);
  }
  return found;
}

/** False for zombies: they hold nothing but a number. */
export function isAlive(pid: number): boolean {
  return describeProcess(pid) !== undefined;
}

export async function untilDead(pid: number, timeoutMs?: number): Promise<void> {
  await until(() => !isAlive(pid), {
    what: `the end of process ${pid} (${describeProcess(pid)?.command ?? 'unknown'})`,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

/**
 * Waits until no process of the test is left, then looks for sockets and temporary files in its state directory.
 * What the product may keep there on purpose (logs, last-exit records) is not counted.
 */
export async function expectNothingLeft(testId: string, stateDir: string, timeoutMs?: number): Promise<void> {
  await until(() => processesOfTest(testId).length === 0, {
    what: 'the end of all processes of the test',
    seen: () => `still there:\n${processesOfTest(testId).map(shown).join('\n')}`,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const left = leftovers(stateDir);
  if (left.length > 0) throw new Error(`left behind in ${stateDir}:\n  ${left.join('\n  ')}`);
}

/** Sockets and temporary files below a directory, relative to it. */
export function leftovers(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isSocket() || TEMPORARY.test(entry.name))
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Kills until nobody with the id is left: a dying parent may have started one more in between. */
export async function killAllOfTest(testId: string): Promise<void> {
  await until(
    () => {
      const left = processesOfTest(testId);
      for (const { pid } of left) kill(pid);
      return left.length === 0;
    },
    { what: `the death of all processes of test ${testId}` },
  );
}

/** Temporary names as they are made by write-then-rename. */
const TEMPORARY = /(\.tmp|\.temp|~)$|\.tmp[.-]|^tmp-/i;

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}

function pids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function describeProcess(pid: number): RunningProcess | undefined {
  const stat = readProc(pid, 'stat');
  // The name is in parentheses and may contain anything, also parentheses and blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, startTime] = [fields[0], fields[1], fields[19]];
  if (state === undefined || parent === undefined || startTime === undefined) return undefined;
  if (state === 'Z' || state === 'X') return undefined;
  const command = readProc(pid, 'cmdline').split('\0').join(' ').trim();
  return { pid, parent: Number(parent), startTime, command };
}

/** Empty when the process is gone or not ours to look at. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function shown({ pid, parent, command }: RunningProcess): string {
  return `  ${pid} (parent ${parent}) ${command}`;
}
