/**
 * The next step of answers that are whole, empty, cut or refused. That a step is left out where the user wants none is
 * shown with the golden answers, and that the call just made is not advised in the unit tests of hints.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeSession, fakeSession } from './fake-session.ts';

const FILES = `
//- src/shop.fake
export class Shop implements Door {
  open(door) {
    turn(door);
  }
  close() {
  }
}
export interface Door
export class Lonely
function turn(door) {
}
//- src/use.fake
function day(shop) {
  shop.open(1);
}
function night(shop) {
  shop.open(2);
}
//- src/two.fake
function night() {
}
//- src/own.fake
function alone() {
}
//- tests/only.fake
function tried() {
}
//- tests/only.test.fake
function check() {
  tried();
}
//- other/far.fake
function far(shop) {
  shop.open(3);
}
//- empty/note.txt
`;

interface Case {
  /** What kind of answer it is. */
  readonly what: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly next: string | undefined;
}

const at = (symbol: string, file_path = 'src/shop.fake') => ({ file_path, symbol });
const UNUSED = 'nothing uses it by name; it may be unused, or used by reflection or from outside';

const CASES: readonly Case[] = [
  {
    what: 'a method that is used',
    tool: 'explore_symbol',
    args: at('Shop.open'),
    next: 'find_references src/shop.fake:2:3 lists the uses',
  },
  {
    what: 'an interface that is implemented',
    tool: 'explore_symbol',
    args: at('Door'),
    next: 'go_to_implementation src/shop.fake:8:18 lists the implementations',
  },
  { what: 'a method that nothing uses', tool: 'explore', args: at('Shop.close'), next: UNUSED },
  {
    what: 'several places',
    tool: 'explore_symbol',
    args: { symbol: 'night' },
    next: 'call again with one of these locators',
  },
  {
    what: 'a type with subtypes',
    tool: 'type_hierarchy',
    args: at('Door'),
    next: 'go_to_implementation src/shop.fake:8:18 may have indirect subtypes, too',
  },
  {
    what: 'a type with supertypes only',
    tool: 'type_hierarchy',
    args: at('Shop'),
    next: 'explore_symbol src/shop.fake:8:18',
  },
  {
    what: 'a type without either',
    tool: 'type_hierarchy',
    args: at('Lonely'),
    next: 'find_references src/shop.fake:9:14 shows where it is used',
  },
  {
    what: 'no type at the place',
    tool: 'type_hierarchy',
    args: at('turn'),
    next: 'name a class, interface or trait; go_to_type_definition finds that of a value',
  },
  {
    what: 'a place outside of the roots',
    tool: 'go_to_definition',
    args: { file_path: 'src/two.fake', line: 1, column: 10 },
    next: 'get_symbol_documentation src/two.fake:1:10',
  },
  {
    what: 'nothing',
    tool: 'go_to_definition',
    args: { file_path: 'src/own.fake', line: 1, column: 10 },
    next: 'find_symbol alone searches by name',
  },
  {
    what: 'nothing',
    tool: 'go_to_type_definition',
    args: { file_path: 'src/own.fake', line: 1, column: 10 },
    next: 'inspect_symbol src/own.fake:1:10',
  },
  {
    what: 'nothing that implements it',
    tool: 'go_to_implementation',
    args: at('Lonely'),
    next: 'find_references src/shop.fake:9:14 shows where it is used',
  },
  {
    what: 'callees',
    tool: 'find_callers',
    args: { ...at('Shop.open'), direction: 'outgoing' },
    next: 'get_symbol_source src/shop.fake:10:10',
  },
  {
    what: 'no callers',
    tool: 'callers',
    args: at('alone', 'src/own.fake'),
    next: 'nothing calls it by name; it may be where something begins, or called by a framework or from outside',
  },
  {
    what: 'a file that only tests use',
    tool: 'blast_radius',
    args: { changed_files: ['tests/only.fake'], scope: 'all' },
    next: 'find_references tests/only.fake tried tests:"show" shows its tests',
  },
  {
    what: 'a file that nothing uses',
    tool: 'blast_radius',
    args: { changed_files: ['src/own.fake'], scope: 'all' },
    next: UNUSED,
  },
  {
    what: 'uses in other repositories',
    tool: 'get_cross_repo_references',
    args: { symbol_file: 'src/shop.fake', symbol: 'Shop.open', consumer_roots: ['other'] },
    next: 'blast_radius src/shop.fake before a change',
  },
  {
    what: 'no use anywhere',
    tool: 'get_cross_repo_references',
    args: { symbol_file: 'src/shop.fake', symbol: 'Lonely', consumer_roots: ['other'] },
    next: UNUSED,
  },
  {
    what: 'the symbols of a file',
    tool: 'get_editing_context',
    args: { file_path: 'src/own.fake' },
    next: 'get_symbol_source src/own.fake:1:10',
  },
  {
    what: 'a part of a file',
    tool: 'get_editing_context',
    args: { file_path: 'src/shop.fake', limit: 1 },
    next: 'get_symbol_source src/shop.fake:1:14',
  },
  {
    what: 'a name that the file does not have',
    tool: 'list_symbols',
    args: { file_path: 'src/own.fake', name: 'open' },
    next: 'find_symbol open searches the workspace',
  },
  {
    what: 'a name that the directory does not have',
    tool: 'list_symbols',
    args: { file_path: 'tests', name: 'open' },
    next: 'find_symbol open searches the workspace',
  },
  {
    what: 'a source and a name that is nowhere',
    tool: 'get_symbol_source',
    args: { symbols: ['turn', 'nowhere'] },
    next: 'find_symbol searches by a part of the name',
  },
  { what: 'all of a source', tool: 'get_symbol_source', args: { symbols: ['turn'] }, next: undefined },
  {
    what: 'no documentation',
    tool: 'get_symbol_documentation',
    args: at('turn'),
    next: 'get_symbol_source src/shop.fake:10:10 may say more',
  },
  {
    what: 'no fix where no problem is',
    tool: 'suggest_fixes',
    args: { file_path: 'src/own.fake', start_line: 1 },
    next: 'get_diagnostics src/own.fake tells which lines have problems',
  },
  {
    what: 'servers that are installed',
    tool: 'detect_lsp_servers',
    args: {},
    next: 'start_lsp starts what is installed',
  },
];

const start = { line: 0, character: 0 };
/** Beyond what the fake server does by itself. */
const RULES = [
  { on: 'textDocument/codeAction', file: 'own.fake', do: { result: [] } },
  {
    on: 'textDocument/definition',
    file: 'two.fake',
    do: { result: [{ uri: 'file:///usr/include/stdio.h', range: { start, end: start } }] },
  },
  { on: 'textDocument/definition', file: 'own.fake', do: { result: [] } },
  { on: 'textDocument/typeDefinition', file: 'own.fake', do: { result: [] } },
];

const nextOf = (text: string) => /^next: (.*)$/m.exec(text)?.[1];

describe('the next step', () => {
  let session: FakeSession;
  let core: FakeSession;

  beforeAll(async () => {
    [session, core] = await Promise.all([
      fakeSession(FILES, { scenario: { rules: RULES } }),
      fakeSession(FILES, { args: ['--tools', 'core'] }),
    ]);
  });

  afterAll(async () => {
    await session[Symbol.asyncDispose]();
    await core[Symbol.asyncDispose]();
  });

  it.each(CASES)('after $tool with $what', async ({ tool, args, next }) => {
    // What was asked right before is not advised.
    await session.ask('get_skill_phase');
    expect(nextOf(await session.ask(tool, args))).toBe(next);
  });

  it('names another tool where the session lacks the first', async () => {
    expect(nextOf(await core.ask('explore_symbol', at('Door')))).toBe(
      'find_references src/shop.fake:8:18 lists the uses',
    );
  });

  it('is to ask alone for a part that did not come, not for one that never comes', async () => {
    const answering = { error: { code: -32_603, message: 'broken' } };
    const rules = [{ on: 'callHierarchy/incomingCalls', do: answering }];
    await using broken = await fakeSession(FILES, { scenario: { rules } });
    const text = await broken.ask('explore_symbol', at('Shop.open'));
    expect(text).toContain('MISSING: callers (');
    expect(nextOf(text)).toBe('find_callers src/shop.fake:2:3');
    const capabilities = { callHierarchyProvider: null, referencesProvider: null };
    await using bare = await fakeSession(FILES, { scenario: { capabilities } });
    const less = await bare.ask('explore_symbol', at('Shop.open'));
    expect(less).toContain('MISSING: callers (fake-lsp does not support');
    expect(nextOf(less)).toBeUndefined();
  });
});
