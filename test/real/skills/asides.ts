/**
 * What skills say of answers beside their steps: refusals, several places, what is out of date. Each row quotes the skills
 * and makes the call of which they speak, in the bakery with files of its own.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrontEnd, ToolAnswer } from '../../support/mcp-client.ts';
import type { Workspace } from '../../support/workspace.ts';

export interface Aside {
  /** Words of each of the skills. */
  readonly quote: string;
  readonly skills: readonly string[];
  readonly made: (call: FrontEnd['call'], workspace: Workspace) => Promise<ToolAnswer>;
  readonly says: RegExp;
}

export const ASIDE_FILES = `
//- src/spare.ts
export class Fork {
  use(): void {}
}
export class Spoon {
  use(): void {}
}
export interface Lonely {
  x: number;
}
export function size(): string {
  return 'small';
}
`;

const SPARE = { file_path: 'src/spare.ts' };
const WIDER = { ...SPARE, old_text: 'x: number', new_text: 'x: string' };

async function outOfDate(call: FrontEnd['call'], workspace: Workspace): Promise<string> {
  const { text } = await call('preview_edit', WIDER);
  workspace.write('src/spare.ts', `${workspace.read('src/spare.ts')}\n`);
  return /edit_id (e\d+)/.exec(text)?.[1] ?? '';
}

export const asides: readonly Aside[] = [
  {
    quote: '`AMBIGUOUS`: repeat with',
    skills: ['lsp-docs', 'lsp-impact', 'lsp-implement', 'lsp-rename', 'lsp-understand'],
    made: (call) => call('find_references', { symbol: 'use' }),
    says: /^AMBIGUOUS: 2 places fit use .*\n {2}method Fork\.use {2}file_path:"src\/spare\.ts", line:2, column:3/,
  },
  {
    quote: '`2 symbols in … fit`',
    skills: ['lsp-edit-symbol'],
    made: (call) => call('replace_symbol_body', { ...SPARE, symbol: 'use', new_body: '{}' }),
    says: /^2 symbols in src\/spare\.ts fit use: use#1 /,
  },
  {
    quote: 'The edit is made even if it brings errors; the answer lists those that are new in this file.',
    skills: ['lsp-edit-symbol'],
    made: (call) => call('replace_symbol_body', { ...SPARE, symbol: 'size', new_body: 'return 1;' }),
    says: /changed 1 place in 1 file[\s\S]*1 new error, in 1 file\n {2}new E src\/spare\.ts/,
  },
  {
    quote: 'With `"dry_run": true` nothing is written: there is a diff, and an `edit_id` for `apply_edit`.',
    skills: ['lsp-edit-symbol'],
    made: (call) =>
      call('replace_symbol_body', { ...SPARE, symbol: 'size', new_body: "return 'l';", dry_run: true }),
    says: /would change 1 place in 1 file; edit_id e\d+[\s\S]*\n\+/,
  },
  {
    quote: 'Its answer counts errors in the files it wrote, so not those of callers.',
    skills: ['lsp-edit-export'],
    made: async (call) => {
      const [old_text, new_text] = ['bake(oven: Oven)', 'bake(oven: Oven, hot: boolean)'];
      const edit = { file_path: 'src/bread.ts', old_text, new_text };
      const answer = await call('apply_edit', edit);
      await call('apply_edit', { ...edit, old_text: new_text, new_text: old_text });
      return answer;
    },
    says: /changed 1 place in 1 file[\s\S]*0 new errors, in 1 file/,
  },
  {
    quote: '`apply_edit` with `undo` and the `edit_id`',
    skills: [
      'lsp-edit-symbol',
      'lsp-extract-function',
      'lsp-format-code',
      'lsp-generate',
      'lsp-refactor',
      'lsp-rename',
      'lsp-safe-edit',
    ],
    made: async (call) => {
      const { text } = await call('apply_edit', WIDER);
      return call('apply_edit', { undo: /undo (e\d+)/.exec(text)?.[1] });
    },
    says: /^undo .*changed 1 place in 1 file/,
  },
  {
    quote: '`has changed since`',
    skills: ['lsp-fix-all', 'lsp-format-code', 'lsp-generate', 'lsp-rename', 'lsp-safe-edit'],
    made: async (call, workspace) => call('apply_edit', { edit_id: await outOfDate(call, workspace) }),
    says: /src\/spare\.ts has changed since\. Compute the edit again/,
  },
  {
    quote: '`has changed since`: the session is outdated.',
    skills: ['lsp-simulate'],
    made: async (call, workspace) => {
      const { text } = await call('create_simulation_session');
      const session_id = /session_id (\w+)/.exec(text)?.[1];
      await call('simulate_edit', { session_id, ...WIDER });
      workspace.write('src/spare.ts', `${workspace.read('src/spare.ts')}\n`);
      return call('commit_session', { session_id, apply: true });
    },
    says: /src\/spare\.ts has changed since/,
  },
  {
    quote: '`old_text` must occur once',
    skills: ['lsp-safe-edit', 'lsp-simulate'],
    made: (call) => call('preview_edit', { ...SPARE, old_text: 'use', new_text: 'eat' }),
    says: /^old_text is 2 times in src\/spare\.ts \(lines 2, 5\)/,
  },
  {
    quote: '`No function at …`',
    skills: ['lsp-architecture', 'lsp-understand'],
    made: (call) => call('find_callers', { file_path: 'src/main.ts', symbol: 'minutes' }),
    says: /^No function at minutes/,
  },
  {
    quote: '`n more … not shown`',
    skills: ['lsp-architecture', 'lsp-understand'],
    made: (call) => call('list_symbols', { file_path: 'src', limit: 2 }),
    says: /\d more files not shown; pass cursor:"2"/,
  },
  {
    quote: 'refuses when there is a use, and lists it.',
    skills: ['lsp-dead-code'],
    made: (call) => call('safe_delete_symbol', { file_path: 'src/bread.ts', symbol: 'crust', dry_run: true }),
    says: /^crust is used in 1 place: src\/bread\.ts:14:22/,
  },
  {
    quote: '`No documentation of …`',
    skills: ['lsp-docs'],
    made: (call) => call('get_symbol_documentation', { symbol: 'size' }),
    says: /No documentation of size/,
  },
  {
    quote: '`no symbol …`',
    skills: ['lsp-docs'],
    made: (call) => call('inspect_symbol', { symbol: 'fetch' }),
    says: /^no symbol fetch in the workspace/,
  },
  {
    quote: '`No implementations`',
    skills: ['lsp-implement'],
    made: (call) => call('go_to_implementation', { symbol: 'Lonely' }),
    says: /^No implementations of Lonely/,
  },
  {
    quote: '`No test file …`',
    skills: ['lsp-test-correlation'],
    made: (call) => call('get_tests_for_file', { file_path: 'src/bread.ts' }),
    says: /^No test file of src\/bread\.ts by name/,
  },
  {
    quote: '`No fixes`',
    skills: ['lsp-extract-function', 'lsp-fix-all'],
    made: (call) => call('suggest_fixes', { ...SPARE, start_line: 1, only: 'refactor.extract' }),
    says: /^No fixes for src\/spare\.ts line 1/,
  },
  {
    quote: '`does not occur in …`',
    skills: ['lsp-local-symbols'],
    made: (call) => call('get_document_highlights', { ...SPARE, position_pattern: 'knife@@s' }),
    says: /"knifes" does not occur in /,
  },
  {
    quote: '`already formatted`',
    skills: ['lsp-format-code', 'lsp-safe-edit'],
    made: (call) => call('format_document', { file_path: 'src/day.ts', dry_run: true }),
    says: /^src\/day\.ts: already formatted/,
  },
  {
    quote: 'A phase that is over does not come back: for the next step call `deactivate_skill`',
    skills: ['lsp-refactor'],
    made: async (call) => {
      const skill = { skill_name: 'lsp-refactor', mode: 'block' };
      await call('activate_skill', skill);
      const answer = await call('activate_skill', skill);
      await call('deactivate_skill');
      return answer;
    },
    says: /^lsp-refactor is already active.* or call deactivate_skill first/,
  },
  {
    quote: 'a `Phase violation` names the way on.',
    skills: ['lsp-refactor', 'lsp-rename', 'lsp-safe-edit', 'lsp-verify'],
    made: async (call) => {
      await call('activate_skill', { skill_name: 'lsp-safe-edit', mode: 'block' });
      const answer = await call('apply_edit', WIDER);
      await call('deactivate_skill');
      return answer;
    },
    says: /^Phase violation: .*Recovery: apply_edit belongs to phase apply\. First: preview_edit/,
  },
  {
    quote: '`0 in` a consumer',
    skills: ['lsp-cross-repo'],
    made: (call, { scratch }) => {
      const consumer = path.join(scratch, 'stranger');
      mkdirSync(consumer);
      writeFileSync(path.join(consumer, 'a.ts'), 'export const Bread = 1;\n');
      return call('get_cross_repo_references', {
        symbol_file: 'src/bread.ts',
        symbol: 'Bread',
        consumer_roots: [consumer],
      });
    },
    says: /, 0 in .*stranger;[\s\S]*mentions Bread in 1 file, but it leads to the library in none/,
  },
];
