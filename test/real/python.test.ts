/** A Python project with the embedded pyright, shared between sessions, and with packages of its own environment. */
import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startFrontEnd } from '../support/mcp-client.ts';
import { occurrences, realWorld, sharedServers } from '../support/real-session.ts';
import type { Workspace } from '../support/workspace.ts';

/** pyright makes Markdown of it, with marks and blanks that only a browser reads. */
const RATES = `def rate_of(unit_price: int, *args: int) -> int:
    """The unit_price of *args in a [list], <b> and ~all; \`as_it_is\`.

    Args:
        unit_price: what one_of them costs
            and what_else there is
    """
    return unit_price
`;

describe('Python with the embedded server', () => {
  it('is told which interpreter is used when many imports cannot be resolved', async () => {
    const names = ['alpha_pkg', 'beta_pkg', 'gamma_pkg', 'delta_pkg'];
    const text = `//- app.py\n${names.map((name) => `import ${name}`).join('\n')}\nundefined_name\n`;
    await using world = realWorld(text);
    await using frontEnd = await startFrontEnd({ workspace: world.workspace, args: ['--daemon', 'never'] });
    const { text: answer } = await frontEnd.call('get_diagnostics', { file_path: 'app.py' });
    expect(answer).toMatch(
      /4 imports cannot be resolved \(interpreter on PATH, no virtual environment was found\); .*alpha_pkg, beta_pkg/,
    );
    expect(answer.match(/cannot be resolved|could not be resolved/g)).toHaveLength(1);
    expect(answer).toContain('undefined_name');
    await frontEnd.close();
    await world.end();
  });

  it('is navigated, searched and outlined, from one server for two sessions', async () => {
    await using world = realWorld('', { fixture: 'python' });
    const { workspace } = world;
    const session = await world.session();
    const inCheckout = { file_path: 'corner_shop/checkout.py' };
    const ofOrder = { symbol: 'Order', file_path: 'corner_shop/order.py', include_declaration: true };

    // The first question of all spans files, so that it has to wait for the whole project.
    const uses = await session.places('find_references', ofOrder);
    expect(uses).toEqual(occurrences(workspace, 'Order', '.py'));
    expect(
      await session.places('go_to_definition', { ...inCheckout, position_pattern: 'order = @@Order(' }),
    ).toEqual(['corner_shop/order.py:17:7']);
    expect(
      await session.places('go_to_declaration', { ...inCheckout, position_pattern: 'order = @@Order(' }),
    ).toEqual(['corner_shop/order.py:17:7']);
    expect(
      await session.places('go_to_type_definition', { ...inCheckout, position_pattern: '@@order.add_line' }),
    ).toEqual(['corner_shop/order.py:17:7']);
    expect(
      await session.refused('go_to_implementation', {
        symbol: 'Repository',
        file_path: 'corner_shop/storage/repository.py',
      }),
    ).toContain('does not support');
    expect(await session.data('get_server_capabilities')).toMatchObject({
      server_name: 'pyright',
      fallback_tools: expect.arrayContaining(['type_hierarchy']),
      unsupported_tools: expect.arrayContaining(['get_inlay_hints', 'go_to_implementation']),
    });
    expect(
      await session.ask('inspect_symbol', { symbol: 'Order.total', file_path: 'corner_shop/order.py' }),
    ).toMatch(/def total\(self: Self@Order\) -> Money.*The sum of all lines/s);
    workspace.write('corner_shop/rates.py', RATES);
    const hover = { symbol: 'rate_of', file_path: 'corner_shop/rates.py', full: true };
    const shown = await session.ask('inspect_symbol', hover);
    expect(shown).toContain('The unit_price of *args in a [list], <b> and ~all; `as_it_is`.');
    expect(shown).toMatch(/^ *unit_price: what one_of them costs$/m);
    expect(shown).not.toMatch(/&\w+;|\\/);
    expect(await session.outline('corner_shop/order.py')).toEqual(
      expect.arrayContaining(['Order.add_line', 'OrderLine.quantity', 'line_price']),
    );
    expect(await session.data('find_symbol', { query: 'Inventory' })).toContainEqual(
      expect.objectContaining({
        name: 'Inventory',
        file: workspace.file('corner_shop/inventory.py'),
        line: 20,
      }),
    );

    const file_path = 'corner_shop/unicode_names.py';
    for (const symbol of ['größe', '商品名', 'grüße'])
      expect(
        await session.places('find_references', { symbol, file_path, include_declaration: true }),
      ).toEqual(occurrences(workspace, symbol, '.py'));
    expect(
      await session.places('go_to_definition', { file_path, position_pattern: 'len(label) + @@größe' }),
    ).toEqual([`${file_path}:6:1`]);

    const [shared] = await sharedServers(workspace);
    const second = await world.session();
    expect(await second.places('find_references', ofOrder)).toEqual(uses);
    await session.frontEnd.close();
    expect(await second.places('find_references', ofOrder)).toEqual(uses);
    expect((await sharedServers(workspace)).map(({ server }) => server)).toEqual([shared?.server]);
    expect(await second.ask('restart_lsp_server')).toContain('restarted successfully (python)');
    expect(await second.places('find_references', ofOrder)).toEqual(uses);
    expect((await sharedServers(workspace))[0]?.server.pid).not.toBe(shared?.server.pid);
    await world.end();
  });

  it('has its problems reported as the files are on disk, from the first question on', async () => {
    await using world = realWorld('', { fixture: 'python' });
    const session = await world.session('--daemon', 'never');
    const file = 'corner_shop/broken.py';
    expect(await session.problems(file)).toEqual(['7 reportAssignmentType', '8 reportAttributeAccessIssue']);
    world.edit(file, 'count: str', 'count: int');
    world.edit(file, 'order.missing_method(count)', 'count');
    expect(await session.problems(file)).toEqual([]);
    world.edit(file, 'return count', 'return str(count)');
    expect(await session.problems(file)).toEqual(['8 reportReturnType']);
    await world.end();
  });

  it('is told which uses write, and of code that never runs for the server that it does not look there', async () => {
    await using world = realWorld(`
      //- state.py
      import sys

      counter = 0


      def bump(counters) -> None:
          global counter
          counter = counter + 1
          counter, other = 5, 6
          for counter in range(3):
              pass
          if (counter := 3) > 2:
              del counter


      class Box:
          size: int

          def grow(self, size=1) -> None:
              self.size = size
              self.grow(size=2)


      if sys.platform == "win32":
          bump(0)

      if sys.version_info < (3,):
          bump(1)


      def never() -> int:
          return 1
          Box().grow()
      //- use.py
      import state

      state.counter = 9
      print(state.counter)
    `);
    const session = await world.session('--daemon', 'never');
    const file_path = 'state.py';
    const writes = (symbol: string) =>
      session.places('find_references', { file_path, symbol, kind: 'write' });
    const assigned = ['8:5', '9:5', '10:9', '12:9', '13:13'].map((at) => `state.py:${at}`);
    expect((await writes('counter')).toSorted()).toEqual(
      ['state.py:3:1', ...assigned, 'use.py:3:7'].toSorted(),
    );
    expect(await writes('Box.size')).toEqual(['state.py:20:14']);
    expect(
      await session.places('find_references', { file_path, line: 19, column: 20, kind: 'write' }),
    ).toEqual([]);
    expect(await session.places('find_references', { file_path, symbol: 'counter' })).toEqual(
      expect.arrayContaining([...assigned, 'state.py:7:12', 'use.py:3:7', 'use.py:4:13']),
    );

    for (const [tool, position_pattern] of [
      ['go_to_definition', '@@bump(0)'],
      ['go_to_definition', '@@bump(1)'],
      ['go_to_definition', 'Box().@@grow()'],
      ['find_references', 'Box().@@grow()'],
      ['find_callers', 'Box().@@grow()'],
      ['get_document_highlights', 'Box().@@grow()'],
    ] as const) {
      const { text } = await session.frontEnd.call(tool, { file_path, position_pattern });
      expect(text, `${tool} ${position_pattern}`).toMatch(
        /INCOMPLETE: pyright takes the code .* for unreachable/,
      );
    }
    await world.end();
  });

  it('finds the packages of a virtual environment in the project', async () => {
    await using world = realWorld(
      `
      //- pyproject.toml
      [project]
      name = "till"
      version = "0.1.0"
      //- till.py
      from receipts import Printer, missing

      printer: str = Printer()
      //- .venv/pyvenv.cfg
      home = /usr/bin
      //- ${PACKAGES}/receipts/__init__.py
      class Printer:
          def print(self, text: str) -> None: ...
      //- ${PACKAGES}/receipts/py.typed
      `,
    );
    addInterpreter(world.workspace);
    const session = await world.session('--daemon', 'never');
    expect(
      await session.places('go_to_definition', {
        file_path: 'till.py',
        position_pattern: 'import @@Printer',
      }),
    ).toEqual([`${PACKAGES}/receipts/__init__.py:1:7`]);
    expect(await session.problems('till.py')).toEqual([
      '1 reportAttributeAccessIssue',
      '3 reportAssignmentType',
    ]);
    await world.end();
  });
});

const PACKAGES = '.venv/lib/python3.11/site-packages';

/** Says what pyright asks an interpreter for, so that the test needs no Python and always has the same one. */
function addInterpreter(workspace: Workspace): void {
  const paths = { path: [workspace.file(PACKAGES)], prefix: workspace.file('.venv') };
  const script = `#!/bin/sh
case "$*" in
  *version_info*) echo '[3, 11, 7, "final", 0]' ;;
  *) echo '${JSON.stringify(paths)}' ;;
esac
`;
  chmodSync(workspace.write('.venv/bin/python', script), 0o755);
}
