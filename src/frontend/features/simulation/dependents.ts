/**
 * Files that an edit may break without touching them: those that use what the edited files declare. Uses of what the
 * edit touches come first; the rest of a file's public names count as well, since their types may follow from it.
 */
import { ReferencesRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { TextLines, toServerPosition } from '../../../shared/base/positions.ts';
import type { ServerLink } from '../../../shared/link/server-link.ts';
import { type PreparedSearch, prepareSearch, whyIncomplete } from '../../ask/prepared-search.ts';
import { whyNot } from '../../ask/why-not.ts';
import { changedLines } from '../../lexical/line-diff.ts';
import { serverPlaces } from '../../places/places.ts';
import { firstIncomplete, type Incomplete } from '../../render/incomplete.ts';
import { segmentsOf } from '../../symbols/symbol-tree.ts';
import type { ToolContext } from '../../tools/context.ts';
import { siftHidden } from '../../workspace/hidden-places.ts';
import type { Subject } from '../impact/impact.ts';
import { type LineRange, subjectsIn } from '../impact/subjects.ts';
import { sendReferences } from '../references/send-references.ts';
import { includersOf, isHeader } from './includers.ts';
import type { TriedText } from './session.ts';

export interface Dependents {
  readonly files: readonly AbsPath[];
  /** How many more there are. */
  readonly leftOut: number;
  /** Why there may be others. */
  readonly incomplete: Incomplete | undefined;
}

export const NO_DEPENDENTS: Dependents = { files: [], leftOut: 0, incomplete: undefined };

/** Each is sent to the server and asked about, before and after. */
const MOST_FILES = 20;
const MOST_SYMBOLS = 40;
const QUESTIONS_AT_ONCE = 16;

export async function dependentsOf(
  context: ToolContext,
  texts: readonly TriedText[],
  language?: string,
): Promise<Dependents> {
  const found = await eachBounded(texts, 2, async (text) =>
    // Searching is another server's role than judging, where there are two.
    usersOf(context, await context.servers.linkFor(text.path, { languageId: language }), text),
  );
  const edited = new Set(texts.map(({ path }) => path));
  const weights = new Map<AbsPath, number>();
  for (const [file, weight] of found.flatMap(({ users }) => [...users])) {
    const isOurs = context.roots.holds(file) && context.servers.familyOfFile(file) !== undefined;
    if (isOurs && !edited.has(file)) weights.set(file, (weights.get(file) ?? 0) + weight);
  }
  const files = [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([file]) => file);
  return {
    files: files.slice(0, MOST_FILES),
    leftOut: Math.max(0, files.length - MOST_FILES),
    incomplete: firstIncomplete(found),
  };
}

interface Users {
  /** What is used of the edit itself weighs more. */
  readonly users: ReadonlyMap<AbsPath, number>;
  readonly incomplete: Incomplete | undefined;
}

const NO_USERS: Users = { users: new Map(), incomplete: undefined };
const TOUCHED_WEIGHT = 1_000;

async function usersOf(context: ToolContext, link: ServerLink, text: TriedText): Promise<Users> {
  if (text.base === null || text.text === text.base.text) return NO_USERS;
  try {
    const { touched, others } = await namesIn(context, text.path, touchedLines(text.base.text, text.text));
    const users = await usersAmong(context, link, { touched, others: others.slice(0, MOST_SYMBOLS) });
    return isHeader(text.path) ? await withIncluders(context, text.path, users) : users;
  } catch (error) {
    const shown = context.roots.display(text.path);
    return {
      users: new Map(),
      incomplete: { reason: `who depends on ${shown} is not known: ${whyNot(error)}` },
    };
  }
}

/** Behind those that use a name of it: what is taken in can break without that. */
async function withIncluders(
  context: ToolContext,
  header: AbsPath,
  { users, incomplete }: Users,
): Promise<Users> {
  const { files, isWhole } = await includersOf(context, header);
  const others = files.filter((file) => !users.has(file)).map((file) => [file, 0] as const);
  return {
    users: new Map([...users, ...others]),
    incomplete:
      incomplete ??
      (isWhole
        ? undefined
        : { reason: `not all files that include ${context.roots.display(header)} were looked for` }),
  };
}

interface Names {
  readonly touched: readonly Subject[];
  readonly others: readonly Subject[];
}

async function namesIn(context: ToolContext, file: AbsPath, touched: readonly LineRange[]): Promise<Names> {
  const { subjects: all } = await subjectsIn(context, [{ file, touched }], { scope: 'all' });
  const changed = all.slice(0, MOST_SYMBOLS);
  const known = new Set(changed.map(({ node }) => node));
  const { subjects } = await subjectsIn(context, [{ file }], { scope: 'exported' });
  return { touched: changed, others: subjects.filter(({ node }) => !known.has(node)) };
}

async function usersAmong(
  context: ToolContext,
  link: ServerLink,
  { touched, others }: Names,
): Promise<Users> {
  const all = [...touched, ...others];
  const source = all[0]?.source;
  if (!source) return NO_USERS;
  const [name = '', ...also] = new Set(all.map(({ node }) => segmentsOf(node.name).at(-1) ?? node.name));
  const prepared = await prepareSearch(context, link, {
    method: ReferencesRequest.method,
    about: { name, also, file: source.path },
  });
  const users = new Map<AbsPath, number>();
  await eachBounded(all, QUESTIONS_AT_ONCE, async (subject) => {
    const weight = touched.includes(subject) ? TOUCHED_WEIGHT : 1;
    for (const file of await filesUsing(context, link, prepared, subject))
      users.set(file, (users.get(file) ?? 0) + weight);
  });
  return { users, incomplete: await whyIncomplete(context, prepared, { filesInAnswer: () => users.keys() }) };
}

async function filesUsing(
  context: ToolContext,
  link: ServerLink,
  { facts, options }: PreparedSearch,
  { source, node }: Subject,
): Promise<ReadonlySet<AbsPath>> {
  const position = () => toServerPosition(node.at, source.lines, facts.encoding);
  const found = await sendReferences(link, facts, { source, position }, options(source.path));
  const { shown } = await siftHidden(context, serverPlaces(found), source.path);
  return new Set(shown.flatMap(({ file }) => file ?? []));
}

/** Lines of the old text; what is only inserted stands between two of them. */
function touchedLines(before: string, after: string): readonly LineRange[] {
  const linesOf = (text: string) => {
    const lines = new TextLines(text);
    return Array.from({ length: lines.count }, (_, index) => lines.at(index + 1));
  };
  return changedLines(linesOf(before), linesOf(after)).map(({ oldStart, oldEnd }) => ({
    start: oldStart + 1,
    end: oldEnd,
  }));
}
