/** JUnit's XML report, which runners of many languages can write. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { DirectoryWalk } from '../../../../shared/base/directory-walk.ts';
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
import { type XmlElement, xmlElements } from './xml.ts';

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
        const files = await reportFiles(place, directories);
        const reports = files.flatMap((file) => reportText(file) ?? []);
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
  let isWhole = true;
  for (const xml of reports) {
    const cases = xmlElements(xml, 'testcase');
    isWhole &&= cases.isWhole;
    for (const testCase of cases.elements) {
      if (child(testCase, 'skipped') || NOT_RUN.has(testCase.attributes.get('status') ?? '')) {
        skipped += 1;
        continue;
      }
      total += 1;
      const failed = child(testCase, 'failure', 'error');
      if (failed) findings.push(failureOf(testCase, failed, cwd, pick));
    }
  }
  return { findings, total, skipped, ...(isWhole ? {} : { doubt: 'the report ends before its end' }) };
}

const NOT_RUN: ReadonlySet<string> = new Set(['disabled', 'notrun', 'skipped']);

function child({ children }: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  return children.find(({ name }) => names.includes(name));
}

function failureOf(
  testCase: XmlElement,
  failed: XmlElement,
  cwd: string,
  pick: 'first' | 'last',
): BuildFinding {
  const attribute = (name: string) => testCase.attributes.get(name) ?? '';
  const explanation = failed.text.trim() || (child(testCase, 'system-out')?.text.trim() ?? '');
  const file = attribute('file') || undefined;
  const line = Number(attribute('line'));
  const [className, name] = [attribute('classname'), attribute('name')];
  return {
    ...(placeIn(explanation, cwd, file, pick) ??
      javaFrame(className, explanation, cwd) ?? { file, ...(line > 0 ? { line } : {}) }),
    test: className === '' || className === name || name.includes(className) ? name : `${className}.${name}`,
    severity: 'error',
    message: messageOf(failed.attributes.get('message') ?? '', explanation),
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

const MOST_LEVELS = 6;

/**
 * Builds of several modules have a report directory in each. Six levels reach the reports of a module three folders down,
 * such as `a/b/c/build/test-results/test`, without a walk through the whole tree.
 */
async function reportFiles({ cwd, startedAt }: RunPlace, directories: RegExp): Promise<readonly string[]> {
  const below = (file: string) => path.relative(cwd, file).split(path.sep);
  const found: string[] = [];
  const walk = new DirectoryWalk(cwd, {
    enters: (name, directory) => !/^(\.|node_modules$)/.test(name) && below(directory).length <= MOST_LEVELS,
  });
  for await (const { inside, entries } of walk)
    for (const entry of entries) {
      const file = `${inside}${entry.name}`;
      const isReport = entry.isFile() && /^TEST-.*\.xml$/.test(entry.name);
      if (isReport && directories.test(below(file).join('/'))) found.push(file);
    }
  // File systems keep times less exactly than clocks tell them.
  return found.filter((file) => statSync(file).mtimeMs >= startedAt - 2_000);
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
