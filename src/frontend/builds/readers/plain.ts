/** Output of unknown form: problems are taken where a line looks like one, and the exit code has the last word. */
import type { OutputReader, RunPlace } from '../runner.ts';
import { isRecord, numberOf, parsedObject, records, textOf } from './json.ts';
import { COLON, KOTLIN, MAVEN, PARENTHESES, problemLines } from './lines-with-places.ts';
import { tapStream } from './tap.ts';

/** Any of the usual forms, but only with a word that says it is a problem. */
export const anyBuild = problemLines([PARENTHESES, MAVEN, KOTLIN, COLON]);

/** A test script of unknown making; many of them print TAP. */
export function anyTest(place: RunPlace): OutputReader {
  const tap = tapStream(place);
  let isTap = false;
  return {
    line(text) {
      isTap ||= /^TAP version \d+$/.test(text);
      return isTap ? tap.line(text) : text;
    },
    done: () => (isTap ? tap.done() : { findings: [], doubt: 'the output of this runner is not understood' }),
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
          file: textOf(file.filePath),
          line: numberOf(message.line) ?? 1,
          column: numberOf(message.column) ?? 1,
          severity: message.severity === 2 ? ('error' as const) : ('warning' as const),
          message: `${textOf(message.message)}${isRecord(message) && message.ruleId ? ` (${textOf(message.ruleId)})` : ''}`,
        })),
      ),
      doubt: report === undefined ? 'eslint printed no report that can be read' : undefined,
    }),
  };
}
