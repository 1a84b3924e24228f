import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/shared/base/lifetime.ts';
import { IgnoreRules } from '../../../../src/shared/languages/ignore-rules.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { describeWith } from '../../../support/requirements.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

describeWith('git', 'ignore rules', ({ git }) => {
  it('agree with git about nested files, negation, anchors, directories and wildcards', async () => {
    await using workspace = createWorkspace(`
    //- .gitignore
    # comment
    *.log
    !keep.log
    /out
    generated/
    docs/**/draft.md
    deep/**
    !deep/kept
    temp?
    a/b
    **/cache
    \\#hash
    trailing   
    [xy].ts
    //- packages/one/.gitignore
    local.*
    !local.keep
    /only-here
    !*.log
    `);
    execFileSync(git, ['init', '-q'], { cwd: workspace.root, env: workspace.env() });
    mkdirSync(workspace.file('.git/info'), { recursive: true });
    workspace.write('.git/info/exclude', 'excluded/\n');
    const files = [
      ...['x.log', 'keep.log', 'src/x.log', 'src/keep.log', 'out/a.ts', 'src/out/a.ts', 'generated/a.ts'],
      ...[
        'src/generated/b/c.ts',
        'src/generated',
        'docs/draft.md',
        'docs/x/y/draft.md',
        'deep/a',
        'deep/kept',
      ],
      ...['temp1/a', 'temp/a', 'a/b/c', 'x/a/b', 'cache/x', 'q/cache', '#hash', 'trailing', 'x.ts', 'z.ts'],
      ...['packages/one/local.ts', 'packages/one/local.keep', 'packages/local.ts', 'packages/one/only-here'],
      ...['packages/one/sub/only-here', 'packages/one/x.log', 'excluded/a', 'src/excluded/a', 'src/a.ts'],
    ];
    expect(byUs(workspace, files)).toEqual(byGit(workspace, files));
    const rules = new IgnoreRules(systemClock);
    expect(rules.ignoredPart(workspace.file('src/generated/b/c.ts'), workspace.root)).toEqual({
      path: workspace.file('src/generated'),
      isDirectory: true,
    });
  });

  it('agree with git about names that look like patterns, and about what inner rules take in again', async () => {
    await using workspace = createWorkspace(`
    //- packages/[id]/.gitignore
    (auth)
    /c++
    !a(1).ts
    //- packages/one/.gitignore
    !build/
    `);
    execFileSync(git, ['init', '-q'], { cwd: workspace.root, env: workspace.env() });
    const rules = [
      'first',
      'app/(auth)/',
      'c++',
      'a(1).ts',
      'x|y',
      'tab\t',
      'two  ',
      '@(z)',
      '{p,q}',
      'build/',
    ];
    workspace.write('.gitignore', `\ufeff${rules.join('\r\n')}\r\n`);
    const files = [
      ...[
        'first',
        'app/(auth)/a.ts',
        'app/auth/a.ts',
        '(auth)/a.ts',
        'c++',
        'c',
        'ccc',
        'sub/c++',
        'a(1).ts',
      ],
      ...['a1.ts', 'x|y', 'x', 'tab', 'two', '@(z)', 'z', '{p,q}', 'p', 'build/a.ts', 'sub/build/a.ts'],
      ...['packages/[id]/(auth)/a.ts', 'packages/[id]/sub/(auth)', 'packages/i/(auth)', 'packages/[id]/c++'],
      ...[
        'packages/[id]/a(1).ts',
        'packages/one/build/a.ts',
        'packages/one/build/c++',
        'packages/two/build/a.ts',
      ],
    ];
    expect(byUs(workspace, files)).toEqual(byGit(workspace, files));
  });

  const byUs = ({ root, file }: Workspace, files: readonly string[]) => {
    const rules = new IgnoreRules(systemClock);
    return files.filter((each) => rules.ignoredPart(file(each), root));
  };

  const byGit = (workspace: Workspace, files: readonly string[]) => {
    const asked = spawnSync(git, ['check-ignore', '--no-index', '-z', '--stdin'], {
      cwd: workspace.root,
      env: workspace.env(),
      input: files.join('\0'),
      encoding: 'utf8',
    });
    const ignored = new Set(asked.stdout.split('\0'));
    return files.filter((file) => ignored.has(file));
  };

  it('are read again before long', async () => {
    await using workspace = createWorkspace(`
    //- .gitignore
    one.ts
    `);
    const clock = new FakeClock();
    const rules = new IgnoreRules(clock);
    const isIgnored = () => rules.ignoredPart(workspace.file('two.ts'), workspace.root) !== undefined;
    expect(isIgnored()).toBe(false);
    workspace.write('.gitignore', 'two.ts\n');
    await clock.advance(1_001);
    expect(isIgnored()).toBe(true);
  });
});
