/** Workspaces that real servers cannot load, or not whole: the answers say so until the cause is repaired. */
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { type RealSession, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

/** The first answer of which the test holds: a server takes its time to load, and to notice that it was repaired. */
async function referencesOnce(
  session: RealSession,
  place: Readonly<Record<string, unknown>>,
  isAwaited: (text: string) => boolean = (text) => !text.includes('INCOMPLETE'),
): Promise<string> {
  return until(
    async () => {
      const { isError, text } = await session.frontEnd.call('find_references', place);
      if (!isError && isAwaited(text)) return text;
      // Pyright puts off reading its settings again for as long as it is asked without a pause.
      await new Promise((resolve) => setTimeout(resolve, 300));
      return undefined;
    },
    { what: 'the answer', timeoutMs: 100_000 },
  );
}

const CRATES = `
//- .cargo/config.toml
[net]
offline = true
//- Cargo.toml
[workspace]
members = ["helping", "app"]
resolver = "2"
//- helping/Cargo.toml
[package]
name = "helping"
version = "0.1.0"
edition = "2021"
//- helping/src/lib.rs
pub fn helper() -> i32 {
    1
}
//- app/Cargo.toml
[package]
name = "app"
version = "0.1.0"
edition = "2021"

[dependencies]
helping = { path = "../helping" }
private = { git = "https://127.0.0.1:1/private.git" }
//- app/src/main.rs
fn main() {
    helping::helper();
}
`;

describeWith(['rust-analyzer', 'cargo'], 'rust-analyzer, whose cargo cannot fetch a dependency', () => {
  it('finds nothing of other crates and says so, deletes and renames nothing, and recovers', async () => {
    await using world = realWorld(CRATES);
    const { workspace } = world;
    const session = await world.session();
    const helper = { file_path: 'helping/src/lib.rs', symbol: 'helper' };
    const reason = `rust-analyzer is degraded: cargo could not load \`${workspace.root}/Cargo.toml\` with its dependencies: failed to get \`private\` as a dependency of package`;
    await referencesOnce(session, helper, (text) => !text.includes('still indexing'));
    for (const tool of ['find_references', 'find_callers', 'go_to_implementation', 'type_hierarchy'])
      expect(await session.ask(tool, helper)).toContain(`INCOMPLETE: ${reason}`);
    const before = workspace.read('helping/src/lib.rs');
    const refused = await session.refused('safe_delete_symbol', {
      file_path: helper.file_path,
      symbol_path: 'helper',
    });
    expect(refused).toContain(`helper was not deleted, because not all of its uses are known: ${reason}`);
    const shown = await session.ask('rename_symbol', { ...helper, new_name: 'aid', dry_run: false });
    expect(shown).toContain('shown first: not all of its places are known');
    expect(workspace.read('helping/src/lib.rs')).toBe(before);

    world.edit('app/Cargo.toml', 'private = { git = "https://127.0.0.1:1/private.git" }\n', '');
    expect(await referencesOnce(session, helper)).toContain('app/src/main.rs');
    await world.end();
  });
});

const MODULES = `
//- go.work
go 1.21

use ./a
use ./b
use ./gone
//- a/go.mod
module example.com/a

go 1.21
//- a/a.go
package a

func Helper() int { return 1 }
//- b/go.mod
module example.com/b

go 1.21
//- b/b.go
package b

import "example.com/a"

func Use() int { return a.Helper() }
`;

describeWith(['gopls', 'go'], 'gopls, of whose modules one is missing', () => {
  it('says why it cannot answer, deletes and renames nothing, and recovers', async () => {
    await using world = realWorld(MODULES);
    const { workspace } = world;
    const session = await world.session();
    const helper = { file_path: 'a/a.go', symbol: 'Helper' };
    // gopls tells it twice, in its own words and in those of `go list`; which comes first differs from start to start.
    const reason =
      /go could not load the workspace: (?:directory \.\/gone does not contain a module|go: cannot load module gone listed in go\.work file: open gone\/go\.mod: no such file)/;
    expect(await session.refused('find_references', helper)).toMatch(reason);
    const before = workspace.read('a/a.go');
    const deletion = { file_path: 'a/a.go', symbol_path: 'Helper' };
    expect(await session.refused('safe_delete_symbol', deletion)).toMatch(reason);
    const renaming = { ...helper, new_name: 'Aid', dry_run: false };
    expect(await session.refused('rename_symbol', renaming)).toMatch(reason);
    expect(workspace.read('a/a.go')).toBe(before);

    world.edit('go.work', 'use ./gone\n', '');
    expect(await referencesOnce(session, helper)).toContain('b/b.go');
    await world.end();
  });
});

describe('pyright', () => {
  const FILES = `
//- src/a.py
def helper():
    return 1
//- src/b.py
value = 1
`;
  const helper = { file_path: 'src/a.py', symbol: 'helper' };

  it.each([
    {
      config: 'pyrightconfig.json',
      broken: '{ "include": ["src"],',
      repaired: '{ "include": ["src"] }',
      reason: 'could not be parsed',
    },
    {
      config: 'pyproject.toml',
      broken: '[tool.pyright',
      repaired: '[tool.pyright]\n',
      reason: 'could not be parsed',
    },
    {
      config: 'pyrightconfig.json',
      broken: '{ "include": ["lib"] }',
      repaired: '{}',
      reason: 'it found no source files',
    },
  ])(
    'is degraded by $config with $broken, deletes nothing, and recovers',
    async ({ config, broken, repaired, reason }) => {
      await using world = realWorld(`${FILES}//- ${config}\n${broken}\n`);
      const { workspace } = world;
      const session = await world.session();
      const answer = await session.ask('find_references', helper);
      expect(answer).toContain('INCOMPLETE: pyright is degraded: ');
      expect(answer).toContain(reason);
      const deletion = { file_path: 'src/a.py', symbol_path: 'helper' };
      expect(await session.refused('safe_delete_symbol', deletion)).toContain(reason);
      expect(workspace.read('src/a.py')).toContain('helper');

      workspace.write(config, repaired);
      await referencesOnce(session, helper);
      await world.end();
    },
  );
});

describe('TypeScript, whose paths are in a configuration that cannot be read', () => {
  const FILES = `
//- package.json
{ "name": "aliased" }
//- base.json
{ "compilerOptions": { "paths": { "@lib/*": ["./src/*"] } } }
//- src/a.ts
export function helper(): number {
  return 1;
}
//- src/b.ts
import { helper } from '@lib/a';
helper();
`;
  const helper = { file_path: 'src/a.ts', symbol: 'helper' };
  const TYPESCRIPT_5 = path.resolve(import.meta.dirname, '../../node_modules/typescript5');

  it.each([
    {
      server: 'typescript-go',
      broken: '{ "extends": "./nowhere.json" }',
      why: 'extends ./nowhere.json, which is not there',
    },
    { server: 'typescript-go', broken: '{ extends ./base.json ]', why: 'cannot be parsed' },
    {
      server: 'typescript-language-server',
      broken: '{ "extends": "./nowhere.json" }',
      why: 'extends ./nowhere.json, which is not there',
    },
    { server: 'typescript-language-server', broken: '{ extends ./base.json ]', why: 'cannot be parsed' },
  ])('$server says so for $broken, deletes nothing, and recovers', async ({ server, broken, why }) => {
    await using world = realWorld(`${FILES}//- tsconfig.json\n${broken}\n`);
    const { workspace } = world;
    const isOwn = server === 'typescript-language-server';
    if (isOwn) {
      workspace.write('node_modules/.keep', '');
      symlinkSync(TYPESCRIPT_5, path.join(workspace.root, 'node_modules/typescript'));
    }
    const session = await world.session(...(isOwn ? ['--typescript', 'own'] : []));
    const reason = `${workspace.root}/tsconfig.json ${why}, and ${server} may have missed 1 file that mentions the name, such as src/b.ts; repair it`;
    expect(await session.ask('find_references', helper)).toContain(`INCOMPLETE: ${reason}`);
    expect(await session.ask('find_callers', helper)).toContain('INCOMPLETE: ');
    const deletion = { file_path: 'src/a.ts', symbol_path: 'helper' };
    expect(await session.refused('safe_delete_symbol', deletion)).toContain(reason);
    const shown = await session.ask('rename_symbol', { ...helper, new_name: 'aid', dry_run: false });
    expect(shown).toContain('shown first: not all of its places are known');
    expect(workspace.read('src/a.ts')).toContain('helper');

    workspace.write('tsconfig.json', '{ "extends": "./base.json" }');
    expect(await referencesOnce(session, helper)).toContain('src/b.ts');
    await world.end();
  });
});
