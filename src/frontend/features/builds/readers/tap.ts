/**
 * The Test Anything Protocol as Node's test runner writes it: subtests are indented, details are YAML blocks.
 * Decision: docs/decisions/dependencies.md#tap-by-a-reader-of-our-own
 */
import { placeIn } from '../finding-places.ts';
import { type BuildFinding, FILE_STEP, type OutputReader, type RunPlace } from '../runner.ts';
import { withoutStack } from './javascript.ts';

interface OpenTest {
  readonly depth: number;
  readonly name: string;
  readonly details: string[];
}

/** What is skipped or still to be done may fail. */
const DIRECTIVE = / # [A-Z]{4}\b/;

export function tapStream(place: RunPlace): OutputReader {
  const failures: BuildFinding[] = [];
  const parents: string[] = [];
  const comments: string[] = [];
  let open: OpenTest | undefined;
  let inDetails = false;
  let total: number | undefined;
  let skipped = 0;

  const close = () => {
    const finding = open && failureOf(open, parents, comments, place.cwd);
    if (finding) failures.push(finding);
    open = undefined;
    inDetails = false;
  };

  return {
    line(text) {
      const depth = (text.length - text.trimStart().length) / 4;
      const trimmed = text.trim();
      if (inDetails) {
        if (trimmed === '...') close();
        else open?.details.push(text);
        return '';
      }
      if (open && trimmed === '---') {
        inDetails = true;
        return '';
      }
      if (open) close();
      const subtest = /^# Subtest: (.*)$/.exec(trimmed);
      if (subtest) {
        parents.length = Math.floor(depth);
        parents.push(unescaped(subtest[1] ?? ''));
        return '';
      }
      const failed = /^not ok \d+ - (.*)$/.exec(trimmed);
      if (failed && !DIRECTIVE.test(trimmed)) open = { depth, name: unescaped(failed[1] ?? ''), details: [] };
      const count = /^# (tests|skipped) (\d+)$/.exec(trimmed);
      if (count?.[1] === 'tests') total = Number(count[2]);
      if (count?.[1] === 'skipped') skipped = Number(count[2]);
      if (trimmed.startsWith('# ') && !count) comments.push(trimmed.slice(2));
      if (comments.length > 200) comments.splice(0, 100);
      return text;
    },
    done() {
      close();
      return { findings: failures, total: total === undefined ? undefined : total - skipped, skipped };
    },
  };
}

function failureOf(
  { depth, name, details }: OpenTest,
  parents: readonly string[],
  comments: string[],
  cwd: string,
): BuildFinding | undefined {
  const text = details.join('\n');
  // A suite fails with its tests, which have been told.
  if (/failureType: 'subtestsFailed'/.test(text)) return undefined;
  const place = /location: '(?<file>.+):(?<line>\d+):(?<column>\d+)'/.exec(text)?.groups;
  const own = place?.file;
  const stack = block('stack', details);
  const at =
    placeIn(stack, cwd, own) ??
    (place ? { file: own, line: Number(place.line), column: Number(place.column) } : undefined);
  const error = block('error', details);
  // When a whole file fails, what it printed says why.
  const from = comments.findIndex((line) => /^\w*Error\b/.test(line));
  const printed = error === 'test failed' ? withoutStack(comments.slice(Math.max(0, from)).join('\n')) : '';
  comments.length = 0;
  const path = [...parents.slice(0, depth), name].join(' > ');
  const test = path === own ? FILE_STEP : path;
  return { ...at, test, severity: 'error', message: printed || error || 'failed' };
}

/** A value of the details: on its own line, or as an indented block below its name. */
function block(name: string, details: readonly string[]): string {
  const at = details.findIndex((line) => line.trimStart().startsWith(`${name}: `));
  const line = details[at];
  if (line === undefined) return '';
  const value = line.trimStart().slice(name.length + 2);
  if (!/^\|-?$/.test(value)) return value.replace(/^'(.*)'$/, '$1').replaceAll("''", "'");
  const indent = line.length - line.trimStart().length;
  const end = details.findIndex(
    (each, index) => index > at && each.trim() !== '' && indentOf(each) <= indent,
  );
  const lines = details.slice(at + 1, end < 0 ? undefined : end);
  return lines
    .map((each) => each.slice(indent + 2))
    .join('\n')
    .trim();
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Names have `#` and backslash escaped. */
function unescaped(name: string): string {
  return name.replace(/\\([#\\])/g, '$1');
}
