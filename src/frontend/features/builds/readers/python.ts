/** Python: pyright's JSON when building, and the text of unittest, which has no report of its own. */
import { isObject } from '../../../../shared/base/unknown-value.ts';
import { placeIn } from '../finding-places.ts';
import type { BuildFinding, OutputReader, RunPlace } from '../runner.ts';
import { numberOf, parsedObject, records, stringOf } from './json.ts';

/** Pyright prints one JSON object over many lines. It is kept as a whole, within a bound. */
const MAX_JSON = 32 * 1024 * 1024;

export function pyrightJson(_place: RunPlace): OutputReader {
  const lines: string[] = [];
  let size = 0;
  return {
    line(text) {
      if (lines.length === 0 && !text.startsWith('{')) return text;
      size += text.length + 1;
      if (size <= MAX_JSON) lines.push(text);
      return '';
    },
    done() {
      const report = parsedObject(lines.join('\n'));
      if (!report) return { findings: [], doubt: 'pyright printed no report that can be read' };
      const findings = records(report.generalDiagnostics).flatMap(problemOf);
      const files = isObject(report.summary) ? numberOf(report.summary.filesAnalyzed) : undefined;
      return { findings, doubt: files === 0 ? 'pyright found no Python file to check' : undefined };
    },
  };
}

function problemOf({
  file,
  severity,
  message,
  range,
  rule,
}: Readonly<Record<string, unknown>>): BuildFinding[] {
  if (severity !== 'error' && severity !== 'warning') return [];
  const start = isObject(range) && isObject(range.start) ? range.start : {};
  const code = stringOf(rule);
  return [
    {
      file: stringOf(file),
      line: (numberOf(start.line) ?? 0) + 1,
      column: (numberOf(start.character) ?? 0) + 1,
      severity,
      message: code === '' ? stringOf(message) : `${stringOf(message)} (${code})`,
    },
  ];
}

const RULE = /^={60,}$|^-{60,}$/;

export function unittestText(place: RunPlace): OutputReader {
  const failures: { test: string; lines: string[] }[] = [];
  let open: { test: string; lines: string[] } | undefined;
  let total: number | undefined;
  let skipped = 0;
  return {
    line(text) {
      const ran = /^Ran (\d+) tests? in /.exec(text);
      const begun = /^(?:FAIL|ERROR): (\S+) \(([^)]*)\)(.*)$/.exec(text);
      const verdict = /^(?:OK|FAILED|NO TESTS RAN)\b.*?(?:skipped=(\d+))?\)?$/.exec(text);
      if (ran) {
        total = Number(ran[1]);
        open = undefined;
      } else if (begun) {
        open = { test: testName(begun[1] ?? '', begun[2] ?? '', begun[3] ?? ''), lines: [] };
        failures.push(open);
      } else if (verdict) {
        skipped = Number(verdict[1] ?? 0);
      } else if (open && !RULE.test(text)) {
        open.lines.push(text);
      }
      return text;
    },
    done: () => ({
      findings: failures.map(({ test, lines }): BuildFinding => {
        const text = lines.join('\n');
        const message = lines.slice(lines.findLastIndex((line) => /^\s/.test(line)) + 1);
        return {
          ...placeIn(text, place.cwd, undefined, 'last'),
          test,
          severity: 'error',
          message: message.join('\n').trim() || text.trim() || 'failed',
        };
      }),
      total: total === undefined ? undefined : total - skipped,
      skipped,
    }),
  };
}

/** `test_x (module.Class.test_x)`, before 3.11 `test_x (module.Class)`. */
function testName(method: string, owner: string, rest: string): string {
  const name = owner.endsWith(`.${method}`) ? owner : `${owner}.${method}`;
  return `${name.replace(/^unittest\.loader\._FailedTest\./, '')}${rest.trimEnd()}`;
}
