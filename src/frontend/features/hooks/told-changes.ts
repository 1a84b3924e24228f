/**
 * Which files a tool of an agent has changed, by its arguments and its result. Tools differ in how they call a path and an
 * edit; the names are tables, and what is not in them is passed over.
 */
import { fieldOf, isObject } from '../../../shared/base/unknown-value.ts';
import { changesOfPatch, isPatch, replacementOf } from './apply-patch.ts';
import type { FileChangeTold, ToldReplacement } from './hook-event.ts';

const PATHS = ['file_path', 'filePath', 'notebook_path', 'notebookPath', 'path', 'target_file', 'targetFile'];
const PATH_LISTS = ['files', 'paths', 'file_paths', 'filePaths'];
const EDIT_LISTS = ['edits', 'replacements'];
const BEFORE = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text'];
const AFTER = ['new_string', 'newString', 'new_str', 'newText', 'new_text'];
const EVERYWHERE = ['replace_all', 'replaceAll', 'allow_multiple'];
const PATCHES = ['command', 'input', 'patch', 'diff'];
const ORIGINALS = ['originalFile', 'originalContent', 'original_file'];
/** What only a tool that changes files has among its arguments. */
const SIGNS = [...BEFORE, ...EDIT_LISTS, 'content', 'contents', 'file_text', 'new_source'];

/** Changes by the arguments and the result of a tool; `makesNew` is set for tools that refuse to touch what is there. */
export function toldChanges(input: unknown, result: unknown, makesNew = false): readonly FileChangeTold[] {
  const patch = patchIn(input);
  if (patch !== undefined) return changesOfPatch(patch);
  if (!isObject(input)) return [];
  const named = [...textsUnder(input, PATHS), ...PATH_LISTS.flatMap((key) => pathsIn(input[key]))];
  const paths = [...new Set([...named, ...pathsIn(input.edits), ...pathsIn(input.replacements)])];
  if (paths.length !== 1) return paths.map((path) => ({ path, replacements: [] }));
  const kept = originalIn(result);
  const original = kept === undefined && makesNew ? null : kept;
  const hunks = hunksIn(result);
  return paths.map((path) => ({
    path,
    original,
    replacements: hunks.length > 0 ? hunks : replacementsIn(input),
  }));
}

/** Whether a tool of no known name changes files, by its arguments. */
export function looksLikeEdit(input: unknown): boolean {
  return patchIn(input) !== undefined || (isObject(input) && SIGNS.some((key) => input[key] !== undefined));
}

function patchIn(input: unknown): string | undefined {
  if (typeof input === 'string') return isPatch(input) ? input : undefined;
  if (!isObject(input)) return undefined;
  const texts = PATCHES.flatMap((key) => {
    const value = input[key];
    return Array.isArray(value) ? value : [value];
  });
  return texts.find((text): text is string => typeof text === 'string' && isPatch(text));
}

function replacementsIn(input: Readonly<Record<string, unknown>>): readonly ToldReplacement[] {
  const lists = EDIT_LISTS.map((key) => input[key]).filter((value) => Array.isArray(value));
  const edits: readonly unknown[] = lists.length > 0 ? lists.flat() : [input];
  const replacements = edits.map(replacementIn);
  // One that is not understood leaves it open what the text was before.
  return replacements.every((each) => each !== undefined) ? replacements : [];
}

function replacementIn(edit: unknown): ToldReplacement | undefined {
  if (!isObject(edit)) return undefined;
  const [before] = textsUnder(edit, BEFORE);
  const [after] = textsUnder(edit, AFTER);
  const isEverywhere = EVERYWHERE.some((key) => edit[key] === true);
  return before === undefined || after === undefined || isEverywhere ? undefined : { before, after };
}

/** Texts under any of the names, each that is not empty or is not a path. */
function textsUnder(value: Readonly<Record<string, unknown>>, keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => {
    const text = value[key];
    return typeof text === 'string' && (text !== '' || !PATHS.includes(key)) ? [text] : [];
  });
}

function pathsIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) =>
    typeof entry === 'string' ? [entry] : isObject(entry) ? textsUnder(entry, PATHS) : [],
  );
}

/** The text before, where the client kept it; null where the result says that the file is new. */
function originalIn(result: unknown): string | null | undefined {
  for (const place of [result, fieldOf(result, 'returnDisplay')]) {
    if (fieldOf(place, 'type') === 'create' || fieldOf(place, 'isNewFile') === true) return null;
    for (const key of ORIGINALS) {
      const text = fieldOf(place, key);
      if (typeof text === 'string') return text;
    }
  }
  return undefined;
}

/** Hunks with their lines, as one client adds them to the result of an edit. */
function hunksIn(result: unknown): readonly ToldReplacement[] {
  const hunks = fieldOf(result, 'structuredPatch');
  if (!Array.isArray(hunks)) return [];
  return hunks.flatMap((hunk: unknown) => {
    const lines = fieldOf(hunk, 'lines');
    return Array.isArray(lines) ? replacementOf(lines.filter((line) => typeof line === 'string')) : [];
  });
}
