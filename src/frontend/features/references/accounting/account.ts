/**
 * Accounts for a name: looks at each occurrence in the text of the workspace that the server did not list. Look-ups
 * and time are bounded; occurrences that were not looked at are counted.
 * Decision: docs/decisions/references.md#accounting
 */
import { setMaxListeners } from 'node:events';
import { DefinitionRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { failureOf } from '../../../../shared/base/failure.ts';
import { groupBy } from '../../../../shared/base/group-by.ts';
import { onEnd, withTimeout } from '../../../../shared/base/lifetime.ts';
import { pathToUri } from '../../../../shared/base/paths.ts';
import { eachBounded } from '../../../../shared/base/pool.ts';
import { type Point, toServerPosition } from '../../../../shared/base/positions.ts';
import type { Mentions } from '../../../../shared/link/reach-question.ts';
import type { ServerFacts } from '../../../../shared/link/server-link.ts';
import { maskCode } from '../../../lexical/code-mask.ts';
import { withoutMarks } from '../../../lexical/words.ts';
import { byPlace, type Place, type ServerPlace, toPlaces } from '../../../places/places.ts';
import type { Target } from '../../../targets/locate.ts';
import type { ToolContext } from '../../../tools/context.ts';
import { siftHidden } from '../../../workspace/hidden-places.ts';
import type { Accounting, AccountWish, PossibleUse, Unseen } from './accounting.ts';
import { elsewhereOf } from './elsewhere.ts';
import { lookedUpNames, recalled, remember } from './looked-up.ts';
import {
  type FileOccurrences,
  type Occurrence,
  type OccurrenceOptions,
  occurrencesIn,
  placeOf,
} from './occurrences.ts';
import { type Meaning, type Resolution, resolveOccurrence } from './resolve.ts';

export interface AccountOptions {
  readonly wish: AccountWish;
  readonly includeHidden?: boolean | undefined;
  /** The server is still searching: what it is asked besides would wait for that. */
  readonly isBusy?: boolean | undefined;
  /** Whether no other file can use the name; asked only if others have it. */
  isLocal(): Promise<boolean>;
  /** Of a parameter that calls can name: what stands behind its name there. In other files it is nothing else. */
  named(): Promise<RegExp | undefined>;
}

/** What can be looked at without making the answer wait. */
const SOME = { lookups: 200, ms: 1_000 };
const AT_ONCE = 8;
/** Of more files only those are read in which the server listed fewer places than there are occurrences. */
const MOST_READ = 100;
/** More than this a front end does not hold in its hands at once. */
const MOST_FILES = 2_000;

export async function accountFor(
  context: ToolContext,
  target: Target,
  listed: Pick<Meaning, 'places' | 'declarations'> & {
    readonly facts: ServerFacts;
    readonly mentions: Mentions;
    /** A look there would make the server load a project that there was no time for. */
    readonly later: readonly AbsPath[];
    /** Which state of all files this is, where that is known. */
    readonly world: string | undefined;
  },
  { wish, includeHidden, isBusy = false, isLocal, named }: AccountOptions,
): Promise<Accounting> {
  const { name, source, link } = target;
  const { facts, mentions } = listed;
  const sifted = await siftHidden(context, mentions.files, source.path, { include_hidden: includeHidden });
  const byFile = groupBy(listed.places, ({ file }) => file);
  const width = withoutMarks(name).length;
  const hasAll = ({ file, count }: { file: AbsPath; count: number }) =>
    (byFile.get(file) ?? []).filter(({ range }) => range.end.character - range.start.character === width)
      .length === count;
  const whole = new Set(sifted.shown.filter(hasAll));
  const isListed = (each: { file: AbsPath; count: number }) => whole.has(each);
  const isMany = sifted.shown.length > MOST_READ;
  const unread = isMany ? sifted.shown.filter((each) => !isListed(each)) : sifted.shown;
  const mattersElsewhere = unread.some((each) => each.file !== source.path && !isListed(each));
  const other = await elsewhereOf(context, target, mentions, {
    isListed: (file) => byFile.has(file),
    includeHidden,
  });
  const isAlone =
    !isBusy && (mattersElsewhere || other !== undefined) && (await isLocal().catch(() => false));
  const asArgument =
    isBusy || isAlone || !mattersElsewhere ? undefined : await named().catch(() => undefined);
  const files = isAlone ? unread.filter(({ file }) => file === source.path) : unread;
  const read = await readAll(context, target, files.slice(0, MOST_FILES), async (file) => ({
    known: await toPlaces(byFile.get(file) ?? [], context.files, facts.encoding),
    behind: file === source.path ? undefined : asArgument,
  }));
  const left = nearestFirst(
    read.flatMap(({ inCode }) => inCode),
    source.path,
    byFile,
  );
  const inText = read.flatMap((each) => each.inText);
  const looked = isBusy
    ? notLookedAt(left, name)
    : await lookAt(context, { ...listed, name, link }, left, wish);
  const counted = isMany ? sum(sifted.shown.filter(isListed), ({ count }) => count) : 0;
  const beyond = sum(files.slice(MOST_FILES), ({ count }) => count);
  const occurrences = sum(read, ({ all }) => all) + counted + beyond;
  const unseen = looked.unseen + beyond;
  return {
    occurrences,
    listed: occurrences - beyond - left.length - inText.length,
    found: looked.found,
    otherSymbols: looked.otherSymbols,
    inText,
    possible: looked.possible,
    unseen: unseenFor(unseen, looked.reason, mentions.whole),
    elsewhere: isAlone || asArgument ? undefined : other,
  };
}

function unseenFor(count: number, reason: Unseen['reason'], whole: boolean): Unseen | undefined {
  if (!whole) return { count, reason: 'files' };
  return count === 0 ? undefined : { count, reason };
}

async function readAll(
  context: ToolContext,
  { name, link }: Target,
  files: readonly { readonly file: AbsPath }[],
  optionsFor: (file: AbsPath) => Promise<Omit<OccurrenceOptions, 'masked'>>,
): Promise<readonly FileOccurrences[]> {
  const read = files.map(async ({ file }) => {
    try {
      const source = await context.files.read(file);
      const family = context.servers.familyOfFile(file) ?? link.language;
      const masked = () => context.files.derived(maskCode, source, family);
      return [occurrencesIn(source, name, family, { ...(await optionsFor(file)), masked })];
    } catch (error) {
      // Gone since it was counted.
      if (failureOf(error)) return [];
      throw error;
    }
  });
  return (await Promise.all(read)).flat();
}

/** Where the name is used already others of its uses are most likely. */
function nearestFirst(
  left: readonly Occurrence[],
  from: AbsPath,
  byFile: ReadonlyMap<AbsPath | undefined, unknown>,
): readonly Occurrence[] {
  const rank = ({ file }: Occurrence) => (file === from ? 0 : byFile.has(file) ? 1 : 2);
  return left.toSorted((a, b) => rank(a) - rank(b));
}

interface Looked {
  readonly found: readonly ServerPlace[];
  readonly otherSymbols: number;
  readonly possible: readonly PossibleUse[];
  readonly unseen: number;
  readonly reason: Unseen['reason'];
}

/** As a search of the text would list them. */
function notLookedAt(left: readonly Occurrence[], name: string): Looked {
  const possible = left.slice(0, SOME.lookups).map((occurrence) => ({
    place: placeOf(occurrence, pathToUri(occurrence.file), name),
    why: 'not looked at yet',
  }));
  return { found: [], otherSymbols: 0, possible, unseen: left.length, reason: 'still-working' };
}

async function lookAt(
  context: ToolContext,
  meaning: Meaning & {
    readonly facts: ServerFacts;
    readonly later: readonly AbsPath[];
    readonly world: string | undefined;
  },
  left: readonly Occurrence[],
  wish: AccountWish,
): Promise<Looked> {
  const found: ServerPlace[] = [];
  const possible: PossibleUse[] = [];
  let [otherSymbols, seen] = [0, 0];
  const result = (reason: Unseen['reason']): Looked => ({
    found,
    otherSymbols,
    possible,
    unseen: left.length - seen,
    reason,
  });
  if (left.length === 0) return result('time');
  if (!meaning.facts.methods.includes(DefinitionRequest.method)) return result('no-definitions');
  const reserve = context.remainingMs() / 4;
  const end =
    context.clock.now() +
    Math.max(
      0,
      wish === 'all' ? context.remainingMs() - reserve : Math.min(SOME.ms, reserve, context.patienceMs()),
    );
  const take = async (occurrence: Occurrence, resolution: Resolution) => {
    seen++;
    const place = placeOf(occurrence, pathToUri(occurrence.file), meaning.name);
    if (resolution.kind === 'same') found.push(await serverPlace(context, place, meaning.facts));
    else if (resolution.kind === 'other') otherSymbols++;
    else possible.push({ place, why: resolution.why });
  };
  const names = lookedUpNames(context);
  const lookedUp = names.of(meaning, meaning.world);
  const unknown: Occurrence[] = [];
  for (const occurrence of left) {
    const resolution = recalled(lookedUp, occurrence);
    if (resolution) await take(occurrence, resolution);
    else unknown.push(occurrence);
  }
  const later = new Set(meaning.later);
  const loaded = unknown.filter(({ file }) => !later.has(file));
  const chosen = wish === 'all' ? unknown : loaded.slice(0, SOME.lookups);
  const recalls = seen;
  using bounded = untilReleased(context);
  await eachBounded(chosen, AT_ONCE, async (occurrence) => {
    const leftMs = end - context.clock.now();
    if (leftMs < 0) return;
    const resolving = resolveOccurrence(bounded.context, meaning, occurrence).catch((error: unknown) => {
      const failure = failureOf(error);
      if (failure?.kind === 'still-working') return undefined;
      if (!failure || failure.kind === 'cancelled') throw error;
      const why = failure.kind === 'left-out' ? `the file is ${failure.where}` : 'the server failed there';
      return { kind: 'possible', why } as const;
    });
    // A server that has to load a project first takes its time.
    const resolution = await withTimeout(resolving, leftMs, () => undefined, context.clock);
    if (!resolution) return;
    remember(lookedUp, occurrence, resolution);
    await take(occurrence, resolution);
  });
  possible.sort((a, b) => byPlace(a.place, b.place));
  if (seen === left.length) names.done(lookedUp);
  return result(seen - recalls < chosen.length || loaded.length < unknown.length ? 'time' : 'many');
}

/** What is under way when the time is over is taken back: the server would answer all of it before the next question. */
function untilReleased(context: ToolContext): Disposable & { readonly context: ToolContext } {
  const released = new AbortController();
  // Each look-up listens.
  setMaxListeners(0, released.signal);
  const cancelled = onEnd(context.signal, undefined, () => released.abort());
  const during = (...documents: AbsPath[]) => ({
    ...context.during(...documents),
    signal: released.signal,
  });
  return {
    context: { ...context, during },
    [Symbol.dispose]: () => {
      cancelled[Symbol.dispose]();
      released.abort();
    },
  };
}

async function serverPlace(
  { files }: ToolContext,
  { uri, file, start, end }: Place & { readonly file: AbsPath },
  { encoding }: ServerFacts,
): Promise<ServerPlace> {
  const { lines } = await files.read(file);
  const at = (point: Point) => toServerPosition(point, lines, encoding);
  return { uri, file, range: { start: at(start), end: at(end) } };
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
