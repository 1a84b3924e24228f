/** Programs that stand in for a type checker where the real one cannot be made to fail in the way that is wanted. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { until } from './events.ts';
import type { Workspace } from './workspace.ts';

/** A configuration in which check_types runs this module. */
export function checkerThat(workspace: Workspace, module: string): readonly string[] {
  return [process.execPath, workspace.write(`${workspace.scratch}/checker.mjs`, module)];
}

/** It never ends and does not leave when it is asked to, with a child of its own. */
export function endlessChecker(workspace: Workspace): {
  readonly command: readonly string[];
  /** The processes, once they run. */
  pids(): Promise<readonly number[]>;
} {
  const pids = path.join(workspace.scratch, 'pids');
  const command = checkerThat(
    workspace,
    `import { spawn } from 'node:child_process';
     import { renameSync, writeFileSync } from 'node:fs';
     const idle = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
     const child = spawn(process.execPath, ['-e', idle], { stdio: 'inherit' });
     process.on('SIGTERM', () => {});
     setInterval(() => {}, 1000);
     writeFileSync(${JSON.stringify(`${pids}.new`)}, [process.pid, child.pid].join(' '));
     renameSync(${JSON.stringify(`${pids}.new`)}, ${JSON.stringify(pids)});`,
  );
  return {
    command,
    pids: async () => {
      await until(() => existsSync(pids), { what: 'the checker to run', timeoutMs: 30_000 });
      return readFileSync(pids, 'utf8').split(' ').map(Number);
    },
  };
}
