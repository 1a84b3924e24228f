/** A C++ project with clangd, with and without the list of its files that clangd needs to know all of them. */
import { expect, it } from 'vitest';
import { occurrences, type RealWorld, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

/** With compile_commands.json clangd reads all files by itself, not only those that were opened. */
function worldWithDatabase(): RealWorld {
  const world = realWorld('', { fixture: 'cpp' });
  const commands = ['broken', 'main', 'store'].map((name) => ({
    directory: world.workspace.root,
    file: `src/${name}.cpp`,
    arguments: ['c++', '-std=c++17', '-Iinclude', '-Wall', '-c', `src/${name}.cpp`],
  }));
  world.workspace.write('compile_commands.json', JSON.stringify(commands));
  return world;
}

const OVERLOADS = `
//- include/scales.hpp
#pragma once
namespace shop {
class Scale {
 public:
  explicit Scale(int grams);
  Scale(int grams, int step);
  int weigh(int grams);
  int weigh(double grams, int step);
};
}
//- src/scales.cpp
#include "scales.hpp"
namespace shop {
Scale::Scale(int grams) : Scale(grams, 1) {}
Scale::Scale(int, int) {}
int Scale::weigh(int grams) { return weigh(1.0, grams); }
int Scale::weigh(double, int step) { return step; }
int both(Scale &scale) { return scale.weigh(1) + scale.weigh(2.0, 3); }
static int spare(int grams) { return grams; }
int between = 1;
static int spare(double grams) { return between; }
}
`;

describeWith('clangd', 'C++ with clangd', () => {
  it('asks for the uses of all overloads, and takes the name of a class for the class', async () => {
    await using world = realWorld(OVERLOADS);
    const { root } = world.workspace;
    const file = 'src/scales.cpp';
    const command = { directory: root, file, arguments: ['c++', '-std=c++17', '-Iinclude', '-c', file] };
    world.workspace.write('compile_commands.json', JSON.stringify([command]));
    const session = await world.session();
    const weigh = { file_path: 'include/scales.hpp', symbol: 'Scale.weigh' };
    expect(await session.places('find_references', weigh)).toEqual([
      'src/scales.cpp:5:38',
      'src/scales.cpp:7:39',
      'src/scales.cpp:7:56',
    ]);
    const [first, second] = [{ ...weigh, symbol: 'Scale.weigh#1' }, { symbol: 'Scale.weigh#2' }];
    expect(await session.places('find_references', first)).toEqual(['src/scales.cpp:7:39']);
    expect(await session.places('find_references', { ...weigh, ...second })).toHaveLength(2);
    const { incoming } = (await session.data('find_callers', weigh)) as { incoming: unknown[] };
    expect(incoming).toContainEqual(
      expect.objectContaining({ name: 'both', call_sites: [39, 56].map((column) => ({ line: 7, column })) }),
    );
    expect(await session.ask('rename_symbol', { ...weigh, new_name: 'put', dry_run: false })).toMatch(
      /would change 7 places in 2 files[\s\S]*it renames all 2 of weigh/,
    );
    expect(await session.data('prepare_rename', weigh)).toMatchObject({
      renamable: true,
      place: { line: 7, column: 7 },
      others: [{ line: 8, column: 7 }],
    });
    expect(await session.data('explore_symbol', weigh)).toMatchObject({
      others: [{ type_info: expect.stringContaining('double grams, int step'), line: 8, column: 7 }],
      callers_count: 2,
      references: { count: 3, top_files: [{ file: `${root}/${file}`, count: 3 }] },
    });
    expect(await session.refused('safe_delete_symbol', weigh)).toMatch(/Scale\.weigh is used in 3 places/);
    const spare = { file_path: file, symbol: 'spare' };
    expect(await session.ask('safe_delete_symbol', spare)).toMatch(
      /it deletes all 2 of (shop\.)?spare: 8:12, 10:12/,
    );
    expect(await session.ask('inspect_symbol', weigh)).toContain('"symbol":"Scale.weigh#2"');
    for (const scale of [{ symbol: 'Scale' }, { ...weigh, symbol: 'Scale' }])
      expect(await session.places('find_references', scale)).toContain('src/scales.cpp:7:10');
    // In the middle of a name that the server's list lacks.
    const inside = await session.places('find_references', { file_path: file, line: 7, column: 41 });
    expect(inside).toEqual(['src/scales.cpp:7:39']);
    await world.end();
  });

  it('does not claim to know all uses when clangd knows only the files that were opened', async () => {
    await using world = realWorld('', { fixture: 'cpp' });
    const session = await world.session();
    const question = { file_path: 'include/pricing.hpp', line: 6, column: 34 };
    const { raw } = await session.frontEnd.call('find_references', question);
    const { data, complete } = raw.structuredContent as { data: readonly unknown[]; complete: boolean };
    if (complete) expect(data).toHaveLength(1);
    await world.end();
  });

  it('is navigated, searched, outlined and checked', async () => {
    await using world = worldWithDatabase();
    const { workspace } = world;
    const session = await world.session();
    const [inMain, inHeader] = [{ file_path: 'src/main.cpp' }, { file_path: 'include/store.hpp' }];

    // The very first question, and by position: clangd would answer it before it has begun to read the other files.
    expect(
      await session.places('find_references', {
        ...inHeader,
        line: 18,
        column: 7,
        include_declaration: true,
      }),
    ).toEqual(['.hpp', '.cpp'].flatMap((extension) => occurrences(workspace, 'Shelf', extension)));
    expect(
      await session.places('go_to_definition', { ...inMain, position_pattern: 'shop::@@total(' }),
    ).toEqual(['include/pricing.hpp:6:34']);
    expect(
      await session.places('go_to_type_definition', { ...inMain, position_pattern: '  @@shelf.receive' }),
    ).toEqual(['include/store.hpp:18:7']);
    expect(
      await session.places('go_to_declaration', {
        file_path: 'src/store.cpp',
        position_pattern: 'Shelf::@@receive',
      }),
    ).toEqual(['include/store.hpp:20:8']);
    expect(await session.places('go_to_implementation', { ...inHeader, symbol: 'Store' })).toEqual([
      'include/store.hpp:18:7',
    ]);
    expect(
      await session.places('go_to_definition', { ...inMain, position_pattern: 'sell(@@shelf, "tea 🍵", 2)' }),
    ).toEqual(['src/main.cpp:13:15']);
    expect(await session.ask('inspect_symbol', { ...inHeader, symbol: 'Store.take' })).toContain(
      'virtual bool take(const std::string &name, int quantity) = 0',
    );
    expect(await session.outline('include/store.hpp')).toEqual(
      expect.arrayContaining(['shop.Store.take', 'shop.Shelf.receive', 'shop.Shelf.items_']),
    );
    expect(await session.data('find_symbol', { query: 'Shelf' })).toContainEqual(
      expect.objectContaining({ name: 'Shelf', file: workspace.file('include/store.hpp'), line: 18 }),
    );
    expect(await session.data('get_server_capabilities')).toMatchObject({
      server_name: 'clangd',
      fallback_tools: [],
      unsupported_tools: [],
    });

    const file = 'src/broken.cpp';
    expect(await session.problems(file)).toEqual(['5 typecheck_nonviable_condition', '6 no_member']);
    world.edit(file, '= 42', '= "42"');
    world.edit(file, 'missing_method', 'available');
    expect(await session.problems(file)).toEqual([]);
    expect(await session.ask('restart_lsp_server')).toContain('restarted successfully (cpp)');
    world.edit(file, 'available(wanted)', 'available(wanted, 1)');
    expect(await session.problems(file)).toEqual(['6 typecheck_call_too_many_args_one']);
    await world.end();
  });
});
