/**
 * A process that applies an edit and meets its end on the way: killed at an operation on the disk (`kill`, `tear`), or
 * standing still there (`stop`) until somebody else kills it.
 */
import { writeSync } from 'node:fs';
import { applyPlan } from '../../src/frontend/features/edits/apply/apply-plan.ts';
import { planWorkspaceEdit } from '../../src/frontend/features/edits/plan/workspace-edit.ts';
import { WriteBoundary } from '../../src/frontend/features/edits/plan/write-boundary.ts';
import { absolutePath } from '../../src/shared/base/paths.ts';
import { interruptedDisk } from './interrupted-disk.ts';

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { root, stateDir, edit, end } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
const boundary = new WriteBoundary({ roots: [absolutePath(root)], ours: [] });
const plan = await planWorkspaceEdit(edit, { boundary, encoding: 'utf-16' });
let operations = 0;
const disk = interruptedDisk(async ({ number, name, file, tear }) => {
  operations = number;
  if (number !== end.at) return;
  if (end.how === 'tear') tear();
  if (end.how !== 'stop') process.kill(process.pid, 'SIGKILL');
  writeSync(1, `stopped at ${name} ${file}\n`);
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
await applyPlan(plan, { boundary, stateDir: absolutePath(stateDir), disk });
writeSync(1, `applied in ${operations}\n`);
