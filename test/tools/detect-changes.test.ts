/** Changes in real repositories, with the fake server for the symbols in them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { processesOfTest } from '../support/processes.ts';
import { describeWith } from '../support/requirements.ts';
import { type FakeSession, fakeSession } from './fake-session.ts';

const CODE = `
//- lib/shop.fake
export function sell() {
  pay();
}
export function pay() {
  one;
}
export class Till {
  open() {
    one;
  }
  shut() {
    one;
  }
}
//- lib/near.fake
function nearby() {
  pay();
}
//- app/far.fake
function distant() {
  sell();
}
//- test/shop.test.fake
function testSell() {
  sell();
}
//- README.md
text
`;

describeWith('git', 'detect_changes', ({ git }) => {
  let session: FakeSession;
  const run = (...args: readonly string[]) =>
    execFileSync(git, ['-c', 'user.name=n', '-c', 'user.email=e@x', '-c', 'commit.gpgsign=false', ...args], {
      cwd: session.workspace.root,
      env: session.workspace.env(),
      encoding: 'utf8',
    });
  const edit = (file: string, from: string, to: string) =>
    session.workspace.write(file, session.workspace.read(file).replace(from, to));
  const detect = async (args: Readonly<Record<string, unknown>> = {}) =>
    (await session.call('detect_changes', args)).json as Data;
  const risks = ({ changed_symbols }: Data) =>
    changed_symbols.map(({ name, risk }) => `${name} ${risk}`).sort();
  const names = (files: readonly string[]) =>
    files.map((file) => path.relative(session.workspace.root, file)).sort();

  beforeAll(async () => {
    session = await fakeSession(CODE, { args: ['--output', 'json'] });
    run('init', '-q', '-b', 'main');
  });
  afterAll(() => session?.[Symbol.asyncDispose]());

  it('takes every file of a repository without commits for new', async () => {
    const data = await detect();
    expect(names(data.changed_files)).toEqual([
      'README.md',
      'app/far.fake',
      'lib/near.fake',
      'lib/shop.fake',
      'test/shop.test.fake',
    ]);
    expect(risks(data)).toContain('sell high');
    const { isError, text } = await session.call('detect_changes', { scope: 'committed' });
    expect(isError).toBe(true);
    expect(text).toContain('the repository has no commit yet');
  });

  it('compares the first commit with nothing', async () => {
    run('add', '.');
    run('commit', '-qm', 'first');
    expect((await detect()).summary).toBe('No changes (unstaged)');
    const first = await detect({ scope: 'committed' });
    expect(first.changed_files).toHaveLength(5);
    expect(risks(first)).toEqual([
      'Till low',
      'Till.open low',
      'Till.shut low',
      'distant low',
      'nearby low',
      'pay medium',
      'sell high',
      'testSell low',
    ]);
  });

  it('counts only symbols whose lines are touched, and what is new', async () => {
    edit('lib/shop.fake', '  open() {\n    one;', '  open() {\n    two;');
    edit('lib/shop.fake', '  pay();\n', '');
    edit('README.md', 'text', 'texts');
    session.workspace.write('app/später "x".fake', 'function fresh() {\n}\n');
    session.workspace.write('app/.cache/server/index.fake', 'function kept() {\n}\n');
    // Installed, and git was not told to ignore it.
    session.workspace.write('node_modules/far/index.fake', 'function installed() {\n}\n');
    const { json, text } = await session.call('detect_changes');
    const data = json as Data;
    expect(text).toContain('untracked files not looked at: 1 in node_modules/; pass include_hidden:true');
    expect((await detect({ include_hidden: true })).changed_files).toHaveLength(4);
    rmSync(session.workspace.file('node_modules'), { recursive: true });
    expect(names(data.changed_files)).toEqual(['README.md', 'app/später "x".fake', 'lib/shop.fake'].sort());
    expect(risks(data)).toEqual(['Till.open low', 'fresh low', 'sell high']);
    expect(data.scope).toBe('unstaged');
    expect(data.affected_symbols[0]).toMatchObject({
      name: 'sell',
      non_test_callers: [{ name: 'distant' }],
      test_callers: [{ name: 'testSell' }],
    });
  });

  it('tells what is staged from what is not, in the lines that are on disk now', async () => {
    run('add', 'lib/shop.fake');
    edit('lib/shop.fake', 'export function sell', '\n\n\n\n\nexport function sell');
    expect(risks(await detect({ scope: 'staged' }))).toEqual(['Till.open low', 'sell high']);
    expect(names((await detect({ scope: 'staged' })).changed_files)).toEqual(['lib/shop.fake']);
    expect(risks(await detect())).toEqual(['fresh low']);
    expect(risks(await detect({ scope: 'all' }))).toEqual(['Till.open low', 'fresh low', 'sell high']);
  });

  it('lists renamed and deleted files', async () => {
    run('add', '.');
    run('commit', '-qm', 'second');
    mkdirSync(session.workspace.file('moved'));
    renameSync(session.workspace.file('lib/near.fake'), session.workspace.file('moved/near.fake'));
    rmSync(session.workspace.file('README.md'));
    run('add', '-A');
    const data = await detect({ scope: 'staged' });
    expect(data.renamed_files).toEqual([
      { from: session.workspace.file('lib/near.fake'), to: session.workspace.file('moved/near.fake') },
    ]);
    expect(names(data.deleted_files)).toEqual(['README.md']);
    expect(data.changed_symbols).toEqual([]);
    run('commit', '-qm', 'third');
  });

  it('understands ranges as git does, and refuses what is none', async () => {
    run('checkout', '-q', '-b', 'side', 'HEAD~2');
    edit('lib/shop.fake', '  shut() {\n    one;', '  shut() {\n    three;');
    run('commit', '-qam', 'side');
    expect(risks(await detect({ range: 'main...side' }))).toEqual(['Till.shut low']);
    expect(risks(await detect({ range: 'side' }))).toEqual(['Till.shut low']);
    expect(names((await detect({ range: 'main..side' })).changed_files)).toEqual([
      'README.md',
      'lib/near.fake',
      'lib/shop.fake',
    ]);
    for (const range of ['--output=/tmp/x', '..--all', 'nowhere', 'main..nowhere', 'a b']) {
      const { isError, text } = await session.call('detect_changes', { range });
      expect(isError).toBe(true);
      expect(text).toMatch(/no commit of this repository|begins with a dash/);
    }
    const mixed = await session.call('detect_changes', { scope: 'staged', range: 'main' });
    expect(mixed.text).toContain('range does not go with scope');
  });

  it('reads paths from the top of the repository, also in a part of it and in a worktree', async () => {
    edit('lib/shop.fake', 'export function pay() {\n  one;', 'export function pay() {\n  six;');
    edit('app/far.fake', 'sell();', 'sell( );');
    const part = await session.call('detect_changes', { workspace_root: 'lib' });
    expect(names((part.json as Data).changed_files)).toEqual(['lib/shop.fake']);
    expect(part.text).toContain('1 changed file of the repository outside');
    run('worktree', 'add', '-q', 'tree', 'main');
    session.workspace.write(
      'tree/lib/shop.fake',
      `${session.workspace.read('tree/lib/shop.fake')}function tail() {\n}\n`,
    );
    const tree = await detect({ workspace_root: 'tree' });
    expect(names(tree.changed_files)).toEqual(['tree/lib/shop.fake']);
    expect(tree.changed_symbols.map(({ name }) => name)).toEqual(['tail']);
  });
});

describeWith('git', 'detect_changes as text', ({ git }) => {
  it('says risk, files and what to do next', async () => {
    await using session = await fakeSession(CODE);
    const { root } = session.workspace;
    const options = { cwd: root, env: session.workspace.env() };
    const none = await session.call('detect_changes');
    expect(none.isError).toBe(true);
    expect(none.text).toMatch(/is in no git repository.* Pass workspace_root inside a repository/);
    execFileSync(git, ['init', '-q'], options);
    execFileSync(git, ['add', '.'], options);
    expect((await session.ask('detect_changes')).split('\n')).toEqual([
      `No changes (unstaged); root ${root}`,
      'next: scope:"all" has what is staged, too',
    ]);
    session.workspace.write('README.md', 'other\n');
    // Prose has no server to ask.
    expect(await session.ask('detect_changes')).not.toContain('next: ');
    session.workspace.remove('README.md');
    session.workspace.write(
      'test/shop.test.fake',
      `${session.workspace.read('test/shop.test.fake')}\n\nfunction late() {\n}\n`,
    );
    expect(await session.ask('detect_changes')).toContain('\nnext: get_diagnostics test/shop.test.fake');
    execFileSync(git, ['checkout', '-q', '.'], options);
    session.workspace.write('lib/shop.fake', session.workspace.read('lib/shop.fake').replace('one;', 'two;'));
    expect((await session.ask('detect_changes')).split('\n')).toEqual([
      `1 changed symbol in 1 changed file (unstaged): 1 caller in 1 other file, 1 in their own file, no tests; 3 of 3 occurrences accounted for; fake-lsp ready, complete; root ${root}`,
      '  pay function 4:17: 1 caller: lib/near.fake (nearby); own file: sell; no tests',
      'no test file refers to: pay',
      'risk: 1 medium',
      'changed files: lib/shop.fake',
      'next: find_references lib/shop.fake pay shows the call sites',
    ]);
  });
});

describeWith('git', 'detect_changes of what is no ordinary source', ({ git }) => {
  it('does not fail for lock files, and tells them from code', async () => {
    await using session = await fakeSession(
      '//- a.fake\nfunction left() { one; }\n//- package-lock.json\n{}\n//- pnpm-lock.yaml\na: 1\n',
    );
    const options = { cwd: session.workspace.root, env: session.workspace.env() };
    execFileSync(git, ['init', '-q'], options);
    execFileSync(git, ['add', '.'], options);
    session.workspace.write('package-lock.json', '{ "a": 1 }\n');
    session.workspace.write('pnpm-lock.yaml', 'a: 2\n');
    const locks = await session.ask('detect_changes');
    expect(locks).toMatch(/^No changed symbols in 2 changed files \(unstaged\); root /);
    expect(locks).toContain('changed files: package-lock.json, pnpm-lock.yaml');
    session.workspace.write('a.fake', 'function left() { two; }\n');
    const all = await session.ask('detect_changes');
    expect(all).toMatch(/^1 changed symbol in 3 changed files .*fake-lsp ready, complete;/);
  });

  it('answers with what it has when there is no server for one of the files', async () => {
    await using session = await fakeSession('//- a.fake\nfunction left() { one; }\n//- b.rb\none\n', {
      disabled: ['ruby'],
    });
    const options = { cwd: session.workspace.root, env: session.workspace.env() };
    execFileSync(git, ['init', '-q'], options);
    execFileSync(git, ['add', '.'], options);
    session.workspace.write('b.rb', 'two\n');
    const alone = await session.ask('detect_changes');
    expect(alone).toMatch(/^INCOMPLETE: b\.rb was not looked at: .*\nNo changed symbols in 1 changed file/);
    expect(alone).not.toContain(' complete');
    session.workspace.write('a.fake', 'function left() { two; }\n');
    const both = await session.ask('detect_changes');
    expect(both).toMatch(/^INCOMPLETE: b\.rb was not looked at: .*\n1 changed symbol in 2 changed files/);
  });
});

describe.skipIf(process.platform === 'win32')('detect_changes with a git that hangs', () => {
  it('ends git and what git started when it is cancelled', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'al-git-'));
    try {
      writeFileSync(path.join(directory, 'git'), '#!/bin/sh\nsleep 997 &\nsleep 998\n', { mode: 0o755 });
      await using session = await fakeSession(CODE, { env: { PATH: `${directory}:${process.env.PATH}` } });
      const sleeping = () =>
        processesOfTest(session.workspace.testId).filter(({ command }) => /sleep 99[78]/.test(command));
      const controller = new AbortController();
      const call = session.call('detect_changes', {}, { signal: controller.signal });
      await until(() => sleeping().length === 2, { what: 'git and its child' });
      controller.abort();
      await expect(call).rejects.toThrow();
      await until(() => sleeping().length === 0, { what: 'the end of git' });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

interface Data {
  readonly changed_symbols: readonly { readonly name: string; readonly risk?: string }[];
  readonly affected_symbols: readonly { readonly name: string }[];
  readonly changed_files: readonly string[];
  readonly deleted_files: readonly string[];
  readonly renamed_files: readonly { readonly from: string; readonly to: string }[];
  readonly scope: string;
  readonly summary: string;
}
