/** A session's edits: applied by id, undone by id, one at a time. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemDisk } from '../../../../../src/frontend/features/edits/apply/edit-disk.ts';
import { Journal } from '../../../../../src/frontend/features/edits/apply/journal.ts';
import { recoverEdits } from '../../../../../src/frontend/features/edits/apply/recover-edits.ts';
import { SessionEdits } from '../../../../../src/frontend/features/edits/apply/session-edits.ts';
import { contentHash } from '../../../../../src/frontend/features/edits/plan/edit-plan.ts';
import { planTextEdits } from '../../../../../src/frontend/features/edits/plan/workspace-edit.ts';
import { WriteBoundary } from '../../../../../src/frontend/features/edits/plan/write-boundary.ts';
import { failureOf } from '../../../../../src/shared/base/failure.ts';
import { silentLog } from '../../../../../src/shared/base/log.ts';
import { pathToUri } from '../../../../../src/shared/base/paths.ts';
import { systemProcessTable } from '../../../../../src/shared/process/process-identity.ts';
import { createWorkspace, type Workspace } from '../../../../support/workspace.ts';

function editsOf(workspace: Workspace): SessionEdits {
  const boundary = new WriteBoundary({ roots: [workspace.root], ours: [workspace.stateDir] });
  return new SessionEdits({ boundary, stateDir: workspace.stateDir, log: silentLog });
}

function insertPlan(workspace: Workspace, edits: SessionEdits, name: string, newText: string) {
  const zero = { line: 0, character: 0 };
  const uri = pathToUri(workspace.file(name));
  const { boundary } = edits;
  return planTextEdits(uri, [{ range: { start: zero, end: zero }, newText }], {
    boundary,
    encoding: 'utf-16',
  });
}

describe('the edits of a session', () => {
  it('are applied by id and undone by the same, while nothing has changed since', async () => {
    await using workspace = createWorkspace('//- a.ts\nalpha\n');
    const edits = editsOf(workspace);
    const { id } = edits.hold(await insertPlan(workspace, edits, 'a.ts', '1'), 'insert');
    expect(workspace.read('a.ts')).toBe('alpha\n');
    const applied = await edits.apply(id);
    expect(applied).toMatchObject({
      id: 'e1',
      undoable: true,
      changed: [workspace.file('a.ts')],
      created: [],
    });
    expect(workspace.read('a.ts')).toBe('1alpha\n');
    expect(() => edits.held.named(id)).toThrow('no longer held');

    workspace.write('a.ts', 'theirs\n');
    expect(await kindOf(edits.undo(id))).toBe('base-changed');
    workspace.write('a.ts', '1alpha\n');
    await edits.undo(id);
    expect(workspace.read('a.ts')).toBe('alpha\n');
    expect(await kindOf(edits.undo(id))).toBe('invalid-input');
  });

  it('stay held when they could not be applied', async () => {
    await using workspace = createWorkspace('//- a.ts\nalpha\n');
    const edits = editsOf(workspace);
    const { id } = edits.hold(await insertPlan(workspace, edits, 'a.ts', '1'), 'insert');
    workspace.write('a.ts', 'theirs\n');
    expect(await kindOf(edits.apply(id))).toBe('base-changed');
    workspace.write('a.ts', 'alpha\n');
    await edits.apply(id);
    expect(workspace.read('a.ts')).toBe('1alpha\n');
  });

  it('wait for each other', async () => {
    await using workspace = createWorkspace('//- a.ts\nalpha\n//- b.ts\nbeta\n');
    const edits = editsOf(workspace);
    const plans = await Promise.all(
      ['a.ts', 'b.ts', 'a.ts'].map((name) => insertPlan(workspace, edits, name, '1')),
    );
    const kinds = await Promise.all(
      plans.map((plan) => kindOf(edits.applyNow({ plan, about: 'insert', hints: {} }))),
    );
    expect(kinds).toEqual(['applied', 'applied', 'base-changed']);
    expect([workspace.read('a.ts'), workspace.read('b.ts')]).toEqual(['1alpha\n', '1beta\n']);
  });

  it('are not applied once the call is cancelled', async () => {
    await using workspace = createWorkspace('//- a.ts\nalpha\n');
    const edits = editsOf(workspace);
    const plan = await insertPlan(workspace, edits, 'a.ts', '1');
    expect(await kindOf(edits.applyNow({ plan, about: 'insert', hints: {} }, AbortSignal.abort()))).toBe(
      'cancelled',
    );
    expect(workspace.read('a.ts')).toBe('alpha\n');
  });

  it('begin with what was left behind: journals that cannot be read are set aside', async () => {
    await using workspace = createWorkspace('//- a.ts\nalpha\n');
    const edits = editsOf(workspace);
    const directory = path.join(workspace.stateDir, 'edits');
    mkdirSync(directory, { mode: 0o700 });
    writeFileSync(path.join(directory, '0123456789ab.applying.json'), '{"id":');
    writeFileSync(path.join(directory, '0123456789ac.claim-1'), '{}');
    expect(await edits.recover()).toMatchObject([{ kind: 'failed', id: '0123456789ab' }]);
    expect(await edits.recover()).toEqual([]);
    expect(await systemDisk.list(directory)).toEqual(['0123456789ab.applying.json.unreadable']);
    const journal = new Journal(directory, { id: '0123456789ab', phase: 'applying' }, systemDisk);
    expect(await journal.read()).toBeUndefined();
  });

  it('leave a journal alone whose process cannot be looked at, for as long as an edit can take', async () => {
    await using workspace = createWorkspace('//- a.ts\nnew\n//- .agent-lsp-0123456789ab-1.tmp\nold\n');
    const [path, backup] = [workspace.file('a.ts'), workspace.file('.agent-lsp-0123456789ab-1.tmp')];
    const after = contentHash(Buffer.from('new\n'));
    const steps = [{ kind: 'put', path, staged: `${path}.none`, backup, before: null, after } as const];
    const edit = { id: '0123456789ab', about: 'e1: insert' };
    const journal = await Journal.begin(workspace.stateDir, edit, steps, systemDisk);
    await journal.advance('applying');
    const table = { ...systemProcessTable(), pidNamespace: () => 'another' };
    expect(await recoverEdits(workspace.stateDir, { table })).toEqual([]);
    const later = { table, now: () => Date.now() + 11 * 60_000 };
    expect(await recoverEdits(workspace.stateDir, later)).toMatchObject([
      { kind: 'taken-back', foreign: [] },
    ]);
    expect(workspace.read('a.ts')).toBe('old\n');
  });
});

async function kindOf(applied: Promise<unknown>): Promise<string> {
  try {
    await applied;
    return 'applied';
  } catch (error) {
    return failureOf(error)?.kind ?? String(error);
  }
}
