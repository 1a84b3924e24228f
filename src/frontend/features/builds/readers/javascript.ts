/** Reports of JavaScript test runners: vitest and jest share a form, mocha has its own. */
import { isObject } from '../../../../shared/base/unknown-value.ts';
import { placeIn } from '../finding-places.ts';
import {
  type BuildFinding,
  FILE_STEP,
  type OutputReader,
  type OutputReading,
  type RunPlace,
} from '../runner.ts';
import { type JsonRecord, numberOf, parsedObject, records, reportText, stringOf } from './json.ts';

export function jestReport(place: RunPlace): OutputReader {
  return fromReport(place, (report) => {
    const files = records(report.testResults);
    const findings = files.flatMap((file) => failuresOfFile(file, place.cwd));
    const pending = (numberOf(report.numPendingTests) ?? 0) + (numberOf(report.numTodoTests) ?? 0);
    const all = numberOf(report.numTotalTests);
    return { findings, total: all === undefined ? undefined : all - pending, skipped: pending };
  });
}

export function mochaReport(place: RunPlace): OutputReader {
  return fromReport(place, (report) => {
    const stats = isObject(report.stats) ? report.stats : {};
    const pending = numberOf(stats.pending) ?? 0;
    const findings = records(report.failures).map((failure): BuildFinding => {
      const error = isObject(failure.err) ? failure.err : {};
      const stack = stringOf(error.stack);
      return {
        ...(placeIn(stack, place.cwd, stringOf(failure.file)) ?? {
          file: stringOf(failure.file) || undefined,
        }),
        test: stringOf(failure.fullTitle),
        severity: 'error',
        message: stringOf(error.message) || stack || 'failed',
      };
    });
    const all = numberOf(stats.tests);
    return { findings, total: all === undefined ? undefined : all - pending, skipped: pending };
  });
}

/** The output is for people; what counts is in the report. */
function fromReport(place: RunPlace, read: (report: JsonRecord) => OutputReading): OutputReader {
  return {
    line: (text) => (text.startsWith('JSON report written') ? '' : text),
    done() {
      const report = parsedObject(reportText(place.report) ?? '');
      return report ? read(report) : { findings: [], doubt: 'the runner wrote no report' };
    },
  };
}

function failuresOfFile(file: JsonRecord, cwd: string): readonly BuildFinding[] {
  const name = stringOf(file.name);
  const failed = records(file.assertionResults).filter((each) => each.status === 'failed');
  if (failed.length === 0 && file.status === 'failed') {
    // The file could not even be loaded.
    const message = stringOf(file.message) || 'the file failed';
    return [
      { ...(placeIn(message, cwd, name) ?? { file: name }), test: FILE_STEP, severity: 'error', message },
    ];
  }
  return failed.map((each): BuildFinding => {
    const texts = Array.isArray(each.failureMessages) ? each.failureMessages.map(stringOf) : [];
    const text = texts.join('\n');
    const names = [...(Array.isArray(each.ancestorTitles) ? each.ancestorTitles : []), each.title];
    return {
      ...(placeIn(text, cwd, name) ?? { file: name }),
      test: names.map(stringOf).filter(Boolean).join(' > '),
      severity: 'error',
      message: withoutStack(text) || 'failed',
    };
  });
}

export function withoutStack(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s+at /.test(line))
    .join('\n')
    .trim();
}
