/** Others who write to the files of an edit in the very moment in which it is applied: what is said, and where their text is. */
import { appendFileSync, closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EditDisk } from '../../src/frontend/features/edits/apply/edit-disk.ts';
import { keptFiles, removeKept } from '../../src/frontend/features/edits/apply/kept-files.ts';
import { SessionEdits } from '../../src/frontend/features/edits/apply/session-edits.ts';
import { planWorkspaceEdit } from '../../src/frontend/features/edits/plan/workspace-edit.ts';
import { WriteBoundary } from '../../src/frontend/features/edits/plan/write-boundary.ts';
import { failureSentence } from '../../src/frontend/render/failure.ts';
import { failureOf } from '../../src/shared/base/failure.ts';
import { silentLog } from '../../src/shared/base/log.ts';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { interruptedDisk, systemError } from '../support/interrupted-disk.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const FILES = '//- a.ts\nold a\nsecond\n//- b.ts\nold b\nsecond\n//- c.ts\nold c\nsecond\n';
const NAMES = ['a.ts', 'b.ts', 'c.ts'];

function writing(workspace: Workspace, disk: EditDisk): SessionEdits {
  const boundary = new WriteBoundary({ roots: [workspace.root], ours: [workspace.stateDir] });
  return new SessionEdits({ boundary, stateDir: workspace.stateDir, log: silentLog, disk });
}

/** `old` becomes `new` in all three; the answer of a failure is its sentence. */
async function applied(workspace: Workspace, edits: SessionEdits): Promise<string> {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
  const change = [{ range, newText: 'new' }];
  const changes = Object.fromEntries(NAMES.map((name) => [pathToUri(workspace.file(name)), change]));
  const plan = await planWorkspaceEdit({ changes }, { boundary: edits.boundary, encoding: 'utf-16' });
  try {
    await edits.applyNow({ plan, about: 'old to new', hints: {} });
    return 'applied';
  } catch (error) {
    return failureSentence(failureOf(error) ?? expect.unreachable(String(error)));
  }
}

/** Acts when a file gets its new text: before the first, second and third such moment. */
function atReplacing(workspace: Workspace, act: (number: number) => void): EditDisk {
  let number = 0;
  return interruptedDisk(({ name, file }) => {
    if (name === 'rename' && file.startsWith(workspace.root)) act(++number);
  });
}

describe('a writer beside an edit', () => {
  it('who adds to a file that has its new text already leaves both in it, which is said', async () => {
    await using workspace = createWorkspace(FILES);
    const [a, b] = [workspace.file('a.ts'), workspace.file('b.ts')];
    const disk = atReplacing(workspace, (number) => {
      if (number !== 2) return;
      appendFileSync(a, 'theirs\n');
      throw systemError('EIO', b);
    });
    const sentence = await applied(workspace, writing(workspace, disk));
    const [kept] = await keptFiles(workspace.stateDir);
    expect(sentence).toBe(
      [
        `the edit failed at ${b}: the disk reports an input/output error (EIO).`,
        `Not as before: ${a} has the text of the edit and of others.`,
        'The other 2 files are as they were.',
        `what ${a} was before is kept in ${kept?.file}.`,
        'agent-lsp kept lists and removes such files.',
        'Correct that and apply it again.',
      ].join(' '),
    );
    expect(NAMES.map((name) => workspace.read(name))).toEqual([
      'new a\nsecond\ntheirs\n',
      'old b\nsecond\n',
      'old c\nsecond\n',
    ]);
    expect(readFileSync(kept?.file ?? '', 'utf8')).toBe('old a\nsecond\n');
    expect(kept?.note).toMatchObject({
      path: a,
      what: 'before',
      edit: { about: 'e1: old to new' },
      owner: { pid: process.pid },
    });
  });

  it('who adds to it in the moment in which it is taken back finds the text kept', async () => {
    await using workspace = createWorkspace(FILES);
    const [a, b] = [workspace.file('a.ts'), workspace.file('b.ts')];
    const disk = atReplacing(workspace, (number) => {
      if (number === 2) throw systemError('EIO', b);
      // Its new text was found unchanged, and makes way now.
      if (number === 3) appendFileSync(a, 'theirs\n');
    });
    const sentence = await applied(workspace, writing(workspace, disk));
    const [kept] = await keptFiles(workspace.stateDir);
    expect(sentence).toContain('All files are as they were. ');
    expect(sentence).toContain(`what others wrote to ${a} is kept in ${kept?.file}.`);
    expect(workspace.read('a.ts')).toBe('old a\nsecond\n');
    expect(readFileSync(kept?.file ?? '', 'utf8')).toBe('new a\nsecond\ntheirs\n');
  });

  it('who had a file open and writes to it after it was replaced finds the text kept, and an answer names it', async () => {
    await using workspace = createWorkspace(FILES);
    const open = openSync(workspace.file('a.ts'), 'a');
    const edits = writing(
      workspace,
      atReplacing(workspace, () => {}),
    );
    expect(await applied(workspace, edits)).toBe('applied');
    expect(await edits.takeUntold()).toEqual([]);
    writeSync(open, 'theirs\n');
    closeSync(open);
    const [kept, ...others] = await edits.takeUntold();
    expect(others).toEqual([]);
    expect(kept).toMatchObject({ path: workspace.file('a.ts'), what: 'others' });
    expect(readFileSync(kept?.kept ?? '', 'utf8')).toBe('old a\nsecond\ntheirs\n');
    expect(workspace.read('a.ts')).toBe('new a\nsecond\n');
    expect(await edits.takeUntold()).toEqual([]);
    await edits.close();
  });

  it('is told of in the next answer, though that one fails for another reason', async () => {
    await using workspace = createWorkspace(FILES);
    const open = openSync(workspace.file('a.ts'), 'a');
    let isBroken = false;
    const disk = interruptedDisk(({ name, file }) => {
      if (isBroken && name === 'write' && file.startsWith(workspace.root)) throw systemError('ENOSPC', file);
    });
    const edits = writing(workspace, disk);
    expect(await applied(workspace, edits)).toBe('applied');
    writeSync(open, 'theirs\n');
    closeSync(open);
    isBroken = true;
    workspace.write('b.ts', 'old b\n');
    const sentence = await applied(workspace, edits);
    const [kept] = await keptFiles(workspace.stateDir);
    expect(sentence).toMatch(/the disk is full \(ENOSPC\)\. Nothing was written\. /);
    expect(sentence).toContain(`what others wrote to ${workspace.file('a.ts')} is kept in ${kept?.file}.`);
    await edits.close();
  });

  it('leaves nothing behind once what was kept is removed', async () => {
    await using workspace = createWorkspace(FILES);
    const disk = atReplacing(workspace, (number) => {
      if (number === 2) throw systemError('EIO', workspace.file('b.ts'));
      if (number > 2) appendFileSync(workspace.file('a.ts'), 'theirs\n');
    });
    await applied(workspace, writing(workspace, disk));
    for (const kept of await keptFiles(workspace.stateDir)) await removeKept(kept);
    expect(await disk.list(`${workspace.stateDir}/edits`)).toEqual([]);
  });
});
