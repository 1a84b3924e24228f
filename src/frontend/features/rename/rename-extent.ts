/**
 * Whether a rename changes names and nothing else. Some servers also rewrite whole lines or files; the agent did not
 * ask for that, so such a rename is shown before it is applied.
 */
import type { TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { escapePattern } from '../../../shared/base/escape-pattern.ts';
import { uriToPath } from '../../../shared/base/paths.ts';
import { type Encoding, TextOffsets } from '../../../shared/base/positions.ts';
import type { EditPlan } from '../edits/plan/edit-plan.ts';
import { textEditsOf } from './rename-places.ts';

export interface RenameEdit {
  readonly edit: WorkspaceEdit;
  readonly plan: EditPlan;
  readonly name: string;
  readonly newName: string;
}

const MOST_NAMED = 3;

/** What it does beside renaming, as a reason to show it first. */
export function moreThanName(
  { edit, plan, name, newName }: RenameEdit,
  { encoding, display }: { encoding: Encoding; display(file: AbsPath): string },
): string | undefined {
  const bases = basesOf(plan);
  const isName = nameTest(name, newName);
  const larger: string[] = [];
  let places = 0;
  for (const [uri, edits] of textEditsOf(edit)) {
    const file = uriToPath(uri);
    const base = file && bases.get(file);
    if (!file || base === undefined) continue;
    const offsets = new TextOffsets(base);
    for (const each of edits) {
      places++;
      const start = offsets.offsetOf(each.range.start, encoding);
      const old = base.slice(start, offsets.offsetOf(each.range.end, encoding));
      if (isName(old, each)) continue;
      const { line, column } = offsets.pointAt(start);
      larger.push(`${display(file)}:${line}:${column}`);
    }
  }
  return larger.length > 0 ? placesReason(larger, places) : filesReason(plan);
}

function placesReason(larger: readonly string[], places: number): string {
  const named = larger.slice(0, MOST_NAMED).join(', ');
  const more = larger.length > MOST_NAMED ? ` and ${larger.length - MOST_NAMED} more` : '';
  return `${larger.length} of ${counted(places, 'place')} change${larger.length === 1 ? 's' : ''} more than the name: ${named}${more}`;
}

/** That a file is renamed with what it declares is part of the name in some languages. */
function filesReason({ files }: EditPlan): string | undefined {
  const number = files.filter(({ kind }) => kind === 'create' || kind === 'delete').length;
  if (number === 0) return undefined;
  return `it changes more than the name: ${counted(number, 'file is', { many: 'files are' })} created or deleted`;
}

/** By both names of a file that moves: its places may be given under either. */
function basesOf({ files }: EditPlan): ReadonlyMap<AbsPath, string> {
  return new Map(
    files.flatMap((file): [AbsPath, string][] => {
      if (file.kind === 'change') return [[file.path, file.before.text]];
      if (file.kind !== 'rename' || file.before.hash === null) return [];
      const { text } = file.before;
      return [
        [file.path, text],
        [file.newPath, text],
      ];
    }),
  );
}

/**
 * The name may stand in quotes or behind a sigil, and both names may be needed: `{ stop: halt }`, `halt as stop`,
 * `stop={halt}`. Whatever else stands there must stand there afterwards, in the same order.
 */
function nameTest(
  name: string,
  newName: string,
): (old: string, edit: TextDocumentEdit['edits'][number]) => boolean {
  const [bare, newBare] = [name, newName].map((each) => each.replace(/^[#@$~&%'"`]+|['"`]+$/gu, ''));
  const names = [bare, newBare]
    .flatMap((each) => (each ? [escapePattern(each)] : []))
    .sort((a, b) => b.length - a.length);
  const word = new RegExp(`(?<!\\p{ID_Continue})(?:${names.join('|')}|as)(?!\\p{ID_Continue})`, 'gu');
  const rest = (text: string) => text.replace(word, '').replace(JOINING, '');
  const has = (text: string, wanted: string) => wanted !== '' && text.includes(wanted);
  return (old, edit) => {
    if (!('newText' in edit) || typeof edit.newText !== 'string') return false;
    const written = edit.newText;
    if (/[\r\n]/.test(old) || /[\r\n]/.test(written)) return false;
    // An insertion beside the name may hold the old one.
    const isNamed = has(written, newBare ?? '') || (old === '' && has(written, bare ?? ''));
    return isNamed && rest(old) === rest(written);
  };
}

const JOINING = /[\s'"`:={}#@$~&%]/gu;
