/** Directories and files that this user may not read are named as such. As root everything can be read, so it is asked as somebody else. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const FILES = `
//- tsconfig.json
{ "compilerOptions": { "strict": true, "noEmit": true, "module": "nodenext" } }
//- package.json
{ "type": "module" }
//- src/open/a.ts
export function price(): number { return 1; }
//- src/secret/b.ts
import { price } from '../open/a.js';
export const b = price();
//- src/locked.ts
export const c = 1;
`;

const PYTHON = `
//- pyproject.toml
[project]
name = "shop"
version = "1"
//- till.py
def charge() -> int:
    return 1
//- secret/use.py
from till import charge

charge()
`;

function giveAway(entry: string): void {
  chownSync(entry, NOBODY, NOBODY);
  if (lstatSync(entry).isDirectory()) for (const name of readdirSync(entry)) giveAway(path.join(entry, name));
}

interface Closed extends AsyncDisposable {
  readonly workspace: Workspace;
  ask(tool: string, args: object): string;
}

/** A workspace of which this user may not read these files and directories. */
function closed(text: string, names: readonly string[]): Closed {
  const workspace = createWorkspace(text);
  if (isRoot) giveAway(path.dirname(workspace.root));
  for (const name of names) chmodSync(workspace.file(name), 0);
  return {
    workspace,
    ask(tool, args) {
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [BUILT_PROGRAM, 'call', '--daemon', 'never', tool, JSON.stringify(args)],
        {
          cwd: workspace.root,
          env: workspace.env(),
          encoding: 'utf8',
          ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
        },
      );
      return `${stdout}${stderr}`;
    },
    async [Symbol.asyncDispose]() {
      for (const name of names) chmodSync(workspace.file(name), 0o755);
      await workspace[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(process.platform === 'win32')('what this user may not read', { timeout: 60_000 }, () => {
  let typescript: Closed;

  beforeAll(() => {
    typescript = closed(FILES, ['src/secret', 'src/locked.ts']);
  });
  afterAll(() => typescript[Symbol.asyncDispose]());

  const ask = (tool: string, args: object) => typescript.ask(tool, args);
  const denied = (name: string) =>
    `${typescript.workspace.file(name)} could not be read: permission denied. Give this user`;
  const lacking = /^INCOMPLETE: src\/secret may not be read \(permission denied\), /;

  it('is an error of its own for a directory, a file in it, and a file', () => {
    expect(ask('list_symbols', { file_path: 'src/secret' })).toContain(denied('src/secret'));
    expect(ask('list_symbols', { file_path: 'src/secret/b.ts' })).toContain(denied('src/secret/b.ts'));
    expect(ask('list_symbols', { file_path: 'src/locked.ts' })).toContain(denied('src/locked.ts'));
    expect(ask('detect_changes', { workspace_root: 'src/secret' })).toContain(denied('src/secret'));
  });

  it('makes answers about the directories around it incomplete', () => {
    const listed = ask('list_symbols', { file_path: 'src' });
    expect(listed).toMatch(lacking);
    expect(listed).toContain('src/locked.ts could not be read: permission denied');
    expect(ask('get_tests_for_file', { file_path: 'src/open/a.ts' })).toMatch(lacking);
  });

  it('keeps an answer about other files from being called complete', () => {
    const found = ask('find_references', { file_path: 'src/open/a.ts', symbol: 'price' });
    expect(found).toMatch(lacking);
    expect(found).not.toContain(', complete');
    expect(ask('blast_radius', { changed_files: ['src/open/a.ts'] })).toMatch(lacking);
  });

  it('does so in every language, also where the server searches all that it finds', async () => {
    await using python = closed(PYTHON, ['secret']);
    const lacking = /^INCOMPLETE: secret may not be read \(permission denied\), /;
    const found = python.ask('find_references', { file_path: 'till.py', symbol: 'charge' });
    expect(found).toMatch(lacking);
    expect(found).not.toContain(', complete');
    expect(python.ask('explore_symbol', { file_path: 'till.py', symbol: 'charge' })).toMatch(lacking);
    expect(python.ask('safe_delete_symbol', { file_path: 'till.py', symbol_path: 'charge' })).toContain(
      'was not deleted',
    );
  });
});
