import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { valuesFor } from '../../../../../src/frontend/features/skills/argument-values.ts';
import { Roots } from '../../../../../src/frontend/workspace/roots.ts';
import { createWorkspace } from '../../../../support/workspace.ts';

const FILES = `
//- src/client.ts
//- src/closed.ts
//- src/deep/inner.ts
//- sound.txt
//- node_modules/some/index.js
//- .env
`;

function world(text = FILES) {
  const workspace = createWorkspace(text);
  const roots = new Roots({ given: [workspace.root], cwd: workspace.root, alsoAllowed: [] });
  const values = async (argument: string, begun: string) => (await valuesFor(argument, begun, roots)).values;
  return { workspace, values, roots };
}

describe('the values of an argument', () => {
  it('are files and folders of the place that is begun', async () => {
    const { workspace, values } = world();
    await using _ = workspace;
    expect(await values('file-path', '')).toEqual(['sound.txt', 'src/']);
    expect(await values('file-path', 's')).toEqual(['sound.txt', 'src/']);
    expect(await values('file-path', 'src/cl')).toEqual(['src/client.ts', 'src/closed.ts']);
    expect(await values('file-path', `${workspace.root}/src/d`)).toEqual([`${workspace.root}/src/deep/`]);
    expect(await values('file-path', '.e')).toEqual(['.env']);
    expect(await values('file-path', 'nowhere/')).toEqual([]);
    expect(await values('directory', 's')).toEqual(['src/']);
  });

  it('never come from outside of the roots', async () => {
    const { workspace, values } = world();
    await using _ = workspace;
    symlinkSync(workspace.home, workspace.file('link'));
    symlinkSync(workspace.file('sound.txt'), workspace.file('alias.txt'));
    mkdirSync(`${workspace.home}/secret`);
    for (const begun of ['../', '../home/', 'link/', `${workspace.home}/`, '/', 'src/../../home/', 'a\0/'])
      expect(await values('file-path', begun), begun).toEqual([]);
    expect(await values('file-path', '')).toEqual(['sound.txt', 'src/']);
  });

  it('are at most a hundred, and it is said how many there are', async () => {
    const many = Array.from(
      { length: 130 },
      (_, index) => `//- many/f${String(index).padStart(3, '0')}.ts\n`,
    ).join('');
    const { workspace, roots } = world(many);
    await using _ = workspace;
    const { values, ...counts } = await valuesFor('file-path', 'many/', roots);
    expect(values).toHaveLength(100);
    expect(counts).toEqual({ total: 130, hasMore: true });
  });

  it('are languages by their ids, and none where only a server could say', async () => {
    const { workspace, values } = world();
    await using _ = workspace;
    expect(await values('language', 'Typescript')).toEqual(['typescript', 'typescriptreact']);
    expect(await values('symbol', 'Cl')).toEqual([]);
  });
});
