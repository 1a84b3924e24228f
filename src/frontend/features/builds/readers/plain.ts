/** Output of unknown form: problems are taken where a line looks like one, and the exit code has the last word. */
import { isObject } from '../../../../shared/base/unknown-value.ts';
import type { OutputReader, RunPlace } from '../runner.ts';
import { numberOf, parsedObject, records, stringOf } from './json.ts';
import { COLON, KOTLIN, MAVEN, PARENTHESES, problemLines } from './lines-with-places.ts';
import { tapStream } from './tap.ts';

/** Any of the usual forms, but only with a word that says it is a problem. */
export const anyBuild = problemLines([PARENTHESES, MAVEN, KOTLIN, COLON]);

/** The last line of common test runners, which scripts that call them for several packages print once for each. */
const COUNTS = [
  /\bTests:? +(?:\d+ \w+[ ,|]+)*?(?<count>\d+) passed\b/,
  /^(?:.*[:|] )?\s+(?<count>\d+) passing\b/,
  /^(?:.*[:|] )?[#ℹ] pass (?<count>\d+)$/,
  /={3,} .*?\b(?<count>\d+) passed\b.* ={3,}$/,
  /\btest result: ok\. (?<count>\d+) passed\b/,
  /\bRan (?<count>\d+) tests? in /,
];

/** A test script of unknown making; many of them print TAP. */
export function anyTest(place: RunPlace): OutputReader {
  const tap = tapStream(place);
  let isTap = false;
  let total: number | undefined;
  return {
    line(text) {
      isTap ||= /^TAP version \d+$/.test(text);
      const count = COUNTS.map((form) => form.exec(text)?.groups?.count).find((each) => each !== undefined);
      if (count !== undefined) total = (total ?? 0) + Number(count);
      return isTap ? tap.line(text) : text;
    },
    done() {
      if (isTap) return tap.done();
      return total === undefined
        ? { findings: [], doubt: 'the output of this runner is not understood' }
        : { findings: [], total, doubt: 'tests are counted by the last line of each runner that was called' };
    },
  };
}

/** `eslint --format json` prints one line. */
export function eslintJson(_place: RunPlace): OutputReader {
  let report: unknown;
  return {
    line(text) {
      if (!text.startsWith('[')) return text;
      report = parsedObject(`{"files":${text}}`)?.files;
      return '';
    },
    done: () => ({
      findings: records(report).flatMap((file) =>
        records(file.messages).map((message) => ({
          file: stringOf(file.filePath),
          line: numberOf(message.line) ?? 1,
          column: numberOf(message.column) ?? 1,
          severity: message.severity === 2 ? ('error' as const) : ('warning' as const),
          message: `${stringOf(message.message)}${isObject(message) && message.ruleId ? ` (${stringOf(message.ruleId)})` : ''}`,
        })),
      ),
      doubt: report === undefined ? 'eslint printed no report that can be read' : undefined,
    }),
  };
}
