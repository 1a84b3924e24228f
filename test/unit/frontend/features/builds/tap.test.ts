/** Streams of Node's test runner in which texts look like the protocol. */
import { describe, expect, it } from 'vitest';
import { tapStream } from '../../../../../src/frontend/features/builds/readers/tap.ts';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';

interface Stream {
  readonly title: string;
  readonly lines: readonly string[];
  readonly ran: number | undefined;
  readonly failed: readonly string[];
}

const DETAILS = ['  ---', "  error: 'it is off'", '  ...'];

const STREAMS: readonly Stream[] = [
  {
    title: 'a test in a test',
    lines: [
      '# Subtest: outer',
      ...['# Subtest: inner', 'not ok 1 - inner', ...DETAILS, '1..1'].map((line) => `    ${line}`),
      ...['not ok 1 - outer', '  ---', "  failureType: 'subtestsFailed'", '  ...'],
      ...['# tests 1', '# skipped 0'],
    ],
    ran: 1,
    failed: ['outer > inner: it is off'],
  },
  {
    title: 'what is still to be done, and what is skipped',
    lines: ['not ok 1 - a # TODO later', ...DETAILS, 'ok 2 - b # SKIP', '# tests 2', '# skipped 1'],
    ran: 1,
    failed: [],
  },
  {
    title: 'a name that ends like a directive',
    lines: ['not ok 1 - fix \\# TODO', ...DETAILS, '# tests 1', '# skipped 0'],
    ran: 1,
    failed: ['fix # TODO: it is off'],
  },
  {
    title: 'a failure that was only printed',
    lines: ['# not ok 7 - printed', 'ok 1 - a', '# tests 1', '# skipped 0'],
    ran: 1,
    failed: [],
  },
  {
    title: 'no end, which leaves open how many there are',
    lines: ['not ok 1 - a', '  ---', "  error: 'it is off'"],
    ran: undefined,
    failed: ['a: it is off'],
  },
];

describe('a stream with', () => {
  it.each(STREAMS)('$title is read right', async ({ lines, ran, failed }) => {
    const reader = tapStream({ cwd: absolutePath('/w'), report: undefined, startedAt: 0 });
    for (const line of ['TAP version 13', ...lines]) reader.line(line);
    const { findings, total } = await reader.done();
    expect(findings.map(({ test, message }) => `${test}: ${message}`)).toEqual(failed);
    expect(total).toBe(ran);
  });
});
