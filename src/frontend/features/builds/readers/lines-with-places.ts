/** Compilers that print one problem per line, in the few forms that most of them share. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BuildFinding, OutputReader, RunPlace } from '../runner.ts';

/** How one line names a problem: groups `file`, `line`, `column`, `severity` and `message`. */
type Form = RegExp;

const SEVERITY = '(?<severity>fatal error|error|warning|note|info|hint)';

const FILE_AND_PLACE =
  '^(?:vet: |\\*\\* \\(\\w+\\) )?(?<file>(?:[A-Za-z]:)?[^\\s:][^:]*?):(?<line>\\d+)(?::(?<column>\\d+))?:\\s*';

/** `a.c:3:5: error: message`: gcc, clang, zig, swift, javac, mypy. */
export const COLON: Form = new RegExp(
  `${FILE_AND_PLACE}${SEVERITY}(?:\\[[\\w-]+\\])?:\\s*(?<message>\\S.*)$`,
);
/** `a.go:3:5: message`: go does not say that it is an error. */
export const BARE_COLON: Form = new RegExp(`${FILE_AND_PLACE}(?:${SEVERITY}:\\s*)?(?<message>\\S.*)$`);
/** `a.ts(3,5): error TS1234: message [project]`: tsc and MSBuild. */
export const PARENTHESES: Form = new RegExp(
  `^\\s*(?<file>[^\\s(][^(]*)\\((?<line>\\d+),(?<column>\\d+)\\):\\s*${SEVERITY}\\s*(?<message>\\S.*?)(?: \\[[^\\]]+proj[^\\]]*\\])?$`,
);
/** `error TS18003: message`, about the project as a whole. */
export const TSC_GLOBAL: Form = /^(?<severity>error) (?<message>TS\d+: .*)$/;
/** `[ERROR] /a/B.java:[3,5] message`: Maven. */
export const MAVEN: Form =
  /^\[(?<severity>ERROR|WARNING)\] (?<file>\/[^:]+|[A-Za-z]:[^:]+):\[(?<line>\d+),(?<column>\d+)\] (?<message>\S.*)$/;
/** `e: file:///a/B.kt:3:5 message` and `e: /a/B.kt: (3, 5): message`: Kotlin. */
export const KOTLIN: Form =
  /^(?<severity>[ew]): (?:file:\/\/)?(?<file>[^\s:][^:]*):\s*\(?(?<line>\d+)(?::|, ?)(?<column>\d+)\)?:? (?<message>\S.*)$/;

/** `make[1]: Entering directory '/a'`: what follows is relative to it. */
const DIRECTORY = /^\S*make(?:\[\d+\])?: (?<what>Entering|Leaving) directory ['`](?<directory>[^']+)'/;

/** Reads lines of these forms; indented lines that follow a message of a compiler belong to it in `continued` form. */
export function problemLines(forms: readonly Form[], continued?: RegExp) {
  return (place: RunPlace): OutputReader => {
    const found: BuildFinding[] = [];
    const directories: string[] = [];
    const entered = new Set<string>();
    let last: BuildFinding | undefined;
    return {
      line(text) {
        const moved = DIRECTORY.exec(text)?.groups;
        if (moved?.what === 'Entering') {
          directories.push(moved.directory ?? '');
          entered.add(moved.directory ?? '');
        }
        if (moved?.what === 'Leaving') directories.pop();
        const problem = moved ? undefined : problemIn(text, forms);
        if (problem === undefined && last && continued?.test(text)) {
          found[found.length - 1] = last = { ...last, message: `${last.message}\n${text.trim()}` };
          return text;
        }
        last = undefined;
        if (problem && problem.severity !== undefined) {
          last = { ...problem, base: directories.at(-1) ?? place.cwd };
          found.push(last);
        }
        return text;
      },
      done: () => ({ findings: found.map((finding) => inDirectory(finding, [...entered])) }),
    };
  };
}

/** Directories and errors are printed to different streams, and may arrive in another order. */
function inDirectory(finding: BuildFinding, entered: readonly string[]): BuildFinding {
  const { file = '', base = '' } = finding;
  if (file === '' || existsSync(path.resolve(base, file))) return finding;
  const fitting = entered.filter((directory) => existsSync(path.resolve(directory, file)));
  return fitting.length === 1 ? { ...finding, base: fitting[0] } : finding;
}

/** A line as a problem; notes and hints explain another one and have no severity. */
export function problemIn(text: string, forms: readonly Form[] = [BARE_COLON]): BuildFinding | undefined {
  for (const form of forms) {
    const groups = form.exec(text)?.groups;
    if (groups?.message === undefined) continue;
    if (groups.file !== undefined && !looksLikeFile(groups.file)) continue;
    return {
      file: groups.file?.trim(),
      line: groups.line === undefined ? undefined : Number(groups.line),
      column: groups.column === undefined ? undefined : Number(groups.column),
      severity: severityOf(groups.severity),
      message: groups.message.trim(),
    };
  }
  return undefined;
}

function severityOf(word: string | undefined): BuildFinding['severity'] {
  if (word === undefined) return 'error';
  const lower = word.toLowerCase();
  if (lower === 'w' || lower === 'warning') return 'warning';
  return lower === 'e' || lower.includes('error') ? 'error' : undefined;
}

/** `12:30:01: connected` and `gmake: *** [Makefile:101: all]` are not about source files. */
function looksLikeFile(name: string): boolean {
  return /\.\w+$/.test(path.basename(name)) && !/[*[\]]/.test(name) && !/^\d+(\.\d+)*$/.test(name);
}
