/**
 * Imports that the server cannot resolve. Many of them at once mean one thing: the server looks in the wrong place.
 * They share a line that says where it looks, so that they do not hide the other errors of the file.
 */
import { oneLine } from '../../render/budget.ts';
import { type Finding, findingLine, severityLetter } from './diagnostics.ts';

/** By the codes of pyright, TypeScript, gopls, rust-analyzer and rustc. */
const CODES: ReadonlySet<string | undefined> = new Set([
  'reportMissingImports',
  'reportMissingModuleSource',
  'TS2307',
  'TS7016',
  'BrokenImport',
  'unresolved-import',
  'E0432',
]);
/** Fewer are told one by one: they may be typing errors. */
const FOLD_FROM = 4;

/** `surroundings` is what the server takes as given, such as the interpreter. */
export function linesWithImportsFolded(
  findings: readonly Finding[],
  surroundings: string | undefined,
): readonly string[] {
  const unresolved = findings.filter(({ code }) => CODES.has(code));
  if (unresolved.length < FOLD_FROM) return findings.map(findingLine);
  const [first] = unresolved;
  const names = [...new Set(unresolved.map(({ message }) => moduleIn(message)))];
  const where = surroundings === undefined ? '' : ` (${surroundings})`;
  const text = `${unresolved.length} imports cannot be resolved${where}; are dependencies installed? ${names.join(', ')}`;
  const folded = first
    ? `  ${severityLetter(first)} ${first.start.line}:${first.start.column} ${oneLine(text, 300)}`
    : '';
  return [folded, ...findings.filter((finding) => !unresolved.includes(finding)).map(findingLine)];
}

function moduleIn(message: string): string {
  return /["'`]([^"'`]+)["'`]/.exec(message)?.[1] ?? oneLine(message, 40);
}
