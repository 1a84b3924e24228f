/**
 * JUnit's XML report, which runners of many languages can write. Only the few elements that matter are looked at, so
 * a scanner is enough; entities are resolved, nothing external is ever loaded.
 */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { escapePattern } from '../../../../shared/base/escape-pattern.ts';
import { placeIn } from '../finding-places.ts';
import {
  BUILD_STEP,
  type BuildFinding,
  type OutputReader,
  type OutputReading,
  type RunPlace,
} from '../runner.ts';
import { reportText } from './json.ts';

export interface JUnitOptions {
  /** Which of the places in a trace is the one to look at: Python has the innermost call last. */
  readonly pick?: 'first' | 'last';
}

/** A report at the place that the runner was told. */
export function junitReport(options: JUnitOptions = {}) {
  return (place: RunPlace): OutputReader => ({
    line: (text) => text,
    done() {
      const xml = reportText(place.report);
      return xml === undefined
        ? { findings: [], doubt: 'the runner wrote no report' }
        : readJUnit([xml], place.cwd, options);
    },
  });
}

/** Reports where the build tool puts them, those of this run only. */
export function junitReportsIn(directories: RegExp, compileErrors?: (place: RunPlace) => OutputReader) {
  return (place: RunPlace): OutputReader => {
    const compiler = compileErrors?.(place);
    return {
      line: (text) => compiler?.line(text) ?? text,
      async done() {
        const built = (await compiler?.done())?.findings.filter(({ severity }) => severity === 'error') ?? [];
        const reports = reportFiles(place, directories).flatMap((file) => reportText(file) ?? []);
        const tests: OutputReading =
          reports.length === 0 ? { findings: [] } : readJUnit(reports, place.cwd, { pick: 'first' });
        const findings = [...built.map((problem) => ({ ...problem, test: BUILD_STEP })), ...tests.findings];
        return { ...tests, findings, ...(reports.length === 0 && built.length === 0 ? { total: 0 } : {}) };
      },
    };
  };
}

function readJUnit(reports: readonly string[], cwd: string, { pick = 'first' }: JUnitOptions): OutputReading {
  const findings: BuildFinding[] = [];
  let total = 0;
  let skipped = 0;
  for (const xml of reports) {
    for (const [, open = '', body = ''] of xml.matchAll(TEST_CASE)) {
      if (/<skipped\b/.test(body) || /\bstatus="(disabled|notrun|skipped)"/.test(open)) {
        skipped += 1;
        continue;
      }
      total += 1;
      const failed = FAILURE.exec(body);
      if (failed) findings.push(failureOf(open, failed, body, cwd, pick));
    }
  }
  return { findings, total, skipped };
}

const TEST_CASE = /<testcase\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;
const FAILURE = /<(?:failure|error)\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([\s\S]*?)<\/(?:failure|error)>)/;

function failureOf(
  testCase: string,
  failed: RegExpExecArray,
  body: string,
  cwd: string,
  pick: 'first' | 'last',
): BuildFinding {
  const said = attribute(failed[1] ?? '', 'message');
  const trace = unescaped(failed[2] ?? '').trim();
  const printed = unescaped(/<system-out>([\s\S]*?)<\/system-out>/.exec(body)?.[1] ?? '').trim();
  const file = attribute(testCase, 'file') || undefined;
  const line = Number(attribute(testCase, 'line'));
  const className = attribute(testCase, 'classname');
  const name = attribute(testCase, 'name');
  const explanation = trace || printed;
  return {
    ...(placeIn(explanation, cwd, file, pick) ??
      javaFrame(className, explanation, cwd) ?? { file, ...(line > 0 ? { line } : {}) }),
    test: className === '' || className === name || name.includes(className) ? name : `${className}.${name}`,
    severity: 'error',
    message: messageOf(said, explanation),
  };
}

/** Some messages only say that it failed; then the last line that says why is worth more. */
function messageOf(said: string, explanation: string): string {
  if (said !== '' && !/^(collection failure|failed)$/i.test(said)) return said;
  const marked = explanation
    .split('\n')
    .filter((line) => /^E\s/.test(line))
    .map((line) => line.slice(1).trim());
  return marked.join('\n') || explanation || 'failed';
}

/** Java's traces name the file without its directory: `at org.ClientTest.stops(ClientTest.java:12)`. */
function javaFrame(
  className: string,
  trace: string,
  cwd: string,
): Pick<BuildFinding, 'file' | 'line'> | undefined {
  const packages = className.split('.');
  const simple = packages.pop()?.split('$')[0] ?? '';
  const frame = new RegExp(`\\((${escapePattern(simple)}\\.\\w+):(\\d+)\\)`).exec(trace);
  if (!frame || simple === '') return undefined;
  const file = ['java', 'kotlin', 'groovy', 'scala']
    .map((language) => path.join(cwd, 'src/test', language, ...packages, frame[1] ?? ''))
    .find((each) => isFile(each));
  return file === undefined ? undefined : { file, line: Number(frame[2]) };
}

function attribute(element: string, name: string): string {
  const found = element.match(new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)')`));
  return unescaped(found?.[1] ?? found?.[2] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, inner: string) => inner.replaceAll('&', '&amp;'))
    .replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}

const MOST_LEVELS = 6;

/**
 * Builds of several modules have a report directory in each. Six levels reach the reports of a module three folders down,
 * such as `a/b/c/build/test-results/test`, without a walk through the whole tree.
 */
function reportFiles({ cwd, startedAt }: RunPlace, directories: RegExp): readonly string[] {
  const found: string[] = [];
  const look = (directory: string, depth: number) => {
    for (const entry of entriesOf(directory)) {
      const file = path.join(directory, entry.name);
      const relative = path.relative(cwd, file).split(path.sep).join('/');
      if (entry.isDirectory() && depth > 0 && !/^(\.|node_modules$)/.test(entry.name)) look(file, depth - 1);
      if (entry.isFile() && /^TEST-.*\.xml$/.test(entry.name) && directories.test(relative)) found.push(file);
    }
  };
  look(cwd, MOST_LEVELS);
  // File systems keep times less exactly than clocks tell them.
  return found.filter((file) => statSync(file).mtimeMs >= startedAt - 2_000);
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
