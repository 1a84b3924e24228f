/** Where a benchmark runs: a directory of its own, a state directory of its own, and the built command. */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type McpProcess, startMcp } from './mcp-process.ts';

const run = promisify(execFile);
const packageRoot = path.resolve(import.meta.dirname, '../..');
const packageJson = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
  bin: { 'agent-lsp': string };
};

export class Place {
  readonly directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'al-bench-')));
  readonly command = path.join(packageRoot, packageJson.bin['agent-lsp']);
  #states = 0;

  stateDir(): string {
    return path.join(this.directory, `s${this.#states++}`);
  }

  env(stateDir: string): NodeJS.ProcessEnv {
    return { ...process.env, AGENT_LSP_STATE_DIR: stateDir };
  }

  session(root: string, stateDir: string, ...args: readonly string[]): Promise<McpProcess> {
    return startMcp([this.command, ...args], { cwd: root, env: this.env(stateDir) });
  }

  async cli(stateDir: string, ...args: readonly string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [this.command, ...args], { env: this.env(stateDir) });
    return stdout;
  }

  async stopDaemons(stateDir: string): Promise<void> {
    await this.cli(stateDir, 'daemon-stop', '--all', '--now');
  }

  /** Also after a failure: nothing that was started may stay. */
  async remove(): Promise<void> {
    for (let state = 0; state < this.#states; state++)
      await this.stopDaemons(path.join(this.directory, `s${state}`));
    // Brokers write their last lines after they have said that they stop; on a busy machine that takes seconds.
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** From spawn to exit of a Node that does nothing: what no Node program can be faster than. */
export function bareNode(): Promise<number> {
  const began = performance.now();
  return new Promise((resolve) => {
    spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).once('exit', () =>
      resolve(performance.now() - began),
    );
  });
}

export function rssMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}

/** What a process has taken of the processors so far, which other work on the machine changes little. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  // In hundredths of a second, on every Linux that Node runs on.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
