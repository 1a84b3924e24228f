/** Every capability is either shown by tests that exist, or openly planned; and so is every invariant. */
import { featuresFile, readFeatures, stateOf } from './lib/features.ts';
import { type CheckResult, type Problem, runWhenMain } from './lib/report.ts';
import { collectTestNames, type TestNames, testFault } from './lib/test-names.ts';
import { lineAt, readTextIfThere } from './lib/tree.ts';

/** Rows of the feature table; a new capability gets the next number. */
const rowCount = 333;

export function checkFeatures(root: string): CheckResult {
  const { features, problems: malformed, lineOf } = readFeatures(root);
  const names = collectTestNames(root);
  const problems: Problem[] = [...malformed];
  const seen = new Set<number>();
  for (const feature of features) {
    const say = (message: string): void => {
      problems.push({
        file: featuresFile,
        line: lineOf(feature.row),
        message: `row ${feature.row} ${message}`,
      });
    };
    if (seen.has(feature.row)) say('occurs twice');
    seen.add(feature.row);
    if (feature.row < 1 || feature.row > rowCount) say(`is not one of 1 to ${rowCount}`);
    if (feature.tests.length === 0 && feature.planned !== true) say('has no test and is not planned');
    if (new Set(feature.tests).size !== feature.tests.length) say('names a test twice');
    for (const test of feature.tests) {
      const fault = testFault(test, names);
      if (fault !== undefined) say(fault);
    }
  }
  problems.push(...invariantFaults(root, names));
  for (let row = 1; row <= rowCount; row += 1) {
    if (!seen.has(row)) problems.push({ file: featuresFile, message: `row ${row} is missing` });
  }
  const count = (state: string): number => features.filter((feature) => stateOf(feature) === state).length;
  const note = `${count('built')} built, ${count('partly')} partly, ${count('planned')} planned; ${names.count} tests known`;
  return { problems, notes: [note] };
}

/** ARCHITECTURE.md names its tests in backticks, like the feature table does. */
function invariantFaults(root: string, names: TestNames): Problem[] {
  const file = 'ARCHITECTURE.md';
  const text = readTextIfThere(root, file) ?? '';
  return [...text.matchAll(/`(test\/[^`]+\.test\.ts > [^`]+)`/g)].flatMap((match) => {
    const fault = testFault(match[1] ?? '', names);
    return fault === undefined ? [] : [{ file, line: lineAt(text, match.index), message: fault }];
  });
}

await runWhenMain(import.meta.url, 'features', checkFeatures);
