/**
 * Which files have to be open before a question about a name, so that the server knows every project that could have to
 * do with it: those that mention the name and are not in the project that is asked anyway.
 * Decision: docs/decisions/languages-and-projects.md#completeness
 */
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { escapePattern } from '../base/escape-pattern.ts';
import { isInside, realPath } from '../base/paths.ts';
import { textOrNothing } from '../base/read-text.ts';
import { importedNames } from '../languages/manifests.ts';
import {
  type About,
  type Declarations,
  NOTHING_TO_SHOW,
  type Reach,
  type ReachPlan,
} from '../link/reach-question.ts';
import { declaringFiles } from './declaring-files.ts';
import type { MentionIndex } from './mention-index.ts';
import type { ReachDeps } from './reach-deps.ts';
import type { Survey } from './survey.ts';
import { indexedWordsOf, wordsLike } from './words-like.ts';

/** A folder that the name is not in, and how it is seen whether it has to do with it. */
export interface Elsewhere {
  /** What its files write when they mean one of the other folders. */
  readonly names: readonly string[];
  /** The file that the name is in speaks of what this file belongs to. */
  isMeant(file: AbsPath): boolean;
}

/** More files of no project are not opened for one question: each costs the server a project of its own. */
const MOST_LOOSE = 64;
/** Between two looks at whether the time is over, and for others to be served. */
const SLICE_MS = 10;

/** `root` is what the server works in and the name belongs to. */
export async function reachOf(
  survey: Survey,
  root: AbsPath,
  about: About,
  deps: ReachDeps,
  elsewhere?: Elsewhere,
): Promise<ReachPlan> {
  const { projectOf, opensHelp, sampleOf, forbidden } = survey;
  const own = about.file && projectOf.get(about.file);
  // A project that the server misreads is no better known to it than any other.
  const isDoubtful = own !== undefined && (survey.misread?.(own) || survey.unread?.(own) !== undefined);
  const asked = isDoubtful ? undefined : own;
  const others: [AbsPath, string | undefined][] = [];
  projectOf.forEach((project, file) => {
    const isAsked = file === about.file || (project !== undefined && project === asked);
    if (!isAsked && !about.except?.some((directory) => isInside(file, directory)))
      others.push([file, project]);
  });
  const { file: source } = about;
  // A file that imports the link imports another file, as far as the server knows.
  const aliases = source === undefined ? [] : survey.links.filter((link) => realPath(link) === source);
  const hasUnbuilt = about.file !== undefined && (survey.unbuilt?.length ?? 0) > 0;
  // Only of these languages it is known how they import; one project that is built has nothing to hide.
  const looksBehind =
    hasUnbuilt || (about.file !== undefined && survey.unbuilt !== undefined && others.length > 0);
  if (others.length === 0 && !looksBehind)
    return { ...NOTHING_TO_SHOW, unopened: aliases, forbidden, whole: survey.whole };
  const learned = await learnAll(hasUnbuilt ? [...projectOf] : others, deps);
  const mentions = mentionOf(root, about, { index: deps.index, opensHelp, elsewhere });
  const named = others.filter(([file, project]) => mentions(file, project));
  const unbuilt = looksBehind ? unbuiltBehind(survey, about, mentions, deps.index) : [];
  const byProject = new Map<string, AbsPath[]>();
  const loose: AbsPath[] = [];
  for (const [file, project] of named) {
    const group = project === undefined ? loose : (byProject.get(project) ?? []);
    group.push(file);
    if (project !== undefined) byProject.set(project, group);
  }
  const whole = survey.whole && learned;
  const declarations = about.wantsDeclarations ? await declaringFiles(named, about.name, deps) : undefined;
  const declaring = declarations && new Set(declarations.files.map(({ file }) => file));
  const declares = (file: AbsPath) => declaring?.has(file) === true;
  // What only uses the name has nothing to list, and need not be opened before what declares it.
  const mayMatter = (file: AbsPath) => !declarations?.whole || declares(file);
  const byNeed = [...loose.filter(mayMatter), ...loose.filter((file) => !mayMatter(file))];
  const chosen = byNeed.slice(0, MOST_LOOSE);
  // Where there is no time for all projects, those that declare the name have been loaded.
  const groups = [...byProject].sort(([, a], [, b]) => Number(b.some(declares)) - Number(a.some(declares)));
  const filesOf = (some: typeof groups) => some.flatMap(([, files]) => files);
  if (about.file && !opensHelp)
    return {
      ...NOTHING_TO_SHOW,
      unopened: [...aliases, ...filesOf(groups), ...loose],
      unbuilt,
      forbidden,
      whole,
    };
  const shown = groups.slice(0, deps.mostProjects).flatMap(([project, files]) => {
    const sample = sampleOf.get(project);
    return sample === undefined ? [] : ([[sample, files]] as const);
  });
  const left = [...filesOf(groups.slice(deps.mostProjects)), ...byNeed.slice(MOST_LOOSE)];
  const unopened = [...aliases, ...(declarations ? left.filter(mayMatter) : left)];
  return {
    // Always the same file of a project, so that one stays open and not many.
    documents: [...shown.map(([sample]) => sample), ...chosen],
    behind: new Map(shown),
    unopened,
    ...(about.file === undefined ? { loose: chosen } : {}),
    // Names of symbols are what they are by any rules.
    misread: about.file ? filesOf(groups.filter(([project]) => survey.misread?.(project) ?? false)) : [],
    unread: about.file ? groups.flatMap(([project, files]) => unreadFiles(project, files)) : [],
    unbuilt,
    forbidden,
    whole,
    // What is not opened is not asked about either: many files of no project keep a server busy for minutes.
    ...(declarations ? { declarations: without(declarations, unopened) } : {}),
  };

  function unreadFiles(project: string, files: readonly AbsPath[]): Reach['unread'] {
    const why = survey.unread?.(project);
    return why === undefined ? [] : files.map((file) => ({ file, why }));
  }
}

function without({ files, whole }: Declarations, left: readonly AbsPath[]): Declarations {
  const excluded = new Set(left);
  return { files: files.filter(({ file }) => !excluded.has(file)), whole };
}

/** Of the file that is asked about every such import counts; of others those that could lead to it. */
function unbuiltBehind(
  { projectOf, manifests, unbuilt = [] }: Survey,
  about: About,
  mentions: Mention,
  index: MentionIndex,
): Reach['unbuilt'] {
  const asked = about.file ?? '';
  // In its own package a name may come back from such an import, as the type of what a function makes.
  const homes = manifests.map((file) => path.dirname(file)).filter((directory) => isInside(asked, directory));
  const home = homes.sort((a, b) => b.length - a.length)[0] ?? asked;
  const mentioning = [...projectOf].filter(([file, project]) => file === asked || mentions(file, project));
  const imports = importing(about.name, asked);
  const found: Reach['unbuilt'][number][] = [];
  for (const [file, project] of mentioning) {
    const text = index.importsIn(file);
    const packages = unbuilt.filter(
      (each) =>
        (isInside(file, home) || each.leadsTo(asked)) && each.isImportedIn(text) && !each.isFoundBy(project),
    );
    const isNamed = packages.some((each) => importsFrom(text, about.name, each.name));
    const isImporter = file !== asked && imports(text, file);
    if (packages.length > 0 || isImporter)
      found.push({
        file,
        packages: packages.map(({ name }) => name),
        lacks: packages[0]?.lacks ?? 'build',
        isNamed,
      });
  }
  return found;
}

/** A name that a file imports from the very file that it is declared in is used there, whatever the server knows of it. */
function importing(name: string, to: string): (text: string, from: string) => boolean {
  const clause = new RegExp(
    `\\b(?:import|export)\\b[^;'"]*\\b${escapePattern(name)}\\b[^;'"]*\\bfrom\\s*['"](\\.[^'"]+)['"]`,
    'g',
  );
  const stem = (file: string) => file.replace(/\.[cm]?[jt]sx?$/, '');
  const wanted = stem(to);
  const last = path.basename(wanted);
  return (text, from) =>
    // Of thousands of files that have the name, few import a file that is called so.
    text.includes(last) &&
    text.includes(name) &&
    [...text.matchAll(clause)].some(
      ([, target = '']) => stem(path.resolve(path.dirname(from), target)) === wanted,
    );
}

function importsFrom(text: string, name: string, from: string): boolean {
  const clause = new RegExp(
    `\\b(?:import|export)\\b[^;'"]*\\b${escapePattern(name)}\\b[^;'"]*\\bfrom\\s*['"]${escapePattern(from)}`,
  );
  return clause.test(text);
}

/** False when the time was over first. */
async function learnAll(
  files: readonly (readonly [AbsPath, string | undefined])[],
  { index, verify, isOver }: ReachDeps,
): Promise<boolean> {
  let since = performance.now();
  for (const [file] of files) {
    if (performance.now() - since > SLICE_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
      if (isOver()) return false;
    }
    index.learn(file, verify);
  }
  return true;
}

type Mention = (file: AbsPath, project: string | undefined) => boolean;

interface MentionRules {
  readonly index: MentionIndex;
  readonly opensHelp: boolean;
  readonly elsewhere: Elsewhere | undefined;
}

function mentionOf(root: AbsPath, about: About, { index, opensHelp, elsewhere }: MentionRules): Mention {
  if (about.file === undefined) {
    const words = wordsLike(about.name, index);
    return (file) => isInside(file, root) && index.mentionsAny(file, words);
  }
  const also = [...(about.also ?? []), ...otherNamesOf(about.name, about.file)];
  const names = [about.name, ...also].flatMap((name) => numbersOf(name, index) ?? []);
  const isNamed = (file: AbsPath) => names.some((words) => words.every((word) => index.mentions(file, word)));
  const isImported = importOf(about.file, index);
  // The same word in another package is something else, unless that package speaks of this one.
  const identity = elsewhere?.names ?? importedNames(root);
  const isNear = (file: AbsPath, project: string | undefined) =>
    isInside(file, root) && (opensHelp || project === undefined);
  const speaksOfIt = (text: string) => identity.some((each) => text.includes(each));
  return (file, project) =>
    (isNamed(file) || isImported?.(file) === true) &&
    (elsewhere?.isMeant(file) === true || isNear(file, project) || speaksOfIt(textOrNothing(file)));
}

/** Names under which a module exports one of its own: elsewhere only those are written. */
function otherNamesOf(name: string, module: AbsPath): readonly string[] {
  const renamed = new RegExp(`(?<![\\w$.])${escapePattern(name)}\\s+as\\s+([\\w$]+)`, 'g');
  const clauses = textOrNothing(module).matchAll(/\bexport\s*(?:type\s*)?\{([^}]*)\}/g);
  const names = [...clauses].flatMap(([, clause = '']) =>
    [...clause.matchAll(renamed)].map(([, to = '']) => to),
  );
  return names.filter((each) => each !== 'default');
}

/** What a module exports as its default has another name wherever it is imported; undefined where it exports none. */
function importOf(module: AbsPath, index: MentionIndex): ((file: AbsPath) => boolean) | undefined {
  if (!/export default|export =|module\.exports/.test(textOrNothing(module))) return undefined;
  const name = path.basename(module).replace(/\.\w+$/, '');
  const [words] = numbersOf(name, index) ?? [];
  const pattern = new RegExp(`['"/]${escapePattern(name)}(\\.\\w+)?['"]`);
  return (file) =>
    words?.every((word) => index.mentions(file, word)) === true && pattern.test(textOrNothing(file));
}

/** The words of a name (`#field`, `my-module`), or nothing when no file has all of them. */
function numbersOf(name: string, index: MentionIndex): [readonly number[]] | undefined {
  const words = indexedWordsOf(name).map((word) => index.numberOf(word));
  return words.every((word) => word !== undefined) && words.length > 0 ? [words] : undefined;
}
