/** get_diagnostics of a directory: everything below it, as far as one call gets. */
import { describe, expect, it } from 'vitest';
import { startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';
import { fakeSession } from './fake-session.ts';

const PULL = { scenario: { diagnostics: { profile: 'pull' } } } as const;
const TREE = `
//- .gitignore
out/
//- src/a.fake
ERROR one
//- src/deep/b.fake
fine
//- src/deep/c.fake
fine
//- src/deep/d.fake
  WARN two
//- src/deep/e.fake
fine
//- other/f.fake
ERROR elsewhere
//- src/out/g.fake
ERROR made by a build
//- src/notes.txt
ERROR no source
`;

describe('diagnostics of a directory', () => {
  it('are those of all source files below it, with how many there are and what is hidden', async () => {
    await using session = await fakeSession(TREE, PULL);
    const text = await session.ask('get_diagnostics', { file_path: 'src' });
    expect(text.split('\n')).toEqual([
      'src: 5 of 5 source files checked',
      'src/a.fake: 1 error; fresh (pull, fake-lsp)',
      '  E 1:1 fake-error ERROR one',
      'src/deep/d.fake: 1 warning; fresh (pull, fake-lsp)',
      '  W 1:1 fake-warning WARN two',
      'clean; fresh (pull, fake-lsp): src/deep/b.fake, src/deep/c.fake, src/deep/e.fake',
      'hidden: 1 in src/out/; name them to check them',
      'next: suggest_fixes src/a.fake:1:1',
    ]);
    expect(await session.ask('get_diagnostics', { file_path: '.' })).toContain('ERROR elsewhere');
  });

  it('of more files than one call checks say so first, and go on from there', async () => {
    const many = Array.from({ length: 405 }, (_, at) => `//- m/${String(at).padStart(3, '0')}.fake\nfine\n`);
    await using session = await fakeSession(`${many.join('')}//- m/zzz.fake\nERROR last\n`, PULL);
    const first = await session.ask('get_diagnostics', { file_path: 'm' });
    const [, seen = ''] = /cursor:"(\d+)" goes on/.exec(first) ?? [];
    expect(first.split('\n').slice(0, 2)).toEqual([
      `INCOMPLETE: ${406 - Number(seen)} of 406 files in m were not checked yet; cursor:"${seen}" goes on`,
      `m: ${seen} of 406 source files checked`,
    ]);
    expect(Number(seen)).toBeLessThanOrEqual(400);
    expect(first).not.toContain('ERROR last');
    let [text, cursor] = [first, seen];
    while (text.startsWith('INCOMPLETE')) {
      text = await session.ask('get_diagnostics', { file_path: 'm', cursor });
      cursor = /cursor:"(\d+)" goes on/.exec(text)?.[1] ?? '';
    }
    expect(text).toMatch(/files \d+ to 406 of 406 source files checked/);
    expect(text).toContain('ERROR last');
  });

  it('can be a baseline, against which only what is new is listed', async () => {
    await using session = await fakeSession(TREE, PULL);
    const kept = await session.ask('get_diagnostics', { file_path: 'src', baseline: true });
    const [, id = ''] = /baseline (b\d+): 1 error, 1 warning, in 5 files/.exec(kept) ?? [];
    session.workspace.write('src/deep/b.fake', 'ERROR new\n');
    const since = await session.ask('get_diagnostics', { file_path: 'src', since: id });
    expect(since).toContain('ERROR new');
    expect(since).not.toContain('ERROR one');
  });

  it('with files that no server is there for say so once, and say nothing of a directory without sources', async () => {
    const files = ['a', 'b', 'c', 'd'].map((name) => `//- py/${name}.py\npass\n`);
    await using session = await fakeSession(`${files.join('')}//- empty/x.txt\nhello\n`, {
      ...PULL,
      disabled: ['python'],
    });
    const text = await session.ask('get_diagnostics', { file_path: 'py' });
    expect(text.split('\n')[1]).toMatch(
      /^FAILED: py\/a\.py, py\/b\.py, py\/c\.py, py\/d\.py: python is switched off/,
    );
    expect(text.split('\n')[0]).toBe('py: 4 of 4 source files looked at, 4 of them not checked');
    expect(text).not.toContain('clean');
    expect(await session.ask('get_diagnostics', { file_path: 'empty' })).toBe(
      'empty has no source files that a server could check',
    );
  });

  it('of a TypeScript project are those of its compiler', async () => {
    await using workspace = createWorkspace('', { fixture: 'typescript' });
    workspace.write('src/wrong.ts', 'export const wrong: number = "text";\n');
    await using frontEnd = await startFrontEnd({ workspace });
    const { text } = await frontEnd.call('get_diagnostics', { file_path: '.', severity: 'error' });
    expect(text).toMatch(/^\.: (\d+) of \1 source files (checked|looked at, \d+ of them not checked)$/m);
    expect(text).toContain('src/wrong.ts: 1 error; fresh (pull');
    expect(text).toContain('2322');
  });
});
