/**
 * Where code says `any`. Found by the text without comments and strings; where it could as well be a name, or a word of a
 * page, the server is asked what stands there. What is only inferred is known to the compiler alone, and asked for a
 * single file.
 */
import path from 'node:path';
import { counted } from '../../../shared/base/counted.ts';
import { absolutePath, displayPath, pathToUri } from '../../../shared/base/paths.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { fieldOf, isObject } from '../../../shared/base/unknown-value.ts';
import { oneLine } from '../../render/budget.ts';
import type { ExtensionAnswer, ExtensionContext } from '../definition.ts';
import { templateCode } from './template-code.ts';

const SOURCES = '*.{ts,tsx,mts,cts}';
const AT_ONCE = 8;
/** What the compiler says of an `any` that nobody wrote: errors where it is forbidden, hints elsewhere. */
const INFERRED = /^(?:TS)?7(?:00[5-9]|01[0-9]|02[0-5]|03[1-9]|04[3-9]|05[0-3])$/;

/** A name in scope can stand wherever the type can, as far as the text tells. */
const BINDING =
  /\b(?:const|let|var|function|class|enum|namespace)\s+any\b|\bimport\b[^;]*?[{,]\s*(?:\w+\s+as\s+)?any\s*[,}]|\(\s*any\s*[,)=]|\bany\s*=>/;

/** How the elements of a page end. */
const TAG_END = /<\/|\/>/;

interface AnyUse {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly kind: string;
  readonly text: string;
}

interface Request {
  readonly path?: string | undefined;
  readonly limit: number;
}

export async function anyUsage(
  { path: given, limit }: Request,
  context: ExtensionContext,
): Promise<ExtensionAnswer> {
  const { files, incomplete } = await context.files(SOURCES, given);
  const reservedMs = context.remainingMs() * 0.1;
  const late: string[] = [];
  const found = await eachBounded(files, AT_ONCE, async (file) => {
    if (context.remainingMs() < reservedMs) {
      late.push(file);
      return { uses: [], unclear: [] };
    }
    return usesIn(file, context);
  });
  const isFile = files.length === 1 && files[0] === path.resolve(context.root, given ?? '.');
  const inferred = isFile ? await inferredIn(files[0] ?? '', context) : { uses: [], incomplete: undefined };
  const uses = [...found.flatMap((each) => each.uses), ...inferred.uses];
  const unclear = found.flatMap((each) => each.unclear);
  const reasons = [
    incomplete,
    inferred.incomplete,
    late.length === 0
      ? undefined
      : `no time was left for ${counted(late.length, 'file')}; pass a smaller path`,
    unclear.length === 0
      ? undefined
      : `${counted(unclear.length, 'place')} may be something else than the type, such as ${placeOf(unclear[0], context)}: the server did not say`,
  ].filter((reason) => reason !== undefined);
  const shown = uses.slice(0, limit);
  const [first] = shown;
  return {
    text: [
      `${counted(uses.length, 'use', { none: 'no' })} of any in ${counted(files.length, 'TypeScript file', { none: 'no' })}${kindsText(uses)}; root ${context.root}`,
      ...shown.map((use) => `${placeOf(use, context)} ${use.kind}  ${use.text}`),
      ...(uses.length > shown.length
        ? [`${uses.length - shown.length} more not shown; pass a smaller path, or limit`]
        : []),
    ].join('\n'),
    data: { count: uses.length, files: files.length, kinds: kindsOf(uses), uses: shown },
    ...(reasons.length === 0 ? {} : { incomplete: reasons.join('; ') }),
    notes: isFile ? [] : ['only what is written: what is inferred as any is listed for a single file (path)'],
    ...(first ? { hint: `get_symbol_source ${placeOf(first, context)}` } : {}),
  };
}

/** A place that is one by its looks, and those of which the text alone cannot say it. */
async function usesIn(file: string, context: ExtensionContext) {
  const { text } = await context.read(file);
  if (!/\bany\b/.test(text)) return { uses: [], unclear: [] };
  const lines = text.split('\n');
  const code = templateCode(text, 'any');
  // Words of a page stand in its code as they do in sentences, after a colon as well.
  const isTold = !TAG_END.test(code) && !BINDING.test(code);
  const types = new Set<string>();
  const uses: AnyUse[] = [];
  const unclear: AnyUse[] = [];
  for (const { index } of code.matchAll(/(?<![\w$#@]|(?<!\.\.)\.)any(?![\w$])/g)) {
    const kind = kindAt(code, index);
    if (kind === undefined) continue;
    const before = text.slice(0, index).split('\n');
    const line = before.length;
    const column = (before.at(-1)?.length ?? 0) + 1;
    const use: AnyUse = { file, line, column, kind: kind.name, text: oneLine(lines[line - 1] ?? '', 120) };
    const isType = (!kind.isUnclear && isTold) || (await isTheType(use, types, context));
    if (isType === undefined) unclear.push(use);
    else if (isType) uses.push(use);
  }
  return { uses, unclear };
}

/** What stands around it decides; undefined for keys and members of that name. */
function kindAt(
  code: string,
  at: number,
): { readonly name: string; readonly isUnclear?: boolean } | undefined {
  const left = code.slice(Math.max(0, at - 200), at).trimEnd();
  const right = code.slice(at + 3, at + 203).trimStart();
  const before = left.at(-1) ?? '';
  const word = /(\w+)$/.exec(left)?.[1] ?? '';
  if (left.endsWith('.') && !left.endsWith('...')) return undefined;
  // A key or a method, unless it is the branch of a conditional type.
  if (/^(?:\?\s*)?:/.test(right) && before !== '?') return undefined;
  if (right.startsWith('(') && before !== '|' && before !== '&') return undefined;
  if (word === 'as' || word === 'satisfies') return { name: 'assertion' };
  if (
    /^(?:const|let|var|function|class|enum|namespace|interface|type|get|set|import|export|from)$/.test(word)
  )
    return undefined;
  if (before === '<' && right.startsWith('>') && !/[\w$)\]>]\s*<$/.test(left)) return { name: 'assertion' };
  if (before === ':' || left.endsWith('=>')) return { name: 'annotation' };
  if (before === '<' || /^(?:\[\s*\])*\s*>/.test(right)) return { name: 'type argument' };
  if (before === '|' || before === '&' || right.startsWith('|') || right.startsWith('&'))
    return { name: 'union' };
  if (/^(?:extends|is|keyof|readonly|infer|of|in)$/.test(word) || before === '?') return { name: 'type' };
  return { name: 'type', isUnclear: true };
}

/**
 * The server highlights the type everywhere in its file, and finds no definition of it; a name has one, and a word in a
 * text has neither. `types` collects what it highlighted; undefined where it does not say.
 */
async function isTheType(
  use: AnyUse,
  types: Set<string>,
  context: ExtensionContext,
): Promise<boolean | undefined> {
  const position = { line: use.line - 1, character: use.column - 1 };
  if (types.has(keyOf(position))) return true;
  const params = { textDocument: { uri: pathToUri(absolutePath(use.file)) }, position };
  try {
    const highlights = await context.request(use.file, 'textDocument/documentHighlight', params);
    if (!Array.isArray(highlights) || highlights.length === 0) return false;
    const found = await context.request(use.file, 'textDocument/definition', params);
    if (Array.isArray(found) ? found.length > 0 : found) return false;
    for (const highlight of highlights) types.add(keyOf(fieldOf(fieldOf(highlight, 'range'), 'start')));
    return true;
  } catch {
    context.signal.throwIfAborted();
    return undefined;
  }
}

function keyOf(position: unknown): string {
  return `${fieldOf(position, 'line')}:${fieldOf(position, 'character')}`;
}

async function inferredIn(file: string, context: ExtensionContext) {
  const { data, incomplete } = await context.call('get_diagnostics', { file_path: file });
  const lists = isObject(data) ? Object.values(data).filter((list) => Array.isArray(list)) : [];
  const uses = lists
    .flat()
    .flatMap(({ line, column, code, message }): AnyUse[] =>
      INFERRED.test(String(code))
        ? [{ file, line, column, kind: 'inferred', text: oneLine(String(message), 120) }]
        : [],
    );
  return { uses, incomplete: incomplete === undefined ? undefined : `what is inferred: ${incomplete}` };
}

function placeOf(use: AnyUse | undefined, context: ExtensionContext): string {
  return use
    ? `${displayPath(absolutePath(use.file), absolutePath(context.root))}:${use.line}:${use.column}`
    : '';
}

function kindsOf(uses: readonly AnyUse[]): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const { kind } of uses) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return kinds;
}

function kindsText(uses: readonly AnyUse[]): string {
  const kinds = Object.entries(kindsOf(uses)).sort(([, a], [, b]) => b - a);
  return kinds.length === 0 ? '' : `: ${kinds.map(([kind, count]) => `${kind} ${count}`).join(', ')}`;
}
