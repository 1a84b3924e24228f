/** `go test -json`: events of tests by package and name. Several packages may have tests of the same name. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { placeIn } from '../finding-places.ts';
import { BUILD_STEP, type BuildFinding, type OutputReader, type RunPlace } from '../runner.ts';
import { parsedObject } from './json.ts';
import { problemIn } from './lines-with-places.ts';

/** Enough of what a failing test printed to see why; the rest is in the raw output. */
const KEPT_LINES = 200;

interface TestOutput {
  readonly directory: string;
  readonly name: string;
  readonly lines: string[];
}

export function goTestEvents(place: RunPlace): OutputReader {
  const module = moduleOf(place.cwd);
  const running = new Map<string, TestOutput>();
  const failed: TestOutput[] = [];
  const broken: BuildFinding[] = [];
  const packagesFailed: { name: string; lines: readonly string[] }[] = [];
  const explained = new Set<string>();
  let passed = 0;
  let skipped = 0;

  const outputOf = (packageName: string, name: string): TestOutput => {
    const key = `${packageName}\0${name}`;
    const known = running.get(key);
    if (known) return known;
    const fresh = { directory: directoryOf(packageName, module, place.cwd), name, lines: [] };
    running.set(key, fresh);
    return fresh;
  };

  return {
    line(text) {
      const event = parsedObject(text);
      // `go vet` and the linker print plain text in between.
      if (event === undefined) {
        const problem = problemIn(text);
        if (problem) broken.push({ ...problem, test: BUILD_STEP });
        return text;
      }
      const { Action: action, Package: packageName, Test: test, Output: raw } = event;
      const output = typeof raw === 'string' ? raw.replace(/\n$/, '') : '';
      if (action === 'build-output') {
        const problem = problemIn(output);
        if (problem) broken.push({ ...problem, test: BUILD_STEP });
        return output;
      }
      if (typeof packageName !== 'string') return output;
      const name = typeof test === 'string' ? test : '';
      if (action === 'output') {
        const { lines } = outputOf(packageName, name);
        if (lines.length < KEPT_LINES) lines.push(output);
      }
      if (action === 'fail' && name !== '') {
        failed.push(outputOf(packageName, name));
        explained.add(packageName);
      }
      if (action === 'fail' && name === '' && typeof event.FailedBuild !== 'string')
        packagesFailed.push({ name: packageName, lines: outputOf(packageName, '').lines });
      if (action === 'pass' && name !== '') passed += 1;
      if (action === 'skip' && name !== '') skipped += 1;
      if (action !== 'output' && action !== 'run') running.delete(`${packageName}\0${name}`);
      return output;
    },
    done() {
      const wholePackages = packagesFailed.filter(
        ({ name, lines }) => !explained.has(name) && lines.length > 0,
      );
      return {
        findings: [
          ...broken,
          ...failed.filter((test) => !isExplainedBySubtest(test, failed)).map((test) => finding(test)),
          ...wholePackages.map(({ name, lines }) =>
            finding({ directory: directoryOf(name, module, place.cwd), name, lines: [...lines] }),
          ),
        ],
        total: passed + failed.length,
        failed: failed.length + broken.length + wholePackages.length,
        skipped,
      };
    },
  };
}

/** A test fails with its subtests; when it has nothing to add it is only noise. */
function isExplainedBySubtest(test: TestOutput, failed: readonly TestOutput[]): boolean {
  const hasSubtest = failed.some(
    (other) => other.directory === test.directory && other.name.startsWith(`${test.name}/`),
  );
  return hasSubtest && messageLines(test.lines).length === 0;
}

/** Places are printed relative to the directory of the package, not to where go was started. */
function finding({ directory, name, lines }: TestOutput): BuildFinding {
  const kept = messageLines(lines);
  const first = /^\s+(?<file>[^\s:]+\.go):(?<line>\d+): (?<message>.*)$/.exec(kept[0] ?? '')?.groups;
  const text = kept.join('\n');
  const at = first
    ? { file: first.file, line: Number(first.line), column: undefined }
    : placeIn(text, directory);
  const said = first ? [first.message ?? '', ...kept.slice(1).map(unindented)].join('\n') : text;
  // The stacks of a panic are long, and the one line of them that matters is the place.
  const message = said.replace(/\n(\[signal .*\n)?goroutine \d+ [\s\S]*$/, '');
  return { ...at, base: directory, test: name, severity: 'error', message: message || 'failed' };
}

function messageLines(lines: readonly string[]): string[] {
  return lines.filter(
    (line) => !/^\s*(=== |--- (FAIL|PASS|SKIP)|FAIL\b|ok\s|exit status)/.test(line) && line !== '',
  );
}

function unindented(line: string): string {
  return line.replace(/^\s{1,8}/, '');
}

function moduleOf(cwd: string): string | undefined {
  const file = path.join(cwd, 'go.mod');
  if (!existsSync(file)) return undefined;
  return /^module\s+"?([^\s"]+)/m.exec(readFileSync(file, 'utf8'))?.[1];
}

function directoryOf(packageName: string, module: string | undefined, cwd: string): string {
  if (module === undefined || packageName === module) return cwd;
  return packageName.startsWith(`${module}/`) ? path.join(cwd, packageName.slice(module.length + 1)) : cwd;
}
