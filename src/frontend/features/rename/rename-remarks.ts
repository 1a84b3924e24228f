/**
 * What a rename leaves behind in the text: the old name in comments, strings and other languages, and the new name
 * where it stood already. Both are only remarks, because the agent has to judge whether they matter.
 */
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { uriToPath } from '../../../shared/base/paths.ts';
import { otherKindsOf } from '../../../shared/projects/other-kinds.ts';
import { isOfFunction } from '../../targets/local-names.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type EditPlan, textsAfter } from '../edits/plan/edit-plan.ts';
import type { Accounting } from '../references/accounting/accounting.ts';
import { accountedPart } from '../references/accounting/sentences.ts';
import { linesWith, type MentionedLines, mentionsOf } from './mentions.ts';
import { areChanged } from './rename-mentions.ts';
import { type Alias, textEditsOf } from './rename-places.ts';
import type { PlannedRename } from './rename-plan.ts';

export interface RenameRemarks {
  readonly notes: readonly string[];
  /** Code that is not changed and may break: what still has the old name, and what imports the changed files. */
  readonly suspects: readonly AbsPath[];
}

const MOST_FILES = 5;
const MOST_LINES = 3;
/** Shorter words stand everywhere and say nothing. */
const SHORTEST = 3;
/** An import of any more files is looked for no further: then hardly a file is without one. */
const MOST_MODULES = 20;
const NOTHING: MentionedLines = { lines: new Map(), importers: new Set(), whole: true };

/** What the text of the workspace says of the old name; nothing of one that no other file can have. */
export async function scanFor(
  context: ToolContext,
  target: Target,
  edit: WorkspaceEdit,
): Promise<MentionedLines | undefined> {
  const files = textEditsOf(edit).flatMap(([uri]) => uriToPath(uri) ?? []);
  const isAlone = files.length === 1 && (await isOfFunction(context, target).catch(() => false));
  if (isAlone) return undefined;
  const root = context.roots.around(target.source.path);
  const isCode = otherKindsOf(target.link.language);
  return mentionsOf(context, target.name, root, { modules: files.slice(0, MOST_MODULES), isCode });
}

export function remarksOn(
  context: ToolContext,
  { source, link }: Target,
  planned: Omit<PlannedRename, 'incomplete' | 'mustShow'>,
  newName: string,
): RenameRemarks {
  const { plan, name, aliases, scan = NOTHING, accounting } = planned;
  const { lines, importers, whole } = scan;
  const isTelling = name.length >= SHORTEST;
  const left =
    planned.scan === undefined ? NOTHING.lines : remaining(plan, isTelling ? lines : NOTHING.lines, name);
  const touched = new Set<AbsPath>(plan.files.map(({ path }) => path));
  const family = context.servers.familyOfFile(source.path);
  const isCode = (file: AbsPath) => context.servers.familyOfFile(file) === family;
  return {
    notes: [
      ...aliasNote(context, name, aliases),
      ...(accounting ? possibleNote(context, accounting) : []),
      ...(accounting
        ? mentionNote(context, planned, link.language)
        : leftNote(context, name, left, whole || !isTelling)),
      ...takenNote(context, plan, newName),
    ],
    suspects: ranked([...lines.keys()], importers).filter((file) => !touched.has(file) && isCode(file)),
  };
}

/** What the server cannot tell is not renamed by guess. */
function possibleNote({ roots }: ToolContext, accounting: Accounting): string[] {
  const { possible } = accounting;
  const shown = possible.slice(0, MOST_FILES).map(({ place, why }) => {
    const file = place.file === undefined ? place.uri : roots.display(place.file);
    return `${file}:${place.start.line}:${place.start.column} (${why})`;
  });
  const more = possible.length - shown.length;
  const uses = counted(possible.length, 'possible use is', { many: 'possible uses are' });
  return [
    ...(possible.length === 0
      ? []
      : [`${uses} left as before: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
    // Files of other languages are among the mentions.
    accountedPart({ ...accounting, elsewhere: undefined }, roots),
  ];
}

function mentionNote(
  context: ToolContext,
  {
    name,
    mentions,
    changesMentions,
    scan,
  }: Pick<PlannedRename, 'name' | 'mentions' | 'changesMentions' | 'scan'>,
  language: string,
): string[] {
  const notSearched =
    scan && !scan.whole ? [`not all files were searched for further mentions of ${name}`] : [];
  if (mentions.length === 0) return notSearched;
  const left = changesMentions ? mentions.length - areChanged(mentions, name).length : mentions.length;
  const qualified = mentions.filter(({ isQualified }) => isQualified).length;
  const places = mentions
    .slice(0, MOST_FILES)
    .map(({ file, at }) => `${context.roots.display(file)}:${at.line}`);
  const more = mentions.length > places.length ? ', …' : '';
  const isOfOtherKind = otherKindsOf(language);
  const kinds = mentions.some(({ file }) => isOfOtherKind(file))
    ? 'comments, strings, documents and other languages'
    : 'comments, strings and documents';
  const asCode = qualified === 0 ? '' : `, ${qualified} of them as code`;
  const count = `${counted(mentions.length, 'mention')} in ${kinds}${asCode}`;
  const fate = changesMentions
    ? left === 0
      ? 'changed as well'
      : `changed as well, but for ${left} in prose or paths`
    : 'left as before; mentions:"change" changes them';
  return [`${count}: ${[...new Set(places)].join(' ')}${more}; ${fate}`, ...notSearched];
}

/** Most likely first: only some of them are looked at. */
function ranked(mentioning: readonly AbsPath[], importers: ReadonlySet<AbsPath>): readonly AbsPath[] {
  const both = mentioning.filter((file) => importers.has(file));
  const others = [...importers].sort().filter((file) => !both.includes(file));
  const alone = mentioning.filter((file) => !importers.has(file));
  // What only imports breaks as seldom as what only has the name: neither may take all the places.
  const longest = Math.max(others.length, alone.length);
  return [
    ...both,
    ...Array.from({ length: longest }, (_, at) => [alone[at] ?? [], others[at] ?? []]).flat(2),
  ];
}

/** Of changed files the text afterwards counts; lines are the same in both. */
function remaining(
  plan: EditPlan,
  found: MentionedLines['lines'],
  name: string,
): ReadonlyMap<AbsPath, readonly number[]> {
  const texts = textsAfter(plan);
  const changed = plan.files.flatMap((file): [AbsPath, readonly number[]][] => {
    const text = texts.get(file.path);
    return [[file.path, text === undefined ? [] : linesWith(name, text)]];
  });
  return new Map(
    [...changed, ...[...found].filter(([file]) => !texts.has(file))].filter(([, lines]) => lines.length > 0),
  );
}

function aliasNote({ roots }: ToolContext, name: string, aliases: readonly Alias[]): string[] {
  if (aliases.length === 0) return [];
  const shown = aliases.slice(0, MOST_FILES).map((at) => `${roots.display(at.file)}:${at.line} "${at.text}"`);
  const more = aliases.length - shown.length;
  return [
    `others still see ${name} at ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}; rename it there as well to change that`,
  ];
}

function leftNote(
  context: ToolContext,
  name: string,
  left: ReadonlyMap<AbsPath, readonly number[]>,
  whole: boolean,
): string[] {
  if (left.size === 0) return whole ? [] : [`not all files were searched for further mentions of ${name}`];
  const extent = whole ? '' : ' at least';
  return [
    `${name} still stands in${extent} ${counted(left.size, 'file')} (comment, string, or another ${name}): ${placesIn(context, left)}`,
  ];
}

/** A name that is there already may be captured, or be captured by the new one, without any error. */
function takenNote(context: ToolContext, plan: EditPlan, newName: string): string[] {
  const taken = plan.files.flatMap((file): [AbsPath, readonly number[]][] => {
    if (file.kind !== 'change') return [];
    const lines = linesWith(newName, file.before.text);
    return lines.length > 0 ? [[file.path, lines]] : [];
  });
  if (taken.length === 0) return [];
  return [
    `${newName} stood there before, check that nothing is shadowed: ${placesIn(context, new Map(taken))}`,
  ];
}

function placesIn({ roots }: ToolContext, found: ReadonlyMap<AbsPath, readonly number[]>): string {
  const shown = [...found].slice(0, MOST_FILES).map(([file, lines]) => {
    const more = lines.length > MOST_LINES ? ',…' : '';
    return `${roots.display(file)}:${lines.slice(0, MOST_LINES).join(',')}${more}`;
  });
  const more = found.size - shown.length;
  return `${shown.join(' ')}${more > 0 ? ` and ${more} more` : ''}`;
}
