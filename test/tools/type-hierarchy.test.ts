import { describe, expect, it } from 'vitest';
import { fakeSession } from './fake-session.ts';

const TYPES = `
//- src/shapes.fake
export interface Shape {
}
export interface Named {
}
export class Circle implements Shape, Named {
}
export class Square
  implements Shape {
}
//- src/dot.fake
export class Dot extends Circle {
}
const shape: Shape = new Circle();
//- test/shapes.test.fake
class Broken implements Shape {
}
`;

describe('type_hierarchy', () => {
  it('lists supertypes and subtypes by file, tests last', async () => {
    await using session = await fakeSession(TYPES);
    const { root } = session.workspace;
    expect((await session.ask('type_hierarchy', { symbol: 'Circle' })).split('\n')).toEqual([
      `2 supertypes, 1 subtype of Circle (src/shapes.fake:5:14); 3 of 3 occurrences accounted for; fake-lsp ready, complete; root ${root}`,
      'supertypes:',
      'src/shapes.fake (2)',
      '  interface Shape 1:18',
      '  interface Named 3:18',
      'subtypes:',
      'src/dot.fake (1)',
      '  class Dot 1:14',
      'next: go_to_implementation src/shapes.fake:5:14 may have indirect subtypes, too',
    ]);
    expect(
      (await session.ask('type_hierarchy', { symbol: 'Shape', direction: 'Subtypes' })).split('\n'),
    ).toEqual([
      `2 subtypes of Shape (src/shapes.fake:1:18); 5 of 5 occurrences accounted for; fake-lsp ready, complete; root ${root}`,
      'subtypes:',
      'src/shapes.fake (1)',
      '  class Circle 5:14',
      'tests: 1 in 1 file',
      '  test/shapes.test.fake: Broken 1:7',
      'next: go_to_implementation src/shapes.fake:1:18 may have indirect subtypes, too',
    ]);
    const first = await session.ask('type_hierarchy', { symbol: 'Circle', limit: 2 });
    expect(first).toContain('1 more types not shown; pass cursor:"2"');
  });

  it('answers in JSON with kinds in words and only what was asked for', async () => {
    await using session = await fakeSession(TYPES, { args: ['--output', 'json'] });
    const file = session.workspace.file('src/shapes.fake');
    const question = { symbol: 'Circle', direction: 'supertypes' };
    const { json, raw } = await session.call('type_hierarchy', question);
    expect(json).toEqual({
      items: [{ name: 'Circle', kind: 'class', file, line: 5, column: 14 }],
      supertypes: [
        { name: 'Shape', kind: 'interface', file, line: 1, column: 18 },
        { name: 'Named', kind: 'interface', file, line: 3, column: 18 },
      ],
    });
    expect(raw.structuredContent).toMatchObject({ status: 'ok', complete: true, total: 2 });
    expect(raw.structuredContent).not.toHaveProperty('fallback');
  });

  it('tells what has no relatives from what is no type, and refuses other directions', async () => {
    await using session = await fakeSession(TYPES);
    expect(await session.ask('type_hierarchy', { symbol: 'Dot', direction: 'subtypes' })).toMatch(
      /^No subtypes of Dot \(src\/dot\.fake:1:14\); 1 of 1 occurrences accounted for; fake-lsp ready, complete/,
    );
    const value = await session.ask('type_hierarchy', { file_path: 'src/dot.fake', symbol: 'shape' });
    expect(value).toMatch(/^No type at shape \(src\/dot\.fake:3:7\); .*fake-lsp ready, complete/);
    expect(value).toContain('next: name a class, interface or trait');
    const wrong = await session.call('type_hierarchy', { symbol: 'Dot', direction: 'incoming' });
    expect(wrong).toMatchObject({ isError: true });
    expect(wrong.text).toContain('direction must be one of supertypes, subtypes, both');
  });

  it('reads declarations where the server has no type hierarchy, and says so', async () => {
    await using session = await fakeSession(TYPES, {
      scenario: { capabilities: { typeHierarchyProvider: null } },
    });
    const { root } = session.workspace;
    const note =
      'note: fake-lsp has no type hierarchy: these are the types that declarations name; indirect and structural ones are not among them';
    expect((await session.ask('type_hierarchy', { symbol: 'Circle' })).split('\n')).toEqual([
      `2 supertypes, 1 subtype of Circle (src/shapes.fake:5:14); 3 of 3 occurrences accounted for; fake-lsp ready, complete; root ${root}`,
      'supertypes:',
      'src/shapes.fake (2)',
      '  interface Shape 1:18',
      '  interface Named 3:18',
      'subtypes:',
      'src/dot.fake (1)',
      '  class Dot 1:14',
      note,
      'next: go_to_implementation src/shapes.fake:5:14 may have indirect subtypes, too',
    ]);
    // A declaration over several lines is one that the looks of a single line do not tell.
    const used = { file_path: 'src/dot.fake', position_pattern: 'shape: @@Shape', direction: 'subtypes' };
    expect((await session.ask('type_hierarchy', used)).split('\n')).toEqual([
      `3 subtypes of Shape (src/shapes.fake:1:18); 5 of 5 occurrences accounted for; fake-lsp ready, complete; root ${root}`,
      'subtypes:',
      'src/shapes.fake (2)',
      '  class Circle 5:14',
      '  class Square 7:14',
      'tests: 1 in 1 file',
      '  test/shapes.test.fake: Broken 1:7',
      note,
      'next: go_to_implementation src/shapes.fake:1:18 may have indirect subtypes, too',
    ]);
    expect(await session.ask('get_server_capabilities')).toContain(
      'works in part, by other means: type_hierarchy',
    );
  });

  it('says INCOMPLETE while the server is indexing, and that it cannot look without references', async () => {
    await using session = await fakeSession(TYPES, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '6000' },
      scenario: { rules: [{ on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing' } } }] },
    });
    const place = { file_path: 'src/shapes.fake', symbol: 'Circle' };
    expect(await session.ask('type_hierarchy', place)).toMatch(
      /^INCOMPLETE: fake-lsp is still indexing, retry in \d+ s\n2 supertypes, 1 subtype of Circle .*, incomplete; root/,
    );
    session.server.rewrite({ capabilities: { typeHierarchyProvider: null, referencesProvider: null } });
    await session.ask('restart_lsp_server');
    const { text, isError } = await session.call('type_hierarchy', place);
    expect(isError).toBe(true);
    expect(text).toContain('fake-lsp does not support textDocument/prepareTypeHierarchy');
  });
});
