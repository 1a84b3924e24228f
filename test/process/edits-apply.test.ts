/** Edits are all or nothing: with processes that are killed, disks that fail, and others who write in between. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import { applyPlan } from '../../src/frontend/features/edits/apply/apply-plan.ts';
import type { EditDisk } from '../../src/frontend/features/edits/apply/edit-disk.ts';
import { recoverEdits } from '../../src/frontend/features/edits/apply/recover-edits.ts';
import type { EditPlan } from '../../src/frontend/features/edits/plan/edit-plan.ts';
import { planWorkspaceEdit } from '../../src/frontend/features/edits/plan/workspace-edit.ts';
import { WriteBoundary } from '../../src/frontend/features/edits/plan/write-boundary.ts';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import {
  type DifferingFile,
  type Failure,
  type FilesLeft,
  failureOf,
} from '../../src/shared/base/failure.ts';
import { absolutePath, pathToUri } from '../../src/shared/base/paths.ts';
import { type ProcessTable, systemProcessTable } from '../../src/shared/process/process-identity.ts';
import { type BuiltEntry, buildEntry } from '../support/broker-world.ts';
import { interruptedDisk, systemError } from '../support/interrupted-disk.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

let entry: BuiltEntry;
beforeAll(async () => {
  entry = await buildEntry({ name: 'edit-entry' });
});
afterAll(() => entry[Symbol.dispose]());

type Tree = Record<string, string>;
type Ending = { readonly at: number; readonly how: 'kill' | 'tear' | 'stop' };

interface EditWorld extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly boundary: WriteBoundary;
  readonly stateDir: AbsPath;
  readonly edit: WorkspaceEdit;
  plan(): Promise<EditPlan>;
  apply(disk?: EditDisk, plan?: EditPlan): Promise<'applied' | Failure>;
  tree(): Tree;
  /** Journals, claims and temporary files that are still there. */
  leftovers(): readonly string[];
  /** Puts the tree back to how it was. */
  reset(): void;
  /** Applies in a process of its own that ends so. */
  child(end: Ending): { readonly exit: Promise<string>; readonly said: Promise<string>; kill(): void };
}

/** Every kind of change at once, over three files and a folder that goes. */
function smallEdit(uri: (name: string) => string): WorkspaceEdit {
  const whole = { start: { line: 0, character: 0 }, end: { line: 0, character: 99 } };
  return {
    documentChanges: [
      { textDocument: { uri: uri('a.ts'), version: null }, edits: [{ range: whole, newText: 'new a' }] },
      { kind: 'create', uri: uri('made/deep/d.ts') },
      {
        textDocument: { uri: uri('made/deep/d.ts'), version: null },
        edits: [{ range: whole, newText: 'new d' }],
      },
      { kind: 'rename', oldUri: uri('b.ts'), newUri: uri('made/b.ts') },
      { kind: 'delete', uri: uri('gone'), options: { recursive: true } },
    ],
  };
}
const SMALL: Tree = { 'a.ts': 'old a\n', 'b.ts': 'old b\n', 'gone/c.ts': 'old c\n' };

/** Many files in ten folders, as a rename changes them. */
function manyFiles(count: number): Tree {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `src/m${index % 10}/f${index}.ts`,
      `old ${index}\nold again\n`,
    ]),
  );
}
const LARGE = manyFiles(200);
const MEDIUM = manyFiles(40);

function renameIn(files: Tree): (uri: (name: string) => string) => WorkspaceEdit {
  const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 3 } });
  const edits = [0, 1].map((line) => ({ range: range(line), newText: 'new' }));
  return (uri) => ({ changes: Object.fromEntries(Object.keys(files).map((name) => [uri(name), edits])) });
}

function editWorld(
  files: Tree,
  editOf: (uri: (name: string) => string) => WorkspaceEdit,
  root?: string,
): EditWorld {
  const workspace = createWorkspace();
  const { stateDir } = workspace;
  const place = absolutePath(root ?? workspace.root);
  const boundary = new WriteBoundary({ roots: [place], ours: [stateDir] });
  const edit = editOf((name) => pathToUri(absolutePath(name, place)));
  const reset = () => {
    for (const name of readdirSync(place)) rmSync(path.join(place, name), { recursive: true, force: true });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
      writeFileSync(path.join(place, name), text);
    }
  };
  reset();
  const plan = () => planWorkspaceEdit(edit, { boundary, encoding: 'utf-16' });
  return {
    workspace,
    boundary,
    stateDir,
    edit,
    plan,
    reset,
    async apply(disk, given) {
      try {
        const options = disk ? { boundary, stateDir, disk } : { boundary, stateDir };
        await applyPlan(given ?? (await plan()), options);
        return 'applied';
      } catch (error) {
        return failureOf(error) ?? expect.unreachable(String(error));
      }
    },
    tree: () => treeOf(place),
    leftovers: () => {
      const edits = path.join(stateDir, 'edits');
      const journals = existsSync(edits) ? readdirSync(edits) : [];
      const all = readdirSync(place, { recursive: true, encoding: 'utf8' });
      return [...journals, ...all.filter((name) => path.basename(name).startsWith('.agent-lsp-'))];
    },
    child(end) {
      const child = spawn(process.execPath, [entry.script], {
        env: workspace.env(),
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child.stdin.end(JSON.stringify({ root: place, stateDir, edit, end }));
      let [said, stderr] = ['', ''];
      child.stderr.on('data', (chunk) => (stderr += String(chunk)));
      const exit = new Promise<string>((resolve) => {
        child.once('close', (code, signal) => resolve(signal ?? (code === 0 ? said.trim() : stderr)));
      });
      const line = new Promise<string>((resolve) => {
        child.stdout.on('data', (chunk) => {
          said += String(chunk);
          resolve(said);
        });
        child.once('close', () => resolve(stderr));
      });
      return { exit, said: line, kill: () => void child.kill('SIGKILL') };
    },
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}

/** What the small and the large edit lead to. */
const SMALL_AFTER: Tree = { 'a.ts': 'new a\n', 'made/b.ts': 'old b\n', 'made/deep/d.ts': 'new d' };
const LARGE_AFTER: Tree = Object.fromEntries(
  Object.entries(LARGE).map(([name, text]) => [name, text.replaceAll('old', 'new')]),
);

/** All processes that wrote something are gone. */
const NOBODY: ProcessTable = { ...systemProcessTable(), find: () => ({ kind: 'gone' }) };

async function operationsOf(world: EditWorld): Promise<number> {
  let count = 0;
  const disk = interruptedDisk(({ number }) => {
    count = number;
  });
  expect(await world.apply(disk)).toBe('applied');
  world.reset();
  return count;
}

const killEvery = process.env.AGENT_LSP_KILL_EVERY === '1';

describe('an edit whose process is killed', () => {
  it('at any operation of a small edit is all old or all new after the next start', async () => {
    await using world = editWorld(SMALL, smallEdit);
    const operations = await operationsOf(world);
    const seen = { old: 0, new: 0 };
    for (let at = 1; at <= operations; at++) {
      for (const how of at % 3 === 0 || killEvery ? (['kill', 'tear'] as const) : (['kill'] as const)) {
        expect(await world.child({ at, how }).exit).toBe('SIGKILL');
        await recoverEdits(world.stateDir);
        const tree = world.tree();
        const isNew = 'made/b.ts' in tree;
        expect(tree, `${how} at operation ${at}`).toEqual(isNew ? SMALL_AFTER : SMALL);
        expect(world.leftovers(), `${how} at operation ${at}`).toEqual([]);
        seen[isNew ? 'new' : 'old']++;
        world.reset();
      }
    }
    expect(seen.old).toBeGreaterThan(10);
    expect(seen.new).toBeGreaterThan(3);
  }, 300_000);

  it('in the middle of 200 files is all old or all new after the next start', async () => {
    await using world = editWorld(LARGE, renameIn(LARGE));
    const operations = await operationsOf(world);
    const samples = killEvery ? operations : 8;
    for (let sample = 0; sample < samples; sample++) {
      const at = 1 + Math.floor((sample * (operations - 1)) / (samples - 1));
      expect(await world.child({ at, how: 'kill' }).exit).toBe('SIGKILL');
      await recoverEdits(world.stateDir);
      const tree = world.tree();
      const isNew = tree['src/m0/f0.ts']?.startsWith('new') ?? false;
      expect(tree, `killed at operation ${at}`).toEqual(isNew ? LARGE_AFTER : LARGE);
      expect(world.leftovers(), `killed at operation ${at}`).toEqual([]);
      world.reset();
    }
  }, 3_600_000);

  it('is also taken back when those who take it back are killed, one after the other', async () => {
    await using world = editWorld(SMALL, smallEdit);
    const operations = await operationsOf(world);
    for (const at of [Math.floor(operations / 3), Math.floor(operations / 2), Math.floor(operations * 0.6)]) {
      expect(await world.child({ at, how: 'kill' }).exit).toBe('SIGKILL');
      for (let step = 1; step < 12; step++) await frozenRecovery(world, step);
      await recoverEdits(world.stateDir, { table: NOBODY });
      expect(world.tree()).toEqual(SMALL);
      expect(world.leftovers()).toEqual([]);
    }
  });

  it('is taken back by the next edit, before anything else', async () => {
    await using world = editWorld(SMALL, smallEdit);
    const plan = await world.plan();
    expect(await world.child({ at: 24, how: 'kill' }).exit).toBe('SIGKILL');
    expect(world.leftovers()).not.toEqual([]);
    const { boundary, stateDir } = world;
    const { recovered } = await applyPlan(plan, { boundary, stateDir });
    expect(recovered.map(({ kind }) => kind)).toEqual(['taken-back']);
    expect(world.tree()).toEqual(SMALL_AFTER);
  });

  it('is left alone while its process lives, and others do not edit the same files', async () => {
    await using world = editWorld(SMALL, smallEdit);
    const plan = await world.plan();
    const child = world.child({ at: 24, how: 'stop' });
    expect(await child.said).toMatch(/^stopped at/);
    const before = world.tree();
    expect(await recoverEdits(world.stateDir)).toEqual([]);
    expect(world.tree()).toEqual(before);
    const other = await world.apply(undefined, plan);
    expect(other).toMatchObject({ kind: expect.stringMatching(/^(edit-not-applied|base-changed)$/) });
    expect(world.tree()).toEqual(before);
    child.kill();
    expect(await child.exit).toBe('SIGKILL');
    expect((await recoverEdits(world.stateDir)).map(({ kind }) => kind)).toEqual(['taken-back']);
    expect(world.tree()).toEqual(SMALL);
  });

  it('is taken back once, though several find it at the same time', async () => {
    await using world = editWorld(MEDIUM, renameIn(MEDIUM));
    const operations = await operationsOf(world);
    expect(await world.child({ at: Math.floor(operations / 2), how: 'kill' }).exit).toBe('SIGKILL');
    const all = await Promise.all(Array.from({ length: 8 }, () => recoverEdits(world.stateDir)));
    expect(all.flat().map(({ kind }) => kind)).toEqual(['taken-back']);
    expect(world.tree()).toEqual(MEDIUM);
    expect(world.leftovers()).toEqual([]);
  });

  it('leaves what others changed meanwhile, and says so', async () => {
    await using world = editWorld(MEDIUM, renameIn(MEDIUM));
    const operations = await operationsOf(world);
    // Late enough for renames to have happened, early enough for some to be missing.
    expect(await world.child({ at: Math.floor(operations / 2), how: 'kill' }).exit).toBe('SIGKILL');
    const changed = Object.entries(world.tree()).filter(([, text]) => text.startsWith('new'));
    const [name = ''] = changed[3] ?? expect.unreachable('nothing was renamed yet');
    const [removed = ''] = changed[4] ?? expect.unreachable();
    world.workspace.write(name, 'theirs\n');
    world.workspace.remove(removed);
    const [recovery, ...others] = await recoverEdits(world.stateDir);
    expect(others).toEqual([]);
    if (recovery?.kind !== 'taken-back') return expect.unreachable(JSON.stringify(recovery));
    expect(recovery.foreign.map(({ path: file, what }) => [file, what]).sort()).toEqual(
      [
        [world.workspace.file(name), 'it was changed by others'],
        [world.workspace.file(removed), 'it was removed by others'],
      ].sort(),
    );
    for (const { path: file, kept } of recovery.foreign)
      expect(readFileSync(kept?.kept ?? '', 'utf8')).toBe(MEDIUM[path.relative(world.workspace.root, file)]);
    expect(recovery.kept).toEqual(recovery.foreign.map(({ kept }) => kept));
    const { [removed]: _gone, ...rest } = MEDIUM;
    expect(world.tree()).toEqual({ ...rest, [name]: 'theirs\n' });
  });
});

/** A recovery whose process gets only so far, as if it were killed there. */
async function frozenRecovery(world: EditWorld, step: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const disk = interruptedDisk(({ number }) => {
      if (number < step) return undefined;
      resolve();
      return new Promise<never>(() => {});
    });
    void recoverEdits(world.stateDir, { disk, table: NOBODY }).then(() => resolve());
  });
}

/** Said only of files that were not written, or were compared afterwards. */
const asBefore: Pick<FilesLeft, 'state'> = expect.toSatisfy(
  (left: FilesLeft) =>
    left.state === 'untouched' || (left.differing.length === 0 && (left.kept ?? []).length === 0),
);

describe('an edit that fails', () => {
  it.each(['ENOSPC', 'EIO', 'EACCES'])(
    'with %s at any operation leaves all old, or was complete',
    async (code) => {
      await using world = editWorld(SMALL, smallEdit);
      const operations = await operationsOf(world);
      for (let at = 1; at <= operations; at++) {
        const disk = interruptedDisk(({ number, file }) => {
          if (number === at) throw systemError(code, file);
        });
        const outcome = await world.apply(disk);
        if (outcome !== 'applied')
          expect(outcome, `failed at ${at}`).toMatchObject({
            kind: 'edit-not-applied',
            left: asBefore,
          });
        expect(world.tree(), `failed at ${at}`).toEqual(outcome === 'applied' ? SMALL_AFTER : SMALL);
        // What could not be removed then is removed by the next one.
        await recoverEdits(world.stateDir, { table: NOBODY });
        expect(world.leftovers(), `failed at ${at}`).toEqual([]);
        world.reset();
      }
    },
  );

  it('on a disk that stays broken is put right once the disk is', async () => {
    await using world = editWorld(SMALL, smallEdit);
    const operations = await operationsOf(world);
    for (let from = 1; from <= operations; from++) {
      const disk = interruptedDisk(({ number, file }) => {
        if (number >= from) throw systemError('EIO', file);
      });
      const outcome = await world.apply(disk);
      await recoverEdits(world.stateDir, { table: NOBODY });
      expect(world.tree(), `broken from ${from}`).toEqual(outcome === 'applied' ? SMALL_AFTER : SMALL);
      expect(world.leftovers(), `broken from ${from}`).toEqual([]);
      world.reset();
    }
  });

  it('says so when not everything could be put back', async () => {
    await using world = editWorld(MEDIUM, renameIn(MEDIUM));
    let broken = 0;
    const disk = interruptedDisk(({ name, file }) => {
      // The twentieth file cannot be replaced, and from then on nothing can.
      if (name === 'rename' && file.includes('/src/')) broken++;
      if (broken >= 20 && file.includes('/src/')) throw systemError('EIO', file);
    });
    const outcome = await world.apply(disk);
    const differing = Object.entries(world.tree()).flatMap(([name, text]) =>
      text === MEDIUM[name] ? [] : [{ path: world.workspace.file(name), holds: 'edit' }],
    );
    expect(differing).toHaveLength(19);
    expect(outcome).toMatchObject({
      kind: 'edit-not-applied',
      left: {
        state: 'compared',
        files: 40,
        differing: expect.toSatisfy(sameFiles(differing)),
        isUnfinished: true,
      },
    });
    // Its process has given up on it, so that it need not be gone.
    expect((await recoverEdits(world.stateDir)).map(({ kind }) => kind)).toEqual(['taken-back']);
    expect(world.tree()).toEqual(MEDIUM);
    expect(world.leftovers()).toEqual([]);
  });

  it('because a file in the middle is read-only names it and writes nothing', async () => {
    await using world = editWorld(MEDIUM, renameIn(MEDIUM));
    chmodSync(world.workspace.file('src/m7/f37.ts'), 0o444);
    expect(await world.apply()).toEqual({
      kind: 'write-refused',
      path: world.workspace.file('src/m7/f37.ts'),
      reason: 'the file is read-only; make it writable first',
    });
    expect(world.tree()).toEqual(MEDIUM);
    expect(world.leftovers()).toEqual([]);
  });

  it('because a directory in the middle is read-only names a file in it and writes nothing', async () => {
    await using world = editWorld(MEDIUM, renameIn(MEDIUM));
    const directory = world.workspace.file('src/m5');
    const isRoot = process.getuid?.() === 0;
    // Nothing is read-only for root, so the system's refusal is imitated.
    const disk = interruptedDisk(({ name, file }) => {
      if (isRoot && name !== 'sync' && path.dirname(file) === directory) throw systemError('EACCES', file);
    });
    if (!isRoot) chmodSync(directory, 0o555);
    const outcome = await world.apply(disk);
    if (!isRoot) chmodSync(directory, 0o755);
    expect(outcome).toMatchObject({
      kind: 'edit-not-applied',
      path: expect.stringContaining('src/m5/'),
      reason: 'permission denied; check who may write to its directory (EACCES)',
    });
    expect(world.tree()).toEqual(MEDIUM);
  });

  const small = smallDisk();
  it.skipIf(small.kind === 'missing')(
    `because the disk is really full leaves all old${small.kind === 'missing' ? ` (skipped: ${small.reason})` : ''}`,
    async () => {
      using place = mountedSmall();
      const padding = 'x'.repeat(2_000);
      const files = Object.fromEntries(
        Object.entries(manyFiles(60)).map(([name, text]) => [name, `${text}${padding}`]),
      );
      await using world = editWorld(files, renameIn(files), place.directory);
      expect(await world.apply()).toMatchObject({
        kind: 'edit-not-applied',
        reason: 'the disk is full (ENOSPC)',
        left: { state: 'untouched' },
      });
      expect(world.tree()).toEqual(files);
      expect(world.leftovers()).toEqual([]);
    },
  );
});

describe('a file that others change', () => {
  it('since the edit was computed refuses it and is named', async () => {
    await using world = editWorld(MEDIUM, renameIn(MEDIUM));
    const plan = await world.plan();
    world.workspace.write('src/m3/f33.ts', 'theirs\n');
    expect(await world.apply(undefined, plan)).toEqual({
      kind: 'base-changed',
      path: world.workspace.file('src/m3/f33.ts'),
    });
    expect(world.tree()).toEqual({ ...MEDIUM, 'src/m3/f33.ts': 'theirs\n' });
    expect(world.leftovers()).toEqual([]);
  });

  const victim = 'src/m3/f33.ts';
  it.each<{ readonly how: string; readonly change: (file: string) => void }>([
    { how: 'in place', change: (file) => writeFileSync(file, 'theirs\n') },
    {
      how: 'by putting another in its place',
      change: (file) => {
        writeFileSync(`${file}~`, 'theirs\n');
        renameSync(`${file}~`, file);
      },
    },
    { how: 'by removing it', change: (file) => rmSync(file) },
  ])('$how while it is applied refuses it as well', async ({ how, change }) => {
    for (const moment of ['after staging', 'among the renames']) {
      await using world = editWorld(MEDIUM, renameIn(MEDIUM));
      let renames = 0;
      const disk = interruptedDisk(({ name, file }) => {
        if (name !== 'rename' || !file.includes('/src/')) return;
        renames++;
        if (renames === (moment === 'after staging' ? 1 : 10)) change(world.workspace.file(victim));
      });
      const file = world.workspace.file(victim);
      const holds = how === 'by removing it' ? 'nothing' : 'others';
      expect(await world.apply(disk)).toEqual({
        kind: 'base-changed',
        path: file,
        left: {
          state: 'compared',
          files: 40,
          differing: [{ path: file, holds }],
          kept: [],
          isUnfinished: false,
        },
      });
      const { [victim]: _own, ...rest } = MEDIUM;
      const { [victim]: found, ...others } = world.tree();
      expect(others).toEqual(rest);
      expect(found).toBe(existsSync(world.workspace.file(victim)) ? 'theirs\n' : undefined);
      expect(world.leftovers().filter((name) => !name.startsWith('kept-'))).toEqual([]);
    }
  });

  it('after it was written keeps what they wrote, should the edit fail later, and is named', async () => {
    await using world = editWorld(MEDIUM, renameIn(MEDIUM));
    const first = world.workspace.file('src/m0/f0.ts');
    let renames = 0;
    const disk = interruptedDisk(({ name, file }) => {
      if (name !== 'rename' || !file.includes('/src/')) return;
      renames++;
      if (renames !== 30) return;
      writeFileSync(first, 'theirs\n');
      throw systemError('EIO', file);
    });
    const outcome = await world.apply(disk);
    const kept = expect.stringContaining(path.join(world.stateDir, 'edits', 'kept-'));
    expect(outcome).toMatchObject({
      kind: 'edit-not-applied',
      left: {
        differing: [{ path: first, holds: 'others' }],
        kept: [{ path: first, kept, what: 'before' }],
        isUnfinished: false,
      },
    });
    expect(world.tree()).toEqual({ ...MEDIUM, 'src/m0/f0.ts': 'theirs\n' });
  });

  it('is never written by two edits at once', async () => {
    await using world = editWorld(SMALL, smallEdit);
    const plan = await world.plan();
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => world.apply(undefined, plan)));
    const applied = outcomes.filter((outcome) => outcome === 'applied').length;
    expect(applied).toBeLessThanOrEqual(1);
    expect(world.tree()).toEqual(applied === 1 ? SMALL_AFTER : SMALL);
    expect(world.leftovers()).toEqual([]);
  });

  it('under a second name keeps it with the old text, which is said', async () => {
    await using world = editWorld(SMALL, smallEdit);
    const other = world.workspace.file('other.ts');
    spawnSync('ln', [world.workspace.file('a.ts'), other]);
    const { unlinked } = await applyPlan(await world.plan(), world);
    expect(unlinked).toEqual([world.workspace.file('a.ts')]);
    expect(readFileSync(other, 'utf8')).toBe('old a\n');
    expect(lstatSync(other).nlink).toBe(1);
  });
});

function sameFiles(expected: readonly unknown[]): (found: readonly DifferingFile[]) => boolean {
  const sorted = (files: readonly unknown[]) => files.map((each) => JSON.stringify(each)).sort();
  return (found) => sorted(found).join() === sorted(expected).join();
}

function treeOf(directory: string): Tree {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const isFile = (name: string) =>
    !path.basename(name).startsWith('.agent-lsp-') && lstatSync(path.join(directory, name)).isFile();
  return Object.fromEntries(
    names.filter(isFile).map((name) => [name, readFileSync(path.join(directory, name), 'utf8')]),
  );
}

/** A file system of 256 KB can be mounted by root only, and not in every container. */
function mountedSmall(): { readonly directory: string } & Disposable {
  const workspace = createWorkspace();
  const directory = path.join(workspace.scratch, 'small');
  mkdirSync(directory);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', directory], {
    encoding: 'utf8',
  });
  const release = () => {
    if (mounted.status === 0) spawnSync('umount', [directory]);
    rmSync(path.dirname(workspace.root), { recursive: true, force: true });
  };
  if (mounted.status === 0) return { directory, [Symbol.dispose]: release };
  release();
  throw new Error(mounted.error?.message ?? mounted.stderr.trim());
}

function smallDisk(): { kind: 'found' } | { kind: 'missing'; reason: string } {
  try {
    using _place = mountedSmall();
    return { kind: 'found' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`skipped: an edit on a disk that is really full: ${reason}\n`);
    return { kind: 'missing', reason };
  }
}
