import { describe, expect, it } from 'vitest';
import { fakeSession } from './fake-session.ts';

const TWINS = `
//- a.fake
class Left {
  run() {
  }
}
class Right {
  run() {
  }
}
run();
//- b.fake
function run() {
}
other(run, 1);
`;

const firstLine = (text: string) => text.split('\n')[0] ?? '';

describe('naming a place', () => {
  it('takes a name path in a file', async () => {
    await using session = await fakeSession(TWINS);
    expect(await session.ask('inspect_symbol', { file_path: 'a.fake', symbol: 'Right.run' })).toContain(
      'a.fake:6:3',
    );
    expect(await session.ask('inspect_symbol', { file_path: 'a.fake', symbol: 'Right::run' })).toContain(
      'a.fake:6:3',
    );
  });

  it('lists candidates with locators instead of guessing', async () => {
    await using session = await fakeSession(TWINS);
    const text = await session.ask('inspect_symbol', { file_path: 'a.fake', symbol: 'run' });
    expect(text.split('\n')).toEqual([
      `AMBIGUOUS: 2 places fit run in a.fake; root ${session.workspace.root}`,
      '  method Left.run  file_path:"a.fake", line:2, column:3 (or symbol:"run#1")',
      '  method Right.run  file_path:"a.fake", line:6, column:3 (or symbol:"run#2")',
      'next: call again with one of these locators',
    ]);
    expect(await session.ask('inspect_symbol', { file_path: 'a.fake', symbol: 'run#2' })).toContain(
      'a.fake:6:3',
    );
    const third = await session.call('inspect_symbol', { file_path: 'a.fake', symbol: 'run#3' });
    expect(third.text).toBe('a.fake has 2 of run. Pass #1 to #2.');
  });

  it('finds a name path in the whole workspace', async () => {
    await using session = await fakeSession(TWINS);
    expect(await session.ask('inspect_symbol', { symbol: 'Left.run' })).toContain('a.fake:2:3');
    // This server takes all of one name in a file for one symbol, and does not say what they are in.
    expect(await session.ask('inspect_symbol', { symbol: 'run' })).toMatch(/^AMBIGUOUS: 2 places fit run/);
    // What stands at the edge of a file comes before what is inside something.
    expect(await session.ask('inspect_symbol', { symbol: 'run#1' })).toContain('b.fake:1:10');
    const none = await session.call('inspect_symbol', { symbol: 'nowhere' });
    expect(none.text).toContain('no symbol nowhere in the workspace (asked: fake-lsp ready)');
  });

  it('lists what is exported first and tests last, and every candidate can be had by its number', async () => {
    const tests = Array.from(
      { length: 11 },
      (_, index) => `//- test/t${index + 10}.test.fake\nfunction twin() {\n}\n`,
    );
    const text = `${tests.join('')}//- src/b.fake\nfunction twin() {\n}\n//- src/z.fake\nexport function twin() {\n}\n`;
    await using session = await fakeSession(text);
    const { text: answer, raw } = await session.call('inspect_symbol', { symbol: 'twin' });
    expect(raw.isError).toBeUndefined();
    const [first, ...lines] = answer.split('\n');
    expect(first).toMatch(/^AMBIGUOUS: 13 places fit twin/);
    expect(lines.slice(0, 3)).toEqual([
      '  function twin  file_path:"src/z.fake", line:1, column:17 (or symbol:"twin#1")',
      '  function twin  file_path:"src/b.fake", line:1, column:10 (or symbol:"twin#2")',
      '  function twin  file_path:"test/t10.test.fake", line:1, column:10 (or symbol:"twin#3")',
    ]);
    expect(lines).toContain(
      '  3 more: #11 test/t18.test.fake:1:10, #12 test/t19.test.fake:1:10, #13 test/t20.test.fake:1:10',
    );
    expect(await session.ask('inspect_symbol', { symbol: 'twin#13' })).toContain('test/t20.test.fake:1:10');
  });

  it('lists a member before a variable inside a function', async () => {
    const text =
      '//- a.fake\nfunction early() {\n  const twin = 1;\n}\n//- b.fake\nexport class Late {\n  twin() {\n  }\n}\n';
    await using session = await fakeSession(text);
    const answer = await session.ask('inspect_symbol', { symbol: 'twin' });
    expect(answer.split('\n').slice(1, 3)).toEqual([
      expect.stringContaining('method twin  file_path:"b.fake"'),
      expect.stringContaining('file_path:"a.fake"'),
    ]);
  });

  it('says what was meant by a name that is not there', async () => {
    await using session = await fakeSession();
    for (const tool of ['inspect_symbol', 'find_references'])
      expect((await session.call(tool, { symbol: 'Clinet' })).text).toContain('Did you mean Client');
    const { text } = await session.call('go_to_symbol', { symbol_path: 'Stopable' });
    expect(text).toContain('did you mean Stoppable?');
  });

  it('takes a name that is only used in the file', async () => {
    await using session = await fakeSession(TWINS);
    expect(await session.ask('inspect_symbol', { file_path: 'b.fake', symbol: 'other' })).toContain(
      'b.fake:3:1',
    );
  });

  it('suggests similar names when there is none', async () => {
    await using session = await fakeSession(TWINS);
    const { text, isError } = await session.call('inspect_symbol', {
      file_path: 'a.fake',
      symbol: 'Left.runs',
    });
    expect(isError).toBe(true);
    expect(text).toBe('a.fake has no symbol Left.runs. Did you mean Left.run, Right.run?');
  });

  it('takes text with a marker, also over several lines and within a scope', async () => {
    await using session = await fakeSession(TWINS);
    const at = async (args: Record<string, unknown>) =>
      firstLine(await session.ask('inspect_symbol', { file_path: 'a.fake', ...args })).split('   ')[1];
    expect(await at({ position_pattern: 'class Right {\n  @@run()' })).toBe('a.fake:6:3');
    expect(await at({ position_pattern: '@@run() {', line_scope_start: 3 })).toBe('a.fake:6:3');
    const outside = await session.call('inspect_symbol', {
      file_path: 'a.fake',
      position_pattern: 'class @@Left',
      line_scope_start: 3,
      line_scope_end: 5,
    });
    expect(outside.text).toContain('"class Left" does not occur in lines 3-5');
    const unmarked = await session.call('inspect_symbol', { file_path: 'a.fake', position_pattern: 'class' });
    expect(unmarked.text).toContain('needs exactly one @@');
  });

  it('forgives a column that is missing or a little off', async () => {
    await using session = await fakeSession(TWINS);
    const at = async (args: Record<string, unknown>) =>
      firstLine(await session.ask('inspect_symbol', { file_path: 'b.fake', ...args })).split('   ')[1];
    expect(await at({ line: 1 })).toBe('b.fake:1:10');
    expect(await at({ line: 3, symbol: 'run' })).toBe('b.fake:3:7');
    expect(await at({ line: 3, column: 9 })).toBe('b.fake:3:9');
    await session.workspace.write('b.fake', 'function run() {\n}\n    run;\n');
    expect(await at({ line: 3, column: 3 })).toBe('b.fake:3:5');
  });

  it('lists the names of a line when none is singled out', async () => {
    await using session = await fakeSession(TWINS);
    const text = await session.ask('inspect_symbol', { file_path: 'b.fake', line: 3 });
    expect(text).toContain('AMBIGUOUS: 2 places fit b.fake:3 without a column');
    expect(text).toContain('  run  file_path:"b.fake", line:3, column:7');
  });

  it('says where a name is when it is not on the line', async () => {
    await using session = await fakeSession(TWINS);
    const { text } = await session.call('inspect_symbol', { file_path: 'b.fake', line: 2, symbol: 'run' });
    expect(text).toBe('line 2 of b.fake has no run. The nearest one is at 1:10.');
  });
});
