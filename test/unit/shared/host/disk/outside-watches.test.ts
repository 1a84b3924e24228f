/** What a server wants to be told of outside its root, from what it registers. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileSystemWatcher, Registration } from 'vscode-languageserver-protocol';
import { absolutePath, pathToUri } from '../../../../../src/shared/base/paths.ts';
import { outsideWatches } from '../../../../../src/shared/host/disk/outside-watches.ts';
import { createWorkspace } from '../../../../support/workspace.ts';

const ROOT = absolutePath('/w/app');

/** Each as its directory; `/*` after those of which only the files in it count. */
function watched(...globs: readonly FileSystemWatcher['globPattern'][]): readonly string[] {
  return outsideWatches([registration(globs)], [ROOT]).watches.map(
    ({ directory, isFlat }) => `${directory}${isFlat ? '/*' : ''}`,
  );
}

function registration(globs: readonly FileSystemWatcher['globPattern'][]): Registration {
  const watchers = globs.map((globPattern) => ({ globPattern }));
  return { id: '1', method: 'workspace/didChangeWatchedFiles', registerOptions: { watchers } };
}

describe('watches outside the root', () => {
  it('are the places before the first wildcard', () => {
    expect(watched('/w/shared/**/*.ts', '/w/base/tsconfig.json', '/w/types/*.d.ts')).toEqual([
      '/w/shared',
      '/w/base/*',
      '/w/types/*',
    ]);
    expect(watched('/o/{a,b}/**/*')).toEqual(['/o']);
  });

  it('may be relative to a place of their own', () => {
    const baseUri = pathToUri(absolutePath('/w/shared'));
    expect(watched({ baseUri, pattern: '**/*.ts' })).toEqual(['/w/shared']);
    expect(watched({ baseUri: { uri: baseUri, name: 'shared' }, pattern: 'tsconfig.json' })).toEqual([
      '/w/shared/*',
    ]);
  });

  it('are none inside the roots, below what is installed, or relative to the root', () => {
    expect(watched('/w/app/src/**/*.ts', '/w/node_modules/tools/**/*', '**/*.ts')).toEqual([]);
    expect(outsideWatches([registration(['/w/b/**/*'])], [ROOT, absolutePath('/w/b')]).watches).toEqual([]);
  });

  it('name each place once, and none below one that is watched as a whole', () => {
    expect(watched('/w/shared/**/*.ts', '/w/shared/**/*.json', '/w/shared/tsconfig.json')).toEqual([
      '/w/shared',
    ]);
    expect(watched('/w/shared/deep/**/*', '/w/shared/**/*')).toEqual(['/w/shared']);
    expect(watched('/w/tsconfig.json', '/w/package.json', '/w/shared/**/*')).toEqual(['/w/*', '/w/shared']);
  });

  it('around the root are what is linked into it, mapped or referred to', async () => {
    await using workspace = createWorkspace(`
//- code/app/tsconfig.json
{ "compilerOptions": { "paths": { "@/*": ["../mapped/src/*"] } }, "references": [{ "path": "../referred" }] }
//- code/app/index.ts
export {};
//- code/linked/index.ts
export {};
//- code/scoped/index.ts
export {};
//- code/other/index.ts
export {};
`);
    for (const [name, target] of [
      ['linked', 'linked'],
      ['@scope/one', 'scoped'],
      ['own', 'app'],
    ] as const) {
      mkdirSync(path.dirname(workspace.file(`code/node_modules/${name}`)), { recursive: true });
      symlinkSync(workspace.file(`code/${target}`), workspace.file(`code/node_modules/${name}`));
    }
    const around = outsideWatches([registration([`${workspace.root}/**/*`])], [workspace.file('code/app')]);
    expect(around.watches.map(({ directory }) => path.relative(workspace.root, directory)).sort()).toEqual([
      'code/linked',
      'code/mapped/src',
      'code/referred',
      'code/scoped',
    ]);
  });

  it('are short where there are too many', () => {
    const many = Array.from({ length: 201 }, (_, index) => `/w/lib${index}/a.ts`);
    expect(outsideWatches([registration(many)], [ROOT])).toMatchObject({ isShort: true });
    expect(outsideWatches([registration(many.slice(1))], [ROOT])).toMatchObject({ isShort: false });
  });

  it('are none when nothing was registered for them', () => {
    expect(outsideWatches([], [ROOT])).toEqual({ watches: [], isShort: false });
    expect(outsideWatches([{ id: '1', method: 'textDocument/hover' }], [ROOT]).watches).toEqual([]);
  });
});
