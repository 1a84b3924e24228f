/**
 * Truth without types: a name that is declared once can mean only one thing, so that every place that has it is a use of
 * it. The language's own parser finds names and places; neither the product nor its server has a part in it.
 */
import path from 'node:path';
import { pick, type Random, seeded } from '../../../truth/model.ts';
import { filesIn } from '../../sources.ts';
import type { Order, Place, PlaceClass, Question, Tool, TruePlace, Truth } from '../../truth.ts';
import { sampled } from '../draw.ts';
import { goNames } from './go-names.ts';
import { pythonNames } from './python-names.ts';

/** A name that is declared once, and all places that have it. */
export interface NamedOnce extends Place {
  readonly name: string;
  readonly kind: string;
  /** Where it is declared: `top-level`, `member` or `local`. */
  readonly class: PlaceClass;
  readonly places: readonly TruePlace[];
  /** What implements it, or undefined where nobody can tell. */
  readonly implementations?: () => readonly TruePlace[] | undefined;
}

export interface Names {
  readonly by: string;
  readonly names: readonly NamedOnce[];
  readonly remarks: readonly string[];
}

export type NamedLanguage = Exclude<Order['language'], 'typescript'>;

const READERS: Readonly<Record<NamedLanguage, (root: string, files: readonly string[]) => Names>> = {
  python: pythonNames,
  go: goNames,
};
const SHORTEST_NAME = 3;

export function truthByNames({
  root,
  language,
  symbols,
  seed,
  tools,
}: Order & { language: NamedLanguage }): Truth {
  const began = performance.now();
  const files = filesIn(root, language);
  const { by, names, remarks } = READERS[language](root, files);
  const candidates = names
    .filter(({ name, places }) => name.length >= SHORTEST_NAME && places.some(isUse))
    .map((each) => ({ ...each, package: path.posix.dirname(each.file) }));
  const filesOf = ({ places }: NamedOnce) => new Set(places.filter(isUse).map(({ file }) => file)).size;
  const random = seeded(seed);
  const samples = sampled(
    candidates.filter((each) => filesOf(each) > 1),
    candidates,
    (each) => ({ files: filesOf(each) }),
    { count: symbols, random },
  );
  return {
    by,
    remarks,
    files,
    symbols: samples.length,
    inSeveralFiles: samples.filter(({ uses }) => uses.files > 1).length,
    candidates: candidates.length,
    questions: samples.flatMap(({ item }, index) =>
      questionsAbout(item, { tools, random, asksAtUse: index % 4 === 3 }),
    ),
    seconds: (performance.now() - began) / 1000,
    megabytes: process.resourceUsage().maxRSS / 1024,
  };
}

function questionsAbout(
  named: NamedOnce,
  { tools, random, asksAtUse }: { tools: readonly Tool[]; random: Random; asksAtUse: boolean },
): Question[] {
  const { name, kind, places } = named;
  const home: Place = { file: named.file, line: named.line, column: named.column };
  const uses = places.filter((place) => isUse(place) && place.class !== 'import');
  const use = uses.length === 0 ? undefined : pick(uses, random);
  const about = (tool: Tool, expected: readonly TruePlace[], at: Place = home): Question[] =>
    tools.includes(tool)
      ? [{ tool, name, kind, at: bare(at), isAtUse: at !== home, expected: [...expected] }]
      : [];
  // A stub beside it declares it as well, and either will do.
  const declared = places
    .filter((place) => place.class === 'definition')
    .map((place) => ({ ...place, group: name }));
  const calls = places.filter((place) => CALLS.has(place.class));
  const hasCalls = ['function', 'method'].includes(kind) || calls.length > 0;
  const implementations = tools.includes('implementations') ? named.implementations?.() : undefined;
  return [
    ...about('references', places, asksAtUse ? use : undefined),
    ...(hasCalls ? about('callers', calls) : []),
    ...about('rename', places),
    ...(implementations ? about('implementations', implementations) : []),
    ...about(
      'symbols',
      declared.map((place) => ({ ...place, class: named.class })),
    ),
    ...(use ? about('definition', declared, use) : []),
  ];
}

/** What is no call is kept for the judge, who may let servers list it: see `conventions.ts`. */
const CALLS: ReadonlySet<string> = new Set(['call', 'applied', 'property']);

function isUse(place: TruePlace): boolean {
  return !['definition', 'mention', 'comment'].includes(place.class);
}

function bare({ file, line, column }: Place): Place {
  return { file, line, column };
}
