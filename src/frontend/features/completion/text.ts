/** Suggestions as lines and as data. Their edits are given as the text they insert, never as a server's positions. */
import { type CompletionItem, CompletionItemKind, CompletionItemTag } from 'vscode-languageserver-protocol';
import { oneLine } from '../../render/budget.ts';
import { markupLine, markupText } from '../../render/markup.ts';
import type { Suggestion } from './suggestions.ts';

const DOC_CHARS = 500;

export interface SuggestionData {
  label: string;
  kind?: string;
  detail?: string;
  documentation?: string;
  insert_text?: string;
  replaces?: string;
  deprecated?: boolean;
}

export function suggestionData({ item, label, inserted, replaced }: Suggestion): SuggestionData {
  const documentation = markupText(item.documentation);
  const detail = detailOf(item);
  return {
    label,
    ...(item.kind === undefined ? {} : { kind: kindWord(item.kind) }),
    ...(detail === '' ? {} : { detail }),
    ...(documentation === '' ? {} : { documentation: cut(documentation) }),
    ...(inserted === label ? {} : { insert_text: inserted }),
    ...(replaced === undefined ? {} : { replaces: replaced }),
    ...(isDeprecated(item) ? { deprecated: true } : {}),
  };
}

/** `  stop  method  (): void` and below it, where wanted, the beginning of the documentation. */
export function suggestionLines(suggestion: Suggestion, withDocs: boolean): string[] {
  const { item, label, inserted, replaced } = suggestion;
  const detail = oneLine(detailOf(item), 120);
  const written = inserted === label ? '' : `writes ${JSON.stringify(inserted)}`;
  const instead = replaced ? ` for ${JSON.stringify(replaced)}` : '';
  const parts = [
    label,
    item.kind === undefined ? '' : kindWord(item.kind),
    detail,
    `${written}${written === '' ? '' : instead}`,
    isDeprecated(item) ? 'deprecated' : '',
  ];
  const documentation = withDocs ? markupLine(item.documentation, 200) : '';
  return [
    `  ${parts.filter((part) => part !== '').join('  ')}`,
    ...(documentation === '' ? [] : [`    ${documentation}`]),
  ];
}

/** How long a suggestion gets when written down, generously. */
export function suggestionSize({ item, label, inserted }: Suggestion): number {
  return 60 + label.length + detailOf(item).length + inserted.length + DOC_CHARS;
}

/** What is said beside the label; servers that have nothing to say repeat it. */
function detailOf({ label, detail, labelDetails }: CompletionItem): string {
  const parts = [labelDetails?.detail, labelDetails?.description, detail].map((part) => part?.trim() ?? '');
  return [...new Set(parts)].filter((part) => part !== '' && part !== label.trim()).join(' ');
}

function isDeprecated({ deprecated, tags }: CompletionItem): boolean {
  return deprecated === true || tags?.includes(CompletionItemTag.Deprecated) === true;
}

function kindWord(kind: CompletionItemKind): string {
  return KIND_WORDS.get(kind) ?? 'other';
}

const KIND_WORDS: ReadonlyMap<unknown, string> = new Map(
  Object.entries(CompletionItemKind).map(([name, kind]) => [
    kind,
    name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase(),
  ]),
);

function cut(text: string): string {
  return text.length <= DOC_CHARS ? text : `${text.slice(0, DOC_CHARS - 1)}…`;
}
