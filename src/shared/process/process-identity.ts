/**
 * Which process is meant by a pid. Pids are reused, and a container's pid 8 is not the host's pid 8, so a process is
 * named by pid, start time, boot and pid namespace together. Nothing is signalled or buried on a bare pid.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { systemCode } from '../base/failure.ts';

export interface ProcessIdentity {
  readonly pid: number;
  /** In the platform's own unit, only ever compared; empty when it could not be learned. */
  readonly startTime: string;
  readonly bootId: string;
  readonly pidNamespace: string;
}

/** `different`: the pid now belongs to another process. `unknown`: it lives where we cannot look. */
export type Liveness = 'alive' | 'gone' | 'different' | 'unknown';

export type Sighting = { kind: 'running'; startTime: string } | { kind: 'gone' };

/** What is asked of the operating system; replaced in tests. */
export interface ProcessTable {
  bootId(): string;
  pidNamespace(): string;
  find(pid: number): Sighting;
}

/** The identity of a running process, or undefined when there is none with this pid. */
export function identifyProcess(
  pid: number,
  table: ProcessTable = systemProcessTable(),
): ProcessIdentity | undefined {
  const found = table.find(pid);
  if (found.kind === 'gone') return undefined;
  return { pid, startTime: found.startTime, bootId: table.bootId(), pidNamespace: table.pidNamespace() };
}

export function ownIdentity(table: ProcessTable = systemProcessTable()): ProcessIdentity {
  return (
    identifyProcess(process.pid, table) ?? {
      pid: process.pid,
      startTime: '',
      bootId: table.bootId(),
      pidNamespace: table.pidNamespace(),
    }
  );
}

/** Errs towards `alive`: a process that exists and cannot be told apart is taken for the one that was meant. */
export function livenessOf(identity: ProcessIdentity, table: ProcessTable = systemProcessTable()): Liveness {
  if (differ(identity.bootId, table.bootId())) return 'gone';
  if (differ(identity.pidNamespace, table.pidNamespace())) return 'unknown';
  const found = table.find(identity.pid);
  if (found.kind === 'gone') return 'gone';
  return differ(identity.startTime, found.startTime) ? 'different' : 'alive';
}

/**
 * True if the process would go on if only it got a processor: it is late because the machine is busy, not because it
 * stands still. Known on Linux only; elsewhere no process is excused.
 */
export function isStarved({ pid }: Pick<ProcessIdentity, 'pid'>): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'utf8')).state === 'R';
  } catch {
    return false;
  }
}

export function systemProcessTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  if (platform === 'linux' && existsSync('/proc/self/stat')) return linuxTable;
  if (platform === 'darwin') return darwinTable;
  if (platform === 'win32') return windowsTable;
  return bareTable;
}

/** State and start time out of `/proc/<pid>/stat`; the command in parentheses may itself contain ") ". */
export function parseProcStat(stat: string): {
  state: string;
  parent: number;
  group: number;
  startTime: string;
} {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .split(/\s+/);
  return {
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    startTime: fields[19] ?? '',
  };
}

const linuxTable: ProcessTable = {
  bootId: () => readText('/proc/sys/kernel/random/boot_id'),
  pidNamespace() {
    try {
      return readlinkSync('/proc/self/ns/pid');
    } catch {
      return '';
    }
  },
  find(pid) {
    let stat: string;
    try {
      stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch (error) {
      const code = systemCode(error);
      return code === 'ENOENT' || code === 'ESRCH' ? { kind: 'gone' } : signalTest(pid);
    }
    const { state, startTime } = parseProcStat(stat);
    // A zombie keeps its entry until its parent asks; it serves nobody and never will again.
    return state === 'Z' || state === 'X' ? { kind: 'gone' } : { kind: 'running', startTime };
  },
};

const darwinTable: ProcessTable = {
  // Not kern.boottime: that moves when the wall clock is set.
  bootId: () => commandOutput('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']) ?? '',
  pidNamespace: () => '',
  find(pid) {
    const test = signalTest(pid);
    if (test.kind === 'gone') return test;
    const line = commandOutput('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
    if (!line) return test;
    const [state = '', ...start] = line.split(/\s+/);
    return state.startsWith('Z') ? { kind: 'gone' } : { kind: 'running', startTime: start.join(' ') };
  },
};

const windowsTable: ProcessTable = {
  bootId: () => '',
  pidNamespace: () => '',
  find(pid) {
    const test = signalTest(pid);
    if (test.kind === 'gone') return test;
    const script = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
    const started = commandOutput('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]);
    return { kind: 'running', startTime: started ?? '' };
  },
};

const bareTable: ProcessTable = { bootId: () => '', pidNamespace: () => '', find: signalTest };

/** Only ESRCH says that there is nothing: a sandbox answers EPERM for processes that are well and alive. */
function signalTest(pid: number): Sighting {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return { kind: 'gone' };
  }
  return { kind: 'running', startTime: '' };
}

function differ(recorded: string, current: string): boolean {
  return recorded !== '' && current !== '' && recorded !== current;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

function commandOutput(command: string, args: readonly string[]): string | undefined {
  try {
    const output = execFileSync(command, args, {
      encoding: 'utf8',
      timeout: 5000,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      windowsHide: true,
    });
    return output.trim() || undefined;
  } catch {
    return undefined;
  }
}
