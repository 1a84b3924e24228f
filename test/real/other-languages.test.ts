/** Files of other languages that name a symbol are named in answers: their servers are not asked, so nobody looked at them. */
import { describe, expect, it } from 'vitest';
import { type RealSession, realWorld } from '../support/real-session.ts';

const TYPESCRIPT = `
//- package.json
{ "name": "components", "private": true }
//- tsconfig.json
{ "compilerOptions": { "module": "preserve", "strict": true }, "include": ["src"] }
//- .gitignore
ignored/
//- src/greet.ts
export function greet(name: string): string {
  const unusual = name;
  return unusual;
}
export function alone(): void {}
//- src/main.ts
import { greet } from './greet';
greet('you');
//- src/App.vue
<script setup lang="ts">
import { greet } from './greet';
const unusual = greet('me');
</script>
//- src/Login.svelte
<p>{greet('her')}</p>
//- ignored/Old.vue
{{ greet('them') }} {{ alone() }}
//- README.md
Call greet() first, and alone() last.
`;

const CELLS = [
  { cell_type: 'markdown', source: ['make_tea is described here\n'] },
  { cell_type: 'code', source: ['from app.tea import make_tea\n', 'make_tea()\n'], outputs: [] },
];

const PYTHON = `
//- pyproject.toml
[project]
name = "app"
version = "1"
//- app/__init__.py
//- app/tea.py
def make_tea() -> int:
    return 1


def drink() -> int:
    return make_tea()
//- notes/tea.ipynb
${JSON.stringify({ cells: CELLS, nbformat: 4 }, null, 1)}
//- notes/prose.ipynb
${JSON.stringify({ cells: [{ cell_type: 'markdown', source: 'drink' }], nbformat: 4 }, null, 1)}
`;

interface Told {
  readonly complete: boolean;
  readonly other_languages?: { readonly complete_for: string; readonly files: number };
}

async function told(session: RealSession, tool: string, args: Readonly<Record<string, unknown>>) {
  const { raw, text } = await session.frontEnd.call(tool, args);
  expect(raw.isError, text).not.toBe(true);
  return raw.structuredContent as unknown as Told;
}

describe('components that use TypeScript', () => {
  it('are named wherever all uses are claimed, and changed by a rename that is asked to', async () => {
    const world = realWorld(TYPESCRIPT);
    await using _ = world;
    const session = await world.session();
    const greet = { file_path: 'src/greet.ts', symbol: 'greet' };
    const components = { complete_for: 'typescript', files: 2 };
    for (const tool of ['find_references', 'find_callers', 'explore_symbol', 'go_to_implementation'])
      expect(await told(session, tool, greet), tool).toMatchObject({ other_languages: components });
    const impact = await told(session, 'blast_radius', { changed_files: ['src/greet.ts'] });
    expect(impact).toMatchObject({ complete: true, other_languages: components });
    // What git ignores is hidden as ever, documents are none of them, and a local name is nowhere else.
    for (const symbol of ['alone', 'greet.unusual'])
      expect(await told(session, 'find_references', { ...greet, symbol }), symbol).not.toHaveProperty(
        'other_languages',
      );
    // One that comes is known at once, and so is another text.
    world.workspace.write('src/New.vue', '{{ alone() }}\n');
    const alone = { ...greet, symbol: 'alone' };
    expect(await told(session, 'find_references', alone)).toMatchObject({ other_languages: { files: 1 } });
    expect(
      await session.ask('safe_delete_symbol', { file_path: 'src/greet.ts', symbol_path: 'alone' }),
    ).toContain('New.vue:1');
    expect(world.workspace.read('src/greet.ts')).toContain('alone');
    world.workspace.write('src/New.vue', '{{ nothing() }}\n');
    expect(await told(session, 'find_references', alone)).not.toHaveProperty('other_languages');
    const renamed = { ...greet, new_name: 'salute', trial_ms: 30_000 };
    const left = await session.ask('rename_symbol', { ...renamed, dry_run: true });
    expect(left).toContain('documents and other languages');
    expect(left).toContain('src/App.vue:2');
    await session.ask('rename_symbol', { ...renamed, mentions: 'change' });
    expect(world.workspace.read('src/App.vue')).toContain("import { salute } from './greet'");
    expect(world.workspace.read('src/Login.svelte')).toBe("<p>{salute('her')}</p>\n");
    await world.end();
  });
});

describe('notebooks that use Python', () => {
  it('are named for their code, not for their prose', async () => {
    const world = realWorld(PYTHON);
    await using _ = world;
    const session = await world.session();
    const found = await told(session, 'find_references', { file_path: 'app/tea.py', symbol: 'make_tea' });
    expect(found).toMatchObject({
      complete: true,
      other_languages: {
        complete_for: 'python',
        files: 1,
        first: [{ file: world.workspace.file('notes/tea.ipynb') }],
      },
    });
    const other = await told(session, 'find_references', { file_path: 'app/tea.py', symbol: 'drink' });
    expect(other).not.toHaveProperty('other_languages');
    await world.end();
  });
});
