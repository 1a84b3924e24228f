/** Runners that list their failures as numbered or titled paragraphs: minitest, ExUnit, .NET, XCTest, Zig; and RSpec. */
import { isObject } from '../../../../shared/base/unknown-value.ts';
import { placeIn } from '../finding-places.ts';
import { BUILD_STEP, type BuildFinding, type OutputReader, type RunPlace } from '../runner.ts';
import { numberOf, parsedObject, records, reportText, stringOf } from './json.ts';
import { problemIn } from './lines-with-places.ts';

interface Paragraphs {
  /** Begins a failure; group `name` is the test. */
  readonly begin: RegExp;
  /** Ends it, beside the next beginning. */
  readonly end: RegExp;
  /** Counts; groups `total` or `passed`, `failed`, `skipped`. Several are added up. */
  readonly counts: RegExp;
  /** Lines of a failure that are not its message. */
  readonly noise?: RegExp;
}

/** Failures as paragraphs, with the place looked for in each. */
function paragraphs({ begin, end, counts, noise }: Paragraphs) {
  return (place: RunPlace): OutputReader => {
    const failures: { name: string; lines: string[] }[] = [];
    let open: { name: string; lines: string[] } | undefined;
    let total: number | undefined;
    let failed = 0;
    let skipped = 0;
    return {
      line(text) {
        const begun = begin.exec(text)?.groups;
        const counted = counts.exec(text)?.groups;
        if (begun?.name !== undefined) {
          open = { name: begun.name, lines: begun.rest === undefined ? [] : [begun.rest] };
          failures.push(open);
        } else if (counted || end.test(text)) {
          open = undefined;
        } else {
          open?.lines.push(text);
        }
        if (counted) {
          const bad = Number(counted.failed ?? 0) + Number(counted.errors ?? 0);
          const left = Number(counted.skipped ?? 0);
          const passed = Number(counted.passed ?? 0) + bad;
          total = (total ?? 0) + (counted.total === undefined ? passed : Number(counted.total) - left);
          failed += bad;
          skipped += left;
        }
        return text;
      },
      done: () => ({
        findings: failures.map(({ name, lines }) => {
          const kept = lines.map((line) => line.trim()).filter((line) => line !== '' && !noise?.test(line));
          return {
            ...placeIn([name, ...lines].join('\n'), place.cwd),
            test: name.trim(),
            severity: 'error',
            message: kept.join('\n') || 'failed',
          } satisfies BuildFinding;
        }),
        total,
        failed,
        skipped,
      }),
    };
  };
}

/** `  1) Failure:`, then `TestX#test_y [test/x_test.rb:10]:`. */
export const minitestText = paragraphs({
  begin: /^(?:(?:Minitest::\w+: )?(?<name>[\w:]+#\w+)(?<rest> \[[^\]]+\])?:?)$/,
  end: /^\s+\d+\) (Failure|Error):$/,
  counts:
    /^(?<total>\d+) (?:runs|tests), \d+ assertions, (?<failed>\d+) failures, (?<errors>\d+) errors(?:, \d+ pendings)?(?:, (?<skipped>\d+) skips)?/,
  noise: /^\[.*\]$/,
});

/** `  1) test adds (CalcTest)`, then its place and what was expected. */
export const exunitText = paragraphs({
  begin: /^\s+\d+\) (?<name>test .+ \([\w.]+\)|doctest .+)$/,
  end: /^Finished in /,
  counts:
    /^(?:\d+ doctests?, )?(?<total>\d+) tests?, (?<failed>\d+) failures?(?:, \d+ excluded)?(?:, (?<skipped>\d+) skipped)?/,
  noise: /^(stacktrace:|\S+\.exs?:\d+(: .*)?|\(\w+ [\d.]+\) .*)$/,
});

/** `  Failed Ns.Class.Test [12 ms]`, then message and trace. */
export const dotnetTestText = paragraphs({
  begin: /^\s+(?:Failed|X) (?<name>\S.*?)(?: \[[^\]]*\])?$/,
  end: /^\s+(Passed|Skipped) \S|^Test Run |^Results File/,
  counts:
    /^(?:Passed|Failed|Skipped)!\s+- Failed:\s+(?<failed>\d+), Passed:\s+(?<passed>\d+), Skipped:\s+(?<skipped>\d+), Total:/,
  noise: /^(Error Message:|Stack Trace:|at .*)$/,
});

/** `/a/B.swift:10: error: -[App.BTests testX] : XCTAssertEqual failed`, also Swift Testing's `✘ Test x() recorded an issue at B.swift:3:5: …`. */
export function swiftTestText(place: RunPlace): OutputReader {
  const findings: BuildFinding[] = [];
  let total: number | undefined;
  return {
    line(text) {
      const problem = problemIn(text);
      const named = /^(?:-\[(?<objc>[^\]]+)\]|(?<swift>[\w.]+)) : (?<why>.*)$/.exec(
        problem?.message ?? '',
      )?.groups;
      if (problem && named)
        findings.push({
          ...problem,
          test: (named.objc ?? named.swift ?? '').replace(' ', '.'),
          message: named.why ?? '',
        });
      else if (problem?.severity === 'error') findings.push({ ...problem, test: BUILD_STEP });
      const issue = /Test "?(?<name>.+?)"? recorded an issue at (?<at>\S+:\d+:\d+): (?<why>.*)$/.exec(
        text,
      )?.groups;
      if (issue) {
        const at = placeIn(issue.at ?? '', place.cwd);
        findings.push({ ...at, test: issue.name, severity: 'error', message: issue.why ?? 'failed' });
      }
      const counted = /^\s*Executed (\d+) tests?, with|Test run with (\d+) tests? /.exec(text);
      // XCTest counts suite by suite and all together last.
      if (counted?.[1] !== undefined) total = Number(counted[1]);
      if (counted?.[2] !== undefined) total = (total ?? 0) + Number(counted[2]);
      return text;
    },
    done: () => ({ findings, total }),
  };
}

/** `error: 'main.test.adds' failed: expected 4, found 3`, with a trace below. */
export function zigTestText(place: RunPlace): OutputReader {
  const findings: BuildFinding[] = [];
  let total: number | undefined;
  return {
    line(text) {
      const failed = /^(?:error: )?'(?<name>[^']+)' failed(?:: (?<why>.*))?$/.exec(text)?.groups;
      const last = findings.at(-1);
      const problem = problemIn(text);
      if (failed) findings.push({ test: failed.name, severity: 'error', message: failed.why ?? 'failed' });
      else if (last && last.test !== BUILD_STEP && last.file === undefined && / in test[. ]/.test(text))
        findings[findings.length - 1] = { ...last, ...placeIn(text, place.cwd) };
      else if (problem?.severity === 'error' && /^\S+:\d+:\d+: error: /.test(text))
        findings.push({ ...problem, test: BUILD_STEP });
      const counted = /(\d+)\/(\d+) tests passed|^All (\d+) tests passed/.exec(text);
      if (counted) total = Number(counted[2] ?? counted[3]);
      return text;
    },
    done: () => ({ findings, total }),
  };
}

export function rspecReport(place: RunPlace): OutputReader {
  return {
    line: (text) => text,
    done() {
      const report = parsedObject(reportText(place.report) ?? '');
      if (!report) return { findings: [], doubt: 'the runner wrote no report' };
      const summary = isObject(report.summary) ? report.summary : {};
      const pending = numberOf(summary.pending_count) ?? 0;
      const findings = records(report.examples)
        .filter((example) => example.status === 'failed')
        .map((example): BuildFinding => {
          const exception = isObject(example.exception) ? example.exception : {};
          const trace = Array.isArray(exception.backtrace)
            ? exception.backtrace.map(stringOf).join('\n')
            : '';
          const file = stringOf(example.file_path);
          return {
            ...(placeIn(trace, place.cwd, file) ?? { file, line: numberOf(example.line_number) }),
            test: stringOf(example.full_description),
            severity: 'error',
            message: stringOf(exception.message).trim() || 'failed',
          };
        });
      const outside = numberOf(summary.errors_outside_of_examples_count) ?? 0;
      const doubt = outside > 0 ? `${outside} errors outside of examples: see the output` : undefined;
      const all = numberOf(summary.example_count);
      return { findings, total: all === undefined ? undefined : all - pending, skipped: pending, doubt };
    },
  };
}
