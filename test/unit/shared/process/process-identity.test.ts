import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  identifyProcess,
  isStarved,
  livenessOf,
  ownIdentity,
  type ProcessTable,
  parseProcStat,
} from '../../../../src/shared/process/process-identity.ts';
import { until } from '../../../support/events.ts';

const table = (change: Partial<ProcessTable> = {}): ProcessTable => ({
  bootId: () => 'boot',
  pidNamespace: () => 'ns',
  find: () => ({ kind: 'running', startTime: '100' }),
  ...change,
});
const identity = { pid: 7, startTime: '100', bootId: 'boot', pidNamespace: 'ns' };

describe('identity of a process', () => {
  it('is alive for the process itself and gone after it has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(child, 'spawn');
    const noted = identifyProcess(child.pid ?? 0);
    expect(noted && livenessOf(noted)).toBe('alive');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(noted && livenessOf(noted)).toBe('gone');
    expect(identifyProcess(child.pid ?? 0)).toBeUndefined();
  });

  it.skipIf(process.platform !== 'linux')('tells a busy process from one that stands still', async () => {
    const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    try {
      await until(() => isStarved({ pid }), { what: 'a busy process' });
      child.kill('SIGSTOP');
      await until(() => !isStarved({ pid }), { what: 'a stopped process' });
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    expect(isStarved({ pid })).toBe(false);
  });

  it('is different when the pid belongs to a process with another start time', () => {
    expect(livenessOf({ ...ownIdentity(), startTime: '1' })).toBe('different');
  });

  it('is gone after a reboot even if the pid is in use', () => {
    expect(livenessOf({ ...identity, bootId: 'earlier' }, table())).toBe('gone');
  });

  it('is unknown in another pid namespace of the same boot', () => {
    expect(livenessOf({ ...identity, pidNamespace: 'container' }, table())).toBe('unknown');
  });

  it('is taken for alive when the start time cannot be learned', () => {
    expect(livenessOf(identity, table({ find: () => ({ kind: 'running', startTime: '' }) }))).toBe('alive');
    expect(livenessOf({ ...identity, startTime: '' }, table())).toBe('alive');
  });

  it('reads a stat line whose command contains parentheses and blanks', () => {
    const rest = `S 1 42 ${Array.from({ length: 16 }, (_, index) => index).join(' ')} 98765 0 0`;
    expect(parseProcStat(`42 (evil) R 9 9 (name) ${rest}`)).toEqual({
      state: 'S',
      parent: 1,
      group: 42,
      startTime: '98765',
    });
  });

  it.skipIf(process.platform !== 'linux')('treats a zombie as gone', async () => {
    // The shell does not wait for its child, so the child stays a zombie as long as the shell lives.
    const script = 'sleep 0 & echo $!; exec sleep 1000';
    const shell = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [line] = (await once(shell.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString().trim());
      await until(() => identifyProcess(pid) === undefined, { what: 'a zombie to count as gone' });
    } finally {
      shell.kill('SIGKILL');
      await once(shell, 'exit');
    }
  });
});
