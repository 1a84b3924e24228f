/** What a server wants to be told of outside its root, from what it registers. */
import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { FileSystemWatcher, Registration } from 'vscode-languageserver-protocol';
import { absolutePath, pathToUri } from '../../src/shared/base/paths.ts';
import { outsideWatches } from '../../src/shared/host/outside-watches.ts';

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
    expect(watched('/w/{a,b}/**/*')).toEqual(['/w']);
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

  it('are short where a home or a whole disk is asked for', () => {
    const wide = (...globs: readonly string[]) => outsideWatches([registration(globs)], [ROOT]);
    expect(wide('/**/*')).toEqual({ watches: [], isShort: true });
    expect(wide(`${homedir()}/**/*`, '/w/shared/**/*')).toEqual({
      watches: [{ directory: '/w/shared', isFlat: false }],
      isShort: true,
    });
    expect(wide(`${homedir()}/tsconfig.json`).isShort).toBe(false);
  });

  it('are none when nothing was registered for them', () => {
    expect(outsideWatches([], [ROOT])).toEqual({ watches: [], isShort: false });
    expect(outsideWatches([{ id: '1', method: 'textDocument/hover' }], [ROOT]).watches).toEqual([]);
  });
});
