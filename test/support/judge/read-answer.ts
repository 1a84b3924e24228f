/** What an answer of the product says: its places, what it calls possible, and what it claims about itself. */
import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { FoundPlace, PossiblePlace, ProductAnswer } from './compare.ts';
import { placesInDiff } from './renamed-places.ts';
import type { Question } from './truth.ts';

/** No program has this name yet, and it is as public or private as the old one. */
export function newNameFor(name: string): string {
  return `${name}Zq7`;
}

interface AnyPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name?: string;
  readonly why?: string;
}

interface Caller extends AnyPlace {
  readonly call_sites?: readonly { readonly line: number; readonly column: number; readonly file?: string }[];
}

interface RenameData {
  readonly diff?: string;
  readonly files?: readonly { readonly file: string; readonly edits: number }[];
}

/** Fields about the accounting stand beside the data or in it. */
interface Accounting {
  readonly possible?: readonly AnyPlace[];
  readonly accounted?: { readonly not_looked_at?: number };
}

interface Envelope extends Accounting {
  readonly status: string;
  readonly data?: readonly AnyPlace[] | (RenameData & Accounting & { incoming?: readonly Caller[] }) | null;
  readonly complete?: boolean;
  readonly reason?: string;
  readonly next_cursor?: string;
  readonly retry_after_ms?: number;
  readonly hidden?: readonly { readonly where: string }[];
}

export interface Page {
  readonly answer: ProductAnswer;
  readonly cursor: string | undefined;
}

/** When the answer asks for the same call once more. */
export function retryIn(result: CallToolResult): number | undefined {
  return (result.structuredContent as Envelope | undefined)?.retry_after_ms;
}

/** A text says why there is no answer. */
export function readAnswer(root: string, question: Question, result: CallToolResult): Page | string {
  const texts = result.content.flatMap((item) => (item.type === 'text' ? [item.text] : []));
  const envelope = result.structuredContent as Envelope | undefined;
  if (result.isError === true || !envelope || !['ok', 'incomplete'].includes(envelope.status))
    return texts.join(' ').slice(0, 500);
  const { possible, accounted } = accountingOf(envelope);
  const all = placesOf(root, question, envelope.data ?? []);
  // A search by name also finds names that only contain it.
  const meant = question.tool === 'symbols' ? all.filter(({ name }) => isCalled(name, question.name)) : all;
  const notLookedAt = accounted?.not_looked_at ?? 0;
  return {
    answer: {
      places: meant,
      possible: possible.map((each): PossiblePlace => ({ ...placeOf(root, each), why: each.why ?? '' })),
      counted: question.tool === 'rename' ? countsOf(root, envelope.data) : new Map(),
      complete: envelope.complete !== false && notLookedAt === 0,
      claims: envelope.complete === true || (accounted !== undefined && notLookedAt === 0),
      remarks: [...texts.slice(1), ...(envelope.reason === undefined ? [] : [envelope.reason])],
      hidden: (envelope.hidden ?? []).map(({ where }) => where),
    },
    // Names that fit exactly come first: after them there is nothing more to find.
    cursor: meant.length < all.length ? undefined : envelope.next_cursor,
  };
}

/** All pages as one answer. */
export function joined(parts: readonly ProductAnswer[]): ProductAnswer {
  return {
    places: parts.flatMap(({ places }) => places),
    possible: parts.flatMap(({ possible }) => possible),
    counted: new Map(parts.flatMap(({ counted }) => [...counted])),
    complete: parts.every(({ complete }) => complete),
    claims: parts.every(({ claims }) => claims),
    remarks: [...new Set(parts.flatMap(({ remarks }) => remarks))],
    hidden: [...new Set(parts.flatMap(({ hidden }) => hidden))],
  };
}

function accountingOf({ data, ...envelope }: Envelope): Required<Pick<Accounting, 'possible'>> & Accounting {
  const inner: Accounting = isObject(data) ? data : {};
  const accounted = envelope.accounted ?? inner.accounted;
  return {
    possible: envelope.possible ?? inner.possible ?? [],
    ...(accounted === undefined ? {} : { accounted }),
  };
}

function isObject(
  data: Envelope['data'],
): data is Exclude<Envelope['data'], readonly AnyPlace[] | null | undefined> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function placesOf(
  root: string,
  { tool, name }: Question,
  data: NonNullable<Envelope['data']>,
): (FoundPlace & { name?: string | undefined })[] {
  if (!isObject(data)) return data.map((each) => ({ ...placeOf(root, each), name: each.name }));
  if (tool === 'rename')
    return placesInDiff(data.diff ?? '', { name, newName: newNameFor(name) }).map((each) => ({
      ...each,
      file: relative(root, path.resolve(root, each.file)),
    }));
  return (data.incoming ?? []).flatMap(({ file, name: caller, call_sites: sites = [] }) =>
    sites.map((site) => ({
      ...placeOf(root, { file, ...site }),
      ...(caller === undefined ? {} : { caller: bareName(caller) }),
    })),
  );
}

/** By file, how many places a rename changes: of a long diff only the beginning is there. */
function countsOf(root: string, data: Envelope['data']): ReadonlyMap<string, number> {
  const files = isObject(data) ? (data.files ?? []) : [];
  return new Map(files.map(({ file, edits }) => [relative(root, file), edits]));
}

/** gopls writes methods with their type, as `Type.name`. */
function isCalled(found: string | undefined, name: string): boolean {
  const bare = bareName(found);
  return bare === name || bare?.endsWith(`.${name}`) === true;
}

/** Some servers write functions as `name()`. */
function bareName(name: string | undefined): string | undefined {
  return name?.replace(/\(\)$/, '');
}

function placeOf(root: string, { file, line, column }: AnyPlace): FoundPlace {
  return { file: relative(root, file), line, column };
}

function relative(root: string, file: string): string {
  return path.relative(root, path.resolve(root, file)).split(path.sep).join('/');
}
