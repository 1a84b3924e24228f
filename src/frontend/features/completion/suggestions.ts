/**
 * Suggestions from what a server answers to a completion. Servers return everything that could stand at a place and
 * leave filtering and ranking to the editor, so both are done here.
 */
import {
  type CompletionItem,
  type CompletionList,
  InsertTextFormat,
  type Range,
} from 'vscode-languageserver-protocol';
import { type Encoding, toPoint } from '../../../shared/base/positions.ts';
import { flattenSnippet } from '../../lexical/snippet.ts';
import { textBefore } from '../../targets/cursor-place.ts';
import type { Target } from '../../targets/locate.ts';

export interface Suggestion {
  /** With the defaults of its list, as the server wants it back. */
  readonly item: CompletionItem;
  /** Without the blanks by which some servers align lists. */
  readonly label: string;
  /** The text before the cursor that the item is chosen by. */
  readonly typed: string;
  /** The text that would be written. */
  readonly inserted: string;
  /** The text before the cursor that would give way, where that is more or less than the word that was begun. */
  readonly replaced: string | undefined;
}

export type CompletionResult = CompletionList | readonly CompletionItem[] | null;

/** Those that fit what was typed, best first. `prefix` counts as typed instead of the word before the cursor. */
export function suggestionsOf(
  items: readonly CompletionItem[],
  place: Target,
  encoding: Encoding,
  prefix: string | undefined,
): readonly Suggestion[] {
  const all = items.map((item) => suggestionOf(item, place, encoding));
  return [...filtered(all, prefix, place)].sort(byRank);
}

/** The items of an answer in any of its shapes, each with the defaults of the list. */
export function itemsOf(result: CompletionResult): readonly CompletionItem[] {
  if (result === null) return [];
  if (!('items' in result)) return result;
  const { items, itemDefaults } = result;
  if (itemDefaults === undefined) return items;
  const { editRange, insertTextFormat, data, commitCharacters } = itemDefaults;
  return items.map((item) => ({
    ...(commitCharacters === undefined ? {} : { commitCharacters }),
    ...(insertTextFormat === undefined ? {} : { insertTextFormat }),
    ...(data === undefined ? {} : { data }),
    ...(editRange === undefined
      ? {}
      : {
          textEdit: {
            newText: item.textEditText ?? item.label,
            ...('insert' in editRange ? editRange : { range: editRange }),
          },
        }),
    ...item,
  }));
}

function suggestionOf(item: CompletionItem, place: Target, encoding: Encoding): Suggestion {
  const label = item.label.trim();
  const written = item.textEdit?.newText ?? item.insertText ?? label;
  const inserted = item.insertTextFormat === InsertTextFormat.Snippet ? flattenSnippet(written) : written;
  const word = wordBefore(place);
  const typed = typedFor(item, place, encoding) ?? word;
  // Some edits begin before the word and repeat what stands there.
  const lead = typed.slice(0, typed.length - word.length);
  if (typed.endsWith(word) && inserted.startsWith(lead))
    return { item, label, typed, inserted: inserted.slice(lead.length), replaced: undefined };
  return { item, label, typed, inserted, replaced: typed };
}

/** The text from where the item's edit begins up to the cursor. */
function typedFor({ textEdit }: CompletionItem, place: Target, encoding: Encoding): string | undefined {
  if (textEdit === undefined) return undefined;
  const { start }: Range = 'range' in textEdit ? textEdit.range : textEdit.insert;
  const from = toPoint(start, () => place.source.lines, encoding);
  return from.line === place.point.line ? textBefore(place).slice(from.column - 1) : undefined;
}

/** What begins with the typed text; only where nothing does, what has its characters in this order. */
function filtered(
  suggestions: readonly Suggestion[],
  prefix: string | undefined,
  place: Target,
): readonly Suggestion[] {
  const word = wordBefore(place);
  const wanted = ({ typed }: Suggestion) =>
    (prefix === undefined
      ? typed
      : typed.slice(0, typed.endsWith(word) ? typed.length - word.length : 0) + prefix
    ).toLowerCase();
  const matched = ({ item }: Suggestion) => (item.filterText ?? item.label).trimStart().toLowerCase();
  const beginning = suggestions.filter((one) => matched(one).startsWith(wanted(one)));
  return beginning.length > 0 ? beginning : suggestions.filter((one) => isWithin(wanted(one), matched(one)));
}

function isWithin(typed: string, name: string): boolean {
  let from = 0;
  for (const character of typed) {
    const found = name.indexOf(character, from);
    if (found < 0) return false;
    from = found + character.length;
  }
  return true;
}

/** As editors rank: a server that leaves the order open must not give another page each time. */
function byRank(a: Suggestion, b: Suggestion): number {
  const rankOf = ({ item, label }: Suggestion) => item.sortText ?? label;
  return inOrder(rankOf(a), rankOf(b)) || inOrder(a.label, b.label);
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The part of a word that stands before the cursor. */
export function wordBefore(place: Target): string {
  return /[\p{ID_Continue}$\u200c\u200d]*$/u.exec(textBefore(place))?.[0] ?? '';
}
