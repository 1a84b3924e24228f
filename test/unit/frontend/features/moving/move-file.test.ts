import { describe, expect, it } from 'vitest';
import type { FileOperationRegistrationOptions, WorkspaceEdit } from 'vscode-languageserver-protocol';
import {
  isWanted,
  type MovedEntry,
} from '../../../../../src/frontend/features/edits/plan/file-operations.ts';
import { ListedCommands } from '../../../../../src/frontend/features/fixes/listed-commands.ts';
import { withRename } from '../../../../../src/frontend/features/moving/move-file.ts';
import { absolutePath, pathToUri } from '../../../../../src/shared/base/paths.ts';
import type { ServerFacts, ServerLink } from '../../../../../src/shared/link/server-link.ts';

const ROOT = absolutePath('/w');
const at = (name: string) => absolutePath(name, ROOT);
const file = (name: string): MovedEntry => ({ path: at(name), kind: 'file', sources: [at(name)] });
const folder = (name: string, ...sources: string[]): MovedEntry => ({
  path: at(name),
  kind: 'folder',
  sources: sources.map(at),
});

function wants(filters: FileOperationRegistrationOptions['filters'], entry: MovedEntry): boolean {
  const facts: ServerFacts = {
    serverName: 'x',
    capabilities: { workspace: { fileOperations: { willRename: { filters } } } },
    methods: [],
    encoding: 'utf-16',
    instance: 1,
  };
  return isWanted(facts, 'willRename', entry, ROOT);
}

describe('what a server wants to be asked about', () => {
  it('is what its filters fit', () => {
    const files = [{ scheme: 'file', pattern: { glob: '**/*.{ts,tsx}', matches: 'file' as const } }];
    expect(wants(files, file('src/a.ts'))).toBe(true);
    expect(wants(files, file('a.tsx'))).toBe(true);
    expect(wants(files, file('src/a.py'))).toBe(false);
    expect(wants(files, folder('src', 'src/a.ts'))).toBe(false);
    const folders = [{ pattern: { glob: '**', matches: 'folder' as const } }];
    expect(wants(folders, folder('src/deep'))).toBe(true);
    expect(wants(folders, file('src/a.ts'))).toBe(false);
    expect(wants([], file('a.ts'))).toBe(false);
    expect(wants([{ scheme: 'git', pattern: { glob: '**/*' } }], file('a.ts'))).toBe(false);
    expect(wants([{ pattern: { glob: '**/*.TS' } }], file('a.ts'))).toBe(false);
    expect(wants([{ pattern: { glob: '**/*.TS', options: { ignoreCase: true } } }], file('a.ts'))).toBe(true);
    expect(wants([{ pattern: { glob: 'src/*.ts' } }], file('src/a.ts'))).toBe(true);
  });

  it('is a folder also for its sources, unless only files are meant', () => {
    const either = [{ pattern: { glob: '**/*.ts' } }];
    expect(wants(either, folder('src', 'src/a.ts'))).toBe(true);
    expect(wants(either, folder('src', 'src/a.py'))).toBe(false);
  });
});

describe('a move with what the server changes', () => {
  it('has edits of the old name before it, of the new name after it, and itself once', () => {
    const text = (name: string) => ({ textDocument: { uri: pathToUri(at(name)), version: null }, edits: [] });
    const rename = { kind: 'rename' as const, oldUri: pathToUri(at('a.ts')), newUri: pathToUri(at('b.ts')) };
    const edit: WorkspaceEdit = { documentChanges: [text('b.ts'), rename, text('a.ts'), text('c.ts')] };
    expect(withRename(edit, { path: at('a.ts'), to: at('b.ts') })).toEqual({
      documentChanges: [text('a.ts'), text('c.ts'), rename, text('b.ts')],
    });
    expect(withRename({}, { path: at('a.ts'), to: at('b.ts') })).toEqual({ documentChanges: [rename] });
  });
});

describe('commands that were offered', () => {
  it('are found by id as long as they are not too many, and by name for their own server', () => {
    const commands = new ListedCommands();
    const [mine, other] = [{} as ServerLink, {} as ServerLink];
    const first = commands.list({ title: 'Do', command: 'x.do', arguments: [1] }, mine);
    expect(first.id).toBe('c1');
    expect(commands.find('c1')).toBe(first);
    expect(commands.find('x.do')).toBeUndefined();
    expect([commands.has('x.do', mine), commands.has('x.do', other), commands.has('y', mine)]).toEqual([
      true,
      false,
      false,
    ]);
    for (let count = 0; count < 100; count++) commands.list({ title: 'Y', command: 'y' }, mine);
    expect(() => commands.find('c1')).toThrow(/offered too long ago/);
  });
});
