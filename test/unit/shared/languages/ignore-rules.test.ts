import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/shared/base/lifetime.ts';
import { IgnoreRules } from '../../../../src/shared/languages/ignore-rules.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { describeWith } from '../../../support/requirements.ts';
import { createWorkspace } from '../../../support/workspace.ts';

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
    const asked = spawnSync(git, ['check-ignore', '--no-index', '-z', '--stdin'], {
      cwd: workspace.root,
      env: workspace.env(),
      input: files.join('\0'),
      encoding: 'utf8',
    });
    const byGit = new Set(asked.stdout.split('\0').filter(Boolean));
    const rules = new IgnoreRules(systemClock);
    const byUs = files.filter((file) => rules.ignoredPart(workspace.file(file), workspace.root));
    expect(byUs).toEqual(files.filter((file) => byGit.has(file)));
    expect(rules.ignoredPart(workspace.file('src/generated/b/c.ts'), workspace.root)).toEqual({
      path: workspace.file('src/generated'),
      isDirectory: true,
    });
  });

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
