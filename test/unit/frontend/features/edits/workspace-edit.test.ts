/** Workspace edits in all their forms, computed over real files and then applied. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { AppliedEdits } from '../../../../../src/frontend/features/edits/apply/applied-edits.ts';
import { applyPlan } from '../../../../../src/frontend/features/edits/apply/apply-plan.ts';
import { type EditPlan, textsAfter } from '../../../../../src/frontend/features/edits/plan/edit-plan.ts';
import {
  type ComputeOptions,
  planWorkspaceEdit,
} from '../../../../../src/frontend/features/edits/plan/workspace-edit.ts';
import { WriteBoundary } from '../../../../../src/frontend/features/edits/plan/write-boundary.ts';
import { type Failure, failureOf } from '../../../../../src/shared/base/failure.ts';
import { pathToUri } from '../../../../../src/shared/base/paths.ts';
import { textHash } from '../../../../../src/shared/base/text-file.ts';
import { createWorkspace, type Workspace } from '../../../../support/workspace.ts';

const THREE = `
//- a.ts
alpha
//- b.ts
beta
//- lib/c.ts
gamma
`;

interface World extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly boundary: WriteBoundary;
  uri(name: string): string;
  plan(edit: WorkspaceEdit, more?: Partial<ComputeOptions>): Promise<EditPlan>;
  /** Plans and applies, then undoes and applies again, so that every form shows its way back. */
  apply(edit: WorkspaceEdit): Promise<EditPlan>;
  failure(edit: WorkspaceEdit, more?: Partial<ComputeOptions>): Promise<Failure>;
  tree(): Record<string, string>;
}

function world(text = THREE): World {
  const workspace = createWorkspace(text);
  const boundary = new WriteBoundary({ roots: [workspace.root], ours: [workspace.stateDir] });
  const plan: World['plan'] = (edit, more = {}) =>
    planWorkspaceEdit(edit, { boundary, encoding: 'utf-16', ...more });
  const { stateDir } = workspace;
  return {
    workspace,
    boundary,
    uri: (name) => pathToUri(workspace.file(name)),
    plan,
    async apply(edit) {
      const before = treeOf(workspace.root);
      const planned = await plan(edit);
      const applied = await applyPlan(planned, { boundary, stateDir });
      const after = treeOf(workspace.root);
      const undo = new AppliedEdits();
      undo.remember({ id: 'e1', about: 'test', hints: {} }, applied);
      await applyPlan(undo.named('e1').plan, { boundary, stateDir });
      expect(treeOf(workspace.root)).toEqual(before);
      await applyPlan(await plan(edit), { boundary, stateDir });
      expect(treeOf(workspace.root)).toEqual(after);
      return planned;
    },
    failure: (edit, more) =>
      plan(edit, more).then(
        () => expect.unreachable('it was planned'),
        (error: unknown) => failureOf(error) ?? expect.unreachable(String(error)),
      ),
    tree: () => treeOf(workspace.root),
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}

const insert = (newText: string, line = 0, character = 0): TextEdit => ({
  range: { start: { line, character }, end: { line, character } },
  newText,
});

describe('a workspace edit', () => {
  it('takes `changes` by file', async () => {
    await using here = world();
    const plan = await here.apply({ changes: { [here.uri('a.ts')]: [insert('1')], [here.uri('b.ts')]: [] } });
    expect(plan.files.map(({ kind, places }) => [kind, places])).toEqual([['change', 1]]);
    expect(here.tree()).toEqual({ 'a.ts': '1alpha\n', 'b.ts': 'beta\n', 'lib/c.ts': 'gamma\n' });
  });

  it('prefers documentChanges, whose ranges all mean the text before', async () => {
    await using here = world();
    const a = { uri: here.uri('a.ts'), version: null };
    await here.apply({
      changes: { [here.uri('b.ts')]: [insert('no')] },
      documentChanges: [
        { textDocument: a, edits: [insert('<')] },
        { textDocument: a, edits: [insert('>', 0, 5)] },
      ],
    });
    expect(here.tree()).toMatchObject({ 'a.ts': '<alpha>\n', 'b.ts': 'beta\n' });
  });

  it('creates a file in new folders and edits it in the same breath', async () => {
    await using here = world();
    const plan = await here.apply({
      documentChanges: [
        { kind: 'create', uri: here.uri('new/deep/d.ts') },
        { textDocument: { uri: here.uri('new/deep/d.ts'), version: null }, edits: [insert('delta\n')] },
      ],
    });
    expect(here.tree()).toMatchObject({ 'new/deep/d.ts': 'delta\n' });
    expect(textsAfter(plan).get(here.workspace.file('new/deep/d.ts'))).toBe('delta\n');
    expect(statSync(here.workspace.file('new/deep/d.ts')).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it('renames a file and edits it under its new name', async () => {
    await using here = world();
    chmodSync(here.workspace.file('a.ts'), 0o755);
    const plan = await here.apply({
      documentChanges: [
        { textDocument: { uri: here.uri('a.ts'), version: null }, edits: [insert('one ')] },
        { kind: 'rename', oldUri: here.uri('a.ts'), newUri: here.uri('lib/a2.ts') },
        { textDocument: { uri: here.uri('lib/a2.ts'), version: null }, edits: [insert('two ')] },
      ],
    });
    expect(plan.files).toMatchObject([{ kind: 'rename', places: 2, after: 'two one alpha\n' }]);
    expect(here.tree()).toEqual({ 'b.ts': 'beta\n', 'lib/a2.ts': 'two one alpha\n', 'lib/c.ts': 'gamma\n' });
    expect(statSync(here.workspace.file('lib/a2.ts')).mode & 0o777).toBe(0o755);
  });

  it('swaps two files', async () => {
    await using here = world();
    const [a, b, t] = [here.uri('a.ts'), here.uri('b.ts'), here.uri('t.ts')];
    await here.apply({
      documentChanges: [
        { kind: 'rename', oldUri: a, newUri: t },
        { kind: 'rename', oldUri: b, newUri: a },
        { kind: 'rename', oldUri: t, newUri: b },
      ],
    });
    expect(here.tree()).toMatchObject({ 'a.ts': 'beta\n', 'b.ts': 'alpha\n' });
  });

  it('renames a folder with all that is in it, links and empty folders too', async () => {
    await using here = world();
    mkdirSync(here.workspace.file('lib/empty'));
    symlinkSync('c.ts', here.workspace.file('lib/link.ts'));
    writeFileSync(here.workspace.file('lib/data.bin'), Buffer.from([0, 255, 1]));
    const plan = await here.apply({
      documentChanges: [
        { kind: 'rename', oldUri: here.uri('lib'), newUri: here.uri('src/lib') },
        { textDocument: { uri: here.uri('src/lib/c.ts'), version: null }, edits: [insert('my ')] },
      ],
    });
    expect(plan.files.map(({ kind }) => kind)).toEqual(['rename', 'rename', 'rename']);
    expect(existsSync(here.workspace.file('lib'))).toBe(false);
    expect(here.workspace.read('src/lib/c.ts')).toBe('my gamma\n');
    expect(readlinkSync(here.workspace.file('src/lib/link.ts'))).toBe('c.ts');
    expect(readFileSync(here.workspace.file('src/lib/data.bin'))).toEqual(Buffer.from([0, 255, 1]));
    expect(lstatSync(here.workspace.file('src/lib/empty')).isDirectory()).toBe(true);
  });

  it('deletes files, and folders if told so', async () => {
    await using here = world();
    const lib = { kind: 'delete', uri: here.uri('lib') } as const;
    expect(await here.failure({ documentChanges: [lib] })).toMatchObject({
      kind: 'edit-invalid',
      reason: 'it is to be deleted and is a directory that is not empty',
    });
    await here.apply({
      documentChanges: [
        { kind: 'delete', uri: here.uri('a.ts') },
        { ...lib, options: { recursive: true } },
      ],
    });
    expect(here.tree()).toEqual({ 'b.ts': 'beta\n' });
  });

  it('heeds overwrite, ignoreIfExists and ignoreIfNotExists', async () => {
    await using here = world();
    const [a, b] = [here.uri('a.ts'), here.uri('b.ts')];
    const rename = { kind: 'rename', oldUri: a, newUri: b } as const;
    expect((await here.failure({ documentChanges: [{ kind: 'create', uri: a }] })).kind).toBe('edit-invalid');
    expect((await here.failure({ documentChanges: [rename] })).kind).toBe('edit-invalid');
    expect((await here.failure({ documentChanges: [{ kind: 'delete', uri: here.uri('x') }] })).kind).toBe(
      'edit-invalid',
    );
    const nothing = await here.plan({
      documentChanges: [
        { kind: 'create', uri: a, options: { ignoreIfExists: true } },
        { ...rename, options: { ignoreIfExists: true } },
        { kind: 'delete', uri: here.uri('x'), options: { ignoreIfNotExists: true } },
      ],
    });
    expect(nothing.files).toEqual([]);
    await here.apply({
      documentChanges: [
        { ...rename, options: { overwrite: true, ignoreIfExists: true } },
        { kind: 'create', uri: here.uri('lib/c.ts'), options: { overwrite: true } },
      ],
    });
    expect(here.tree()).toEqual({ 'b.ts': 'alpha\n', 'lib/c.ts': '' });
  });

  it('turns snippets into text and reports what is to be confirmed', async () => {
    await using here = world();
    const { range } = insert('');
    const plan = await here.plan({
      changeAnnotations: {
        sure: {
          label: 'Rename in comments',
          needsConfirmation: true,
          description: 'they may mean other things',
        },
        fine: { label: 'Rename' },
      },
      documentChanges: [
        {
          textDocument: { uri: here.uri('a.ts'), version: null },
          edits: [
            { range, snippet: { kind: 'snippet', value: '$1fn\\$ ' }, annotationId: 'sure' },
            { ...insert('!', 0, 5), annotationId: 'fine' },
          ],
        },
      ],
    });
    expect(plan.files[0]).toMatchObject({ after: 'fn$ alpha!\n', places: 2 });
    expect(plan.confirmations).toEqual([
      { label: 'Rename in comments', description: 'they may mean other things', places: 1 },
    ]);
  });

  it('leaves files out on request and says so', async () => {
    await using here = world();
    const plan = await here.plan(
      { changes: { [here.uri('a.ts')]: [insert('1')], [here.uri('b.ts')]: [insert('1'), insert('2')] } },
      { leaveOut: (file) => file.endsWith('b.ts') },
    );
    expect(plan.files.map(({ path: file }) => path.basename(file))).toEqual(['a.ts']);
    expect(plan.leftOut).toEqual([{ path: here.workspace.file('b.ts'), places: 2 }]);
  });

  it('is refused when its base is another one', async () => {
    await using here = world();
    const edit: WorkspaceEdit = {
      documentChanges: [{ textDocument: { uri: here.uri('a.ts'), version: 3 }, edits: [insert('1')] }],
    };
    const changed = { kind: 'base-changed', path: here.workspace.file('a.ts') };
    expect(await here.failure(edit, { versionOf: () => 4 })).toEqual(changed);
    expect(await here.failure(edit, { baseHash: () => textHash('other') })).toEqual(changed);
    expect(await here.failure(edit, { askedAt: Date.now() - 60_000 })).toEqual(changed);
    await here.plan(edit, {
      versionOf: () => 3,
      baseHash: () => textHash('alpha\n'),
      askedAt: Date.now() + 1000,
    });
  });

  it('is not refused for a file that was written in the millisecond of the question', async () => {
    await using here = world();
    const { ctimeMs } = statSync(here.workspace.file('a.ts'));
    await here.plan({ changes: { [here.uri('a.ts')]: [insert('')] } }, { askedAt: Math.floor(ctimeMs) });
  });

  it.each<{
    readonly what: string;
    readonly edit: (uri: (name: string) => string) => WorkspaceEdit;
    readonly reason: string;
  }>([
    {
      what: 'a file that is not there',
      edit: (uri) => ({ changes: { [uri('x.ts')]: [insert('')] } }),
      reason: 'it does not exist',
    },
    {
      what: 'no file at all',
      edit: () => ({ changes: { 'untitled:1': [insert('')] } }),
      reason: 'it is no file on this disk',
    },
    {
      what: 'a range without numbers',
      edit: (uri) => ({
        changes: { [uri('a.ts')]: [{ range: { start: { line: 0 } } } as unknown as TextEdit] },
      }),
      reason: 'one of its edits has no proper range: {"range":{"start":{"line":0}}}',
    },
    {
      what: 'an unknown operation',
      edit: (uri) => ({ documentChanges: [{ kind: 'copy', uri: uri('a.ts') } as never] }),
      reason: 'its kind is not known',
    },
    {
      what: 'a folder moved into itself',
      edit: (uri) => ({ documentChanges: [{ kind: 'rename', oldUri: uri('lib'), newUri: uri('lib/x') }] }),
      reason: 'it cannot be moved into itself',
    },
    {
      what: 'bytes that are no UTF-8',
      edit: (uri) => ({ changes: { [uri('latin.ts')]: [insert('')] } }),
      reason: 'it is not encoded in UTF-8',
    },
  ])('with $what says so', async ({ edit, reason }) => {
    await using here = world();
    here.workspace.write('latin.ts', Buffer.from([0x63, 0xe9, 0x0a]));
    const failure = await here.failure(edit(here.uri));
    expect(failure.kind).toBe('edit-invalid');
    expect('reason' in failure && failure.reason).toContain(reason);
  });

  it('keeps byte order mark, line ends, mode and the missing last line end', async () => {
    await using here = world('');
    const file = here.workspace.write('w.ts', '\ufeffone\r\ntwo\r\n三');
    chmodSync(file, 0o750);
    await here.apply({ changes: { [here.uri('w.ts')]: [insert('x\ny\n', 1, 0), insert('!', 2, 1)] } });
    expect(readFileSync(file, 'utf8')).toBe('\ufeffone\r\nx\r\ny\r\ntwo\r\n三!');
    expect(statSync(file).mode & 0o777).toBe(0o750);
  });
});

describe('the boundary', () => {
  const edits = (uri: string): WorkspaceEdit => ({ changes: { [uri]: [insert('x')] } });

  it('is the roots, also for links that lead out of them', async () => {
    await using here = world();
    const { workspace } = here;
    writeFileSync(path.join(workspace.scratch, 'out.ts'), 'out\n');
    symlinkSync(path.join(workspace.scratch, 'out.ts'), workspace.file('link.ts'));
    symlinkSync(workspace.scratch, workspace.file('dir'));
    symlinkSync(path.join(workspace.scratch, 'nothing'), workspace.file('broken.ts'));
    symlinkSync(workspace.file('nothing'), workspace.file('dangling.ts'));
    const out = await here.failure(edits(pathToUri(workspace.scratch)));
    expect(out.kind).toBe('outside-roots');
    for (const name of ['link.ts', 'dir/out.ts', 'dir/new.ts'])
      expect(await here.failure(edits(here.uri(name)))).toMatchObject({
        kind: 'write-refused',
        reason: expect.stringContaining('leads out of the workspace roots'),
      });
    for (const name of ['broken.ts', 'dangling.ts'])
      expect(await here.failure(edits(here.uri(name)))).toMatchObject({ kind: 'write-refused' });
    expect(
      await here.failure({ documentChanges: [{ kind: 'create', uri: here.uri('dir/new.ts') }] }),
    ).toMatchObject({ kind: 'write-refused' });
  });

  it('keeps git’s files, ours and the roots themselves', async () => {
    await using workspace = createWorkspace(THREE);
    const boundary = new WriteBoundary({
      roots: [workspace.root],
      ours: [workspace.stateDir, workspace.file('agent.json')],
    });
    workspace.write('.git/config', 'x');
    workspace.write('sub/.git', 'gitdir: elsewhere');
    const refused = (name: string) => {
      try {
        boundary.textAt(workspace.file(name));
      } catch (error) {
        return failureOf(error);
      }
      return undefined;
    };
    for (const name of ['.git/config', 'sub/.git', '.GIT/hooks/x', 'sub/.git/new'])
      expect(refused(name)).toMatchObject({ kind: 'write-refused', reason: 'it belongs to git' });
    expect(refused('agent.json')).toMatchObject({ kind: 'write-refused' });
    expect(refused('.github/x.yml')).toBeUndefined();
    expect(refused('.gitignore')).toBeUndefined();
    expect(() => boundary.nameAt(workspace.root)).toThrow('root of the workspace');
    await expect(
      planWorkspaceEdit(
        {
          documentChanges: [
            {
              kind: 'rename',
              oldUri: pathToUri(workspace.file('sub')),
              newUri: pathToUri(workspace.file('moved')),
            },
          ],
        },
        { boundary, encoding: 'utf-16' },
      ),
    ).rejects.toThrow('it belongs to git');
  });

  it('is looked at again when a plan is applied', async () => {
    await using here = world();
    const plan = await here.plan(edits(here.uri('lib/c.ts')));
    here.workspace.remove('lib');
    symlinkSync(here.workspace.scratch, here.workspace.file('lib'));
    writeFileSync(path.join(here.workspace.scratch, 'c.ts'), 'gamma\n');
    await expect(
      applyPlan(plan, { boundary: here.boundary, stateDir: here.workspace.stateDir }),
    ).rejects.toThrow('has become a symbolic link');
    expect(readFileSync(path.join(here.workspace.scratch, 'c.ts'), 'utf8')).toBe('gamma\n');
  });

  it('lets a link inside the roots be written through, and stay a link', async () => {
    await using here = world();
    symlinkSync('lib/c.ts', here.workspace.file('link.ts'));
    await here.apply(edits(here.uri('link.ts')));
    expect(readlinkSync(here.workspace.file('link.ts'))).toBe('lib/c.ts');
    expect(here.workspace.read('lib/c.ts')).toBe('xgamma\n');
  });
});

/** Every file below a directory with its text. */
function treeOf(directory: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = path.join(directory, name);
    const stat = lstatSync(file);
    if (stat.isFile()) found[name] = readFileSync(file, 'utf8');
    else if (stat.isSymbolicLink()) found[name] = `-> ${readlinkSync(file)}`;
  }
  return found;
}
