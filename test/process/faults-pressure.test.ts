/** Answers that are far too large, and front ends that do not take theirs: nobody else waits for them. */
import { describe, expect, it } from 'vitest';
import { pathToUri } from '../../src/shared/base/paths.ts';
import type { Json } from '../../src/shared/link/server-plan.ts';
import { gate } from '../support/events.ts';
import type { FaultSession } from '../support/fault-session.ts';
import { described, faultWorld, inspect } from '../support/fault-world.ts';
import type { Workspace } from '../support/workspace.ts';

const HUGE_BYTES = 100_000_000;
const LARGE_BYTES = 5_000_000;
/** Calls of one session that are at the server at the same time. */
const AT_A_TIME = 8;
/** What a tool may answer at most, with room for what is around the text. */
const ANSWER_CHARS = 70_000;

/** A hover of so many bytes in lines of a hundred. */
function hover(bytes: number): Json {
  return { contents: { kind: 'plaintext', value: `${'documentation '.repeat(7)}\n`.repeat(bytes / 99) } };
}

function locations(workspace: Workspace, count: number): Json {
  const location = (line: number) => ({
    uri: pathToUri(workspace.file('many.fake')),
    range: { start: { line, character: 9 }, end: { line, character: 11 } },
  });
  return Array.from({ length: count }, (_, index) => location(index));
}

describe('a result that is too large', () => {
  it('of 100 MB is cut to what a tool may answer, and broker and server live on', async () => {
    await using world = faultWorld({
      scenario: { rules: [{ on: 'textDocument/hover', nth: 1, do: { result: hover(HUGE_BYTES) } }] },
    });
    const [session, other] = [await world.start(), await world.start()];
    const { text, isError } = await session.call('inspect_symbol', {
      file_path: 'many.fake',
      line: 1,
      column: 10,
      full: true,
    });
    expect(isError).toBe(false);
    expect(text).toMatch(/cut after \d+ of \d+ characters/);
    expect(text.length).toBeLessThan(ANSWER_CHARS);
    expect(await inspect(session, 2)).toBe(described(2));
    expect(await inspect(other, 3)).toBe(described(3));
    expect(world.serverPids()).toHaveLength(1);
    expect(world.brokerProcesses()).toHaveLength(1);
    await world.end();
  });

  it('of a hundred thousand places is counted and shown in part', async () => {
    await using world = faultWorld({
      scenario: (workspace) => ({
        rules: [{ on: 'textDocument/references', nth: 1, do: { result: locations(workspace, 100_000) } }],
      }),
    });
    const session = await world.start();
    const { text, isError } = await session.call('find_references', {
      file_path: 'many.fake',
      line: 1,
      column: 10,
    });
    expect(isError).toBe(false);
    expect(text).toMatch(/^99999 references to f1/);
    expect(text).toMatch(/more references not shown; pass cursor:/);
    expect(text.length).toBeLessThan(ANSWER_CHARS);
    expect(await inspect(session, 2)).toBe(described(2));
    expect(world.brokerProcesses()).toHaveLength(1);
    await world.end();
  });
});

describe('a front end that takes no answers', () => {
  it.each<{
    readonly which: string;
    readonly stall: (session: FaultSession) => void;
    readonly goOn: (session: FaultSession) => void;
  }>([
    {
      which: 'whose output nobody reads',
      stall: (session) => session.stopReading(),
      goOn: (session) => session.readOn(),
    },
    {
      which: 'that stands still',
      stall: (session) => session.signal('SIGSTOP'),
      goOn: (session) => session.signal('SIGCONT'),
    },
  ])('$which does not slow another one, and has all its answers later', async ({ stall, goOn }) => {
    await using world = faultWorld({
      text: '//- large.fake\nfunction large\n',
      scenario: ({ scratch }) => ({
        rules: [
          {
            on: 'textDocument/hover',
            file: 'large.fake',
            do: [{ gate: gate(scratch, 'answer').path }, { result: hover(LARGE_BYTES) }],
          },
        ],
      }),
    });
    const [stuck, other] = [await world.start(), await world.start()];
    const { journal } = world.server;
    const large = { file_path: 'large.fake', line: 1, column: 10, full: true };
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    const answers = ids.map((id) => stuck.call('inspect_symbol', large, id));
    await journal.waitFor(['received', 'textDocument/hover'], { count: AT_A_TIME });
    stall(stuck);
    gate(world.workspace.scratch, 'answer').open();
    await journal.waitFor(['replied', 'textDocument/hover'], { count: AT_A_TIME });
    for (let line = 1; line <= 9; line++) expect(await inspect(other, line)).toBe(described(line));
    expect(stuck.answerCounts()).toEqual({ '"handshake"': 1 });

    goOn(stuck);
    for (const { text } of await Promise.all(answers)) expect(text).toMatch(/cut after/);
    expect(await inspect(stuck, 10, 'last')).toBe(described(10));
    expect(stuck.answerCounts()).toEqual(
      Object.fromEntries(['"handshake"', '"last"', ...ids].map((id) => [id, 1])),
    );
    await world.end();
  });
});
