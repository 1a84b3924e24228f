/** Cargo: compiler messages as JSON when building, and the text of the test harness, which has no other stable form. */
import { isObject } from '../../../../shared/base/unknown-value.ts';
import { BUILD_STEP, type BuildFinding, type OutputReader, type RunPlace } from '../runner.ts';
import { numberOf, parsedObject, records, stringOf } from './json.ts';

export function cargoMessages(_place: RunPlace): OutputReader {
  const findings: BuildFinding[] = [];
  return {
    line(text) {
      const event = parsedObject(text);
      if (event === undefined) return text;
      if (event.reason !== 'compiler-message' || !isObject(event.message)) return '';
      const { message, level, code, spans, rendered } = event.message;
      const at = records(spans).find((span) => span.is_primary === true);
      if (at && (level === 'error' || level === 'warning')) {
        const codeName = isObject(code) ? stringOf(code.code) : '';
        const label = stringOf(at.label);
        findings.push({
          file: stringOf(at.file_name),
          line: numberOf(at.line_start),
          column: numberOf(at.column_start),
          severity: level,
          message: `${codeName === '' ? '' : `${codeName} `}${stringOf(message)}${label === '' ? '' : `: ${label}`}`,
        });
      }
      return stringOf(rendered).trimEnd();
    },
    done: () => ({ findings }),
  };
}

/** `error[E0308]: mismatched types`, then `  --> src/lib.rs:15:21`. */
const RUSTC_ERROR = /^error(?:\[(?<code>\w+)\])?: (?<message>.*)$/;
const RUSTC_PLACE = /^\s*--> (?<file>[^:]+):(?<line>\d+):(?<column>\d+)/;
const PANIC =
  /^thread '.*' .*?panicked at (?:'(?<quoted>.*)', )?(?<file>[^:]+):(?<line>\d+):(?<column>\d+):?$/;

export function cargoTestText(_place: RunPlace): OutputReader {
  const findings: BuildFinding[] = [];
  const sections = new Map<string, string[]>();
  let section: string[] | undefined;
  let pending: { code: string; message: string } | undefined;
  let total = 0;
  let failed = 0;
  let skipped = 0;
  return {
    line(text) {
      const opened = /^---- (?<name>.+) stdout ----$/.exec(text)?.groups;
      if (opened?.name !== undefined) {
        section = [];
        // Targets may have tests of the same name; the later one must not swallow the earlier.
        sections.set(sections.has(opened.name) ? `${opened.name} (${sections.size})` : opened.name, section);
        return text;
      }
      if (/^(failures:|test result:)/.test(text)) section = undefined;
      section?.push(text);
      const result = /^test result: .*? (\d+) passed; (\d+) failed; (\d+) ignored/.exec(text);
      if (result) {
        total += Number(result[1]) + Number(result[2]);
        failed += Number(result[2]);
        skipped += Number(result[3]);
      }
      const error = section ? undefined : RUSTC_ERROR.exec(text)?.groups;
      if (error) pending = { code: error.code ?? '', message: error.message ?? '' };
      const at = pending && RUSTC_PLACE.exec(text)?.groups;
      if (at && pending) {
        findings.push({
          file: at.file,
          line: Number(at.line),
          column: Number(at.column),
          test: BUILD_STEP,
          severity: 'error',
          message: `${pending.code} ${pending.message}`.trim(),
        });
        pending = undefined;
      }
      return text;
    },
    done: () => ({
      findings: [...findings, ...[...sections].map(([test, lines]) => failureOf(test, lines))],
      total,
      failed: failed + findings.length,
      skipped,
    }),
  };
}

function failureOf(test: string, lines: readonly string[]): BuildFinding {
  const at = lines.findIndex((line) => PANIC.test(line));
  const panic = PANIC.exec(lines[at] ?? '')?.groups;
  const rest = lines
    .slice(at + 1)
    .filter((line) => !/^note: /.test(line))
    .join('\n')
    .replace(/\nstack backtrace:[\s\S]*$/, '')
    .trim();
  return {
    file: panic?.file,
    line: panic && Number(panic.line),
    column: panic && Number(panic.column),
    test,
    severity: 'error',
    message: [panic?.quoted, rest].filter(Boolean).join('\n') || 'failed',
  };
}
