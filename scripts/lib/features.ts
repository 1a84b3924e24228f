/** `test/features.json`: which test shows which capability. Read and checked here, printed by `docs.ts`. */
import type { Problem } from './report.ts';
import { lineAt, readText } from './tree.ts';

export const featuresFile = 'test/features.json';

export interface Feature {
  readonly row: number;
  readonly text: string;
  /** `test/unit/x.test.ts > title`, with or without the suites in front of the title. */
  readonly tests: readonly string[];
  /** Not built, or with tests: not all of it. */
  readonly planned?: boolean;
}

export interface FeatureTable {
  readonly features: readonly Feature[];
  readonly problems: readonly Problem[];
  /** Where a row stands in the file. */
  lineOf(row: number): number | undefined;
}

export function readFeatures(root: string): FeatureTable {
  const text = readText(root, featuresFile);
  const lines = new Map<number, number>();
  for (const match of text.matchAll(/"row":\s*(\d+)/g)) {
    const row = Number(match[1]);
    if (!lines.has(row)) lines.set(row, lineAt(text, match.index));
  }
  const parsed: unknown = JSON.parse(text);
  const entries = Array.isArray(parsed) ? parsed : [];
  const features = entries.filter(isFeature);
  const problems = entries
    .filter((entry) => !isFeature(entry))
    .map((entry) => ({
      file: featuresFile,
      line: lines.get(Number(entry?.row)),
      message: `needs row, text and tests, and knows only planned besides: ${JSON.stringify(entry).slice(0, 120)}`,
    }));
  if (!Array.isArray(parsed)) problems.push({ file: featuresFile, line: 1, message: 'is not an array' });
  return { features, problems, lineOf: (row) => lines.get(row) };
}

export function stateOf(feature: Feature): 'built' | 'partly' | 'planned' {
  if (feature.tests.length === 0) return 'planned';
  return feature.planned === true ? 'partly' : 'built';
}

const fields = new Set(['row', 'text', 'tests', 'planned']);

function isFeature(entry: unknown): entry is Feature {
  if (typeof entry !== 'object' || entry === null) return false;
  const { row, text, tests, planned }: Partial<Record<keyof Feature, unknown>> = entry;
  return (
    Object.keys(entry).every((key) => fields.has(key)) &&
    Number.isInteger(row) &&
    typeof text === 'string' &&
    text.trim() !== '' &&
    Array.isArray(tests) &&
    tests.every((test) => typeof test === 'string') &&
    (planned === undefined || typeof planned === 'boolean')
  );
}
