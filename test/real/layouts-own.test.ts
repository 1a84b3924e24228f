/**
 * The same workspaces with `--typescript own`: typescript-language-server with the project's TypeScript 5, which knows
 * opened projects only. Its answers may be INCOMPLETE where those of TypeScript 7 are exact, but never silently short.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { ACROSS_TOOLS } from '../support/layout-truth.ts';
import { type LayoutName, layouts } from '../support/layouts.ts';
import { type Judged, type LayoutRun, runLayout } from './layout-session.ts';

/** Where uses and calls cannot all be found. */
const INCOMPLETE: readonly LayoutName[] = ['packages that are not built', 'a source that is a link'];
/** There the second in which occurrences are looked at can be over before all were. */
const EITHER: readonly LayoutName[] = ['many loose files'];
const NAMES = Object.keys(layouts) as LayoutName[];
const runs = new Map<LayoutName, LayoutRun>();

describe.each(NAMES)("the project's own TypeScript asked about %s", (layout) => {
  let run: LayoutRun;
  beforeAll(async () => {
    run = await runLayout(layout, 'own');
    runs.set(layout, run);
  });

  it('finds uses and calls exactly, or says what it has not searched', () => {
    const certain = INCOMPLETE.includes(layout) ? 'INCOMPLETE' : 'exact';
    const expected = EITHER.includes(layout) ? expect.stringMatching(/^(?:exact|INCOMPLETE)$/) : certain;
    expect(run.first.verdicts).toMatchObject({ find_references: expected, find_callers: expected });
  });

  it('finds implementations exactly, or says what it has not searched', () => {
    expect(run.first.verdicts.go_to_implementation).toMatch(/^(?:exact|INCOMPLETE)$/);
  });

  it('answers the same when it is asked again', () => {
    // What symbols are found depends on the file that was opened first; see below.
    expect(withoutSymbols(run.second)).toEqual(withoutSymbols(run.first));
  });

  it('is one server for the whole workspace', () => {
    expect(run.servers).toBe(1);
  });
});

function withoutSymbols({ verdicts, reasons, found }: Judged) {
  const others = ACROSS_TOOLS.filter((tool) => tool !== 'find_symbol');
  return others.map((tool) => [tool, verdicts[tool], reasons[tool], found[tool]]);
}

// typescript-language-server asks its engine about the projects of one open file only.
it("the project's own TypeScript finds symbols of all projects, or says what it has not searched", () => {
  const verdicts = [...runs].map(([layout, { first, second }]) => [
    layout,
    first.verdicts.find_symbol,
    second.verdicts.find_symbol,
  ]);
  expect(verdicts).toHaveLength(NAMES.length);
  expect(verdicts.filter((each) => each.some((verdict) => verdict.startsWith('silently')))).toEqual([]);
});
