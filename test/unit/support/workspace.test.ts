import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { delay } from '../../../src/shared/base/lifetime.ts';
import { gate, Journal, until } from '../../support/events.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { requirement } from '../../support/requirements.ts';
import { createWorkspace, parseSections, takeCursor } from '../../support/workspace.ts';

it('makes files from sections and remembers the cursor', async () => {
  await using workspace = createWorkspace(`
    //- src/a.ts
    class A {
      me$0thod() {}
    }
    //- b.txt
    plain
  `);
  expect(workspace.read('src/a.ts')).toBe('class A {\n  method() {}\n}\n');
  expect(workspace.read('b.txt')).toBe('plain\n');
  expect(workspace.cursor()).toEqual({ file: workspace.file('src/a.ts'), line: 2, column: 5 });
  expect(() => workspace.cursor('b.txt')).toThrow('0 cursors');
});

it('removes everything when it is disposed', async () => {
  const workspace = createWorkspace('//- a.txt\nx');
  await workspace[Symbol.asyncDispose]();
  expect(existsSync(path.dirname(workspace.root))).toBe(false);
});

it('copies a fixture', async () => {
  await using workspace = createWorkspace('//- src/more.ts\nexport {};\n', { fixture: 'typescript' });
  expect(workspace.read('tsconfig.json')).toContain('strict');
  expect(workspace.read('src/more.ts')).toBe('export {};\n');
});

it('gives child processes nothing of the environment around the tests', async () => {
  await using workspace = createWorkspace();
  const print = 'process.stdout.write(JSON.stringify(process.env))';
  const seen = JSON.parse(
    execFileSync(process.execPath, ['-e', print], { env: workspace.env({ EXTRA: '1' }), encoding: 'utf8' }),
  );
  expect(seen).toMatchObject({ HOME: workspace.home, AGENT_LSP_STATE_DIR: workspace.stateDir, EXTRA: '1' });
  expect(Object.keys(seen).filter((name) => name.startsWith('VITEST'))).toEqual([]);
});

it('takes any marker for the cursor, but only one', () => {
  expect(takeCursor('ab|c', '|')).toEqual({ text: 'abc', point: { line: 1, column: 3 } });
  expect(takeCursor('a\n🍵$0b')).toEqual({ text: 'a\n🍵b', point: { line: 2, column: 3 } });
  expect(takeCursor('abc').point).toBeUndefined();
  expect(() => takeCursor('a||', '|')).toThrow('more than one');
  expect(() => parseSections('text\n//- a\n')).toThrow('before the first');
});

it('waits for a condition and says what did not come', async () => {
  let looks = 0;
  expect(await until(() => ++looks > 2 && 'there', { what: 'the third look' })).toBe('there');
  await expect(
    until(() => false, { what: 'a miracle', timeoutMs: 30, seen: () => 'only rain' }),
  ).rejects.toThrow('waited 30 ms for a miracle\nonly rain');
});

it('reads complete journal lines only, and shows them when nothing comes', async () => {
  await using workspace = createWorkspace();
  const file = workspace.write('journal.jsonl', '{"event":"start","instance":1}\n{"event":"recei');
  const journal = new Journal(file);
  expect(journal.entries()).toMatchObject([{ event: 'start' }]);
  await expect(journal.waitFor(['exit'], { timeoutMs: 30 })).rejects.toThrow(/journal entry exit.*1 start/s);
});

it('opens and closes gates', async () => {
  await using workspace = createWorkspace();
  const { path: file, open, close } = gate(workspace.scratch, 'x');
  expect(existsSync(file)).toBe(false);
  open();
  expect(existsSync(file)).toBe(true);
  close();
  expect(existsSync(file)).toBe(false);
});

it('runs timers in the order of their time, also those set by other timers, and lets promises settle between', async () => {
  const clock = new FakeClock(1_000);
  const seen: string[] = [];
  clock.after(20, () => seen.push(`second at ${clock.now()}`));
  clock.after(10, () => {
    seen.push(`first at ${clock.now()}`);
    clock.after(5, () => seen.push(`nested at ${clock.now()}`));
  });
  void delay(10, { clock }).then(() => seen.push(`promise at ${clock.now()}`));
  clock.after(30, () => seen.push('too late'));
  clock.after(1, () => seen.push('cancelled'))[Symbol.dispose]();
  await clock.advance(25);
  expect(seen).toEqual(['first at 1010', 'promise at 1010', 'nested at 1015', 'second at 1020']);
  expect([clock.now(), clock.pending, clock.nextIn]).toEqual([1_025, 1, 5]);
});

it('finds a tool that is on every machine with this repository', () => {
  expect(requirement('git')).toMatchObject({
    kind: 'found',
    version: expect.stringContaining('git version'),
  });
});
