/** From a repository to the questions about it and their true answers. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pick, seeded } from '../../truth/model.ts';
import { sourcesOf } from '../sources.ts';
import type { Order, Question, Truth } from '../truth.ts';
import { loadCompiler } from './compiler.ts';
import { type Declared, declarationsIn } from './declarations.ts';
import { sampled } from './draw.ts';
import { questionsAbout, usesAt, type World } from './expected.ts';
import { oneProgram } from './one-program.ts';
import { ownersOf, readProjects } from './projects.ts';
import { isShadow } from './shadows.ts';

const SHORTEST_NAME = 3;

export function truthOf({ root, symbols, seed, tools }: Omit<Order, 'language'>): Truth {
  const began = performance.now();
  const shown = (file: string) => path.relative(root, file).split(path.sep).join('/');
  const { ts, label } = loadCompiler(root);
  const { files: all, configs, packages } = sourcesOf(root);
  const setAside = new Set(all.filter((file) => isShadow(ts, readFileSync(file, 'utf8'), packages)));
  const files = all.filter((file) => !setAside.has(file));
  const projects = readProjects(ts, configs);
  const ownerOf = ownersOf(projects);
  const { service, imports } = oneProgram(ts, root, files, { projects, ownerOf });
  const program = service.getProgram();
  const sources = files.flatMap((file) => program?.getSourceFile(file) ?? []);
  const declarations = sources.flatMap((source) => declarationsIn(ts, source));
  const world: World = {
    ts,
    root,
    service,
    files: new Set(files),
    byName: grouped(declarations),
    importers: imports.importers,
  };

  const packageOf = packagesIn(root);
  const candidates = declarations
    .filter(({ isCandidate, name }) => isCandidate && name.length >= SHORTEST_NAME)
    .map((declared) => ({ ...declared, package: packageOf(path.dirname(declared.file)) }));
  const mentions = mentionsIn(sources.map(({ text }) => text));
  const random = seeded(seed);
  const likely = candidates.filter(({ name }) => (mentions.get(name) ?? 0) > 1);
  const samples = sampled(likely, candidates, (declared) => usesAt(world, declared), {
    count: symbols,
    random,
  });

  const questions = samples.flatMap(({ item, uses }, index): Question[] => {
    const places = uses.places.filter(({ class: each }) => IN_CODE.has(each));
    const use = places.length === 0 ? undefined : pick(places, random);
    return questionsAbout(world, item, uses, { tools, use, asksAtUse: index % 4 === 3 });
  });
  const loose = files.filter((file) => !ownerOf(file).belongs).length;
  // Behind these the oracle is as blind as the product.
  const unresolved = imports.unresolved
    .filter(({ specifier }) => isOurs(specifier, packages))
    .map(({ file, specifier }) => `${shown(file)}: ${specifier}`);
  return {
    by: `TypeScript ${label} over one program`,
    files: files.map(shown),
    remarks: [
      `${projects.length} configurations; ${loose} files are in none${listed('; set aside', [...setAside].map(shown))}`,
      `${unresolved.length} imports of its own source could not be resolved${listed(', such as', unresolved)}`,
    ],
    symbols: samples.length,
    inSeveralFiles: samples.filter(({ uses }) => uses.files > 1).length,
    candidates: candidates.length,
    questions,
    seconds: (performance.now() - began) / 1000,
    megabytes: process.resourceUsage().maxRSS / 1024,
  };
}

/** Whether an import means source of the repository: not a dependency that is not installed, nor a style sheet. */
function isOurs(specifier: string, packages: ReadonlySet<string>): boolean {
  if (specifier.startsWith('.'))
    return !/\.(css|s[ac]ss|less|svg|png|gif|json|vue|svelte|html|md)(\?.*)?$/.test(specifier);
  const parts = specifier.split('/');
  return packages.has(parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/'));
}

function listed(words: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${words} ${items.slice(0, 3).join(', ')}`;
}

/** Where a person would ask from: not in an import, a comment or another declaration. */
const IN_CODE: ReadonlySet<string> = new Set(['use', 'call', 'new', 'decorator', 'tag', 'jsx', 'property']);

function grouped(declarations: readonly Declared[]): ReadonlyMap<string, readonly Declared[]> {
  const byName = new Map<string, Declared[]>();
  for (const declared of declarations) {
    const same = byName.get(declared.name);
    if (same) same.push(declared);
    else byName.set(declared.name, [declared]);
  }
  return byName;
}

/** By word, in how many files it occurs. */
function mentionsIn(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of new Set(text.match(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function packagesIn(root: string): (directory: string) => string {
  const known = new Map<string, string>([[root, root]]);
  const packageOf = (directory: string): string => {
    const name =
      known.get(directory) ??
      (existsSync(path.join(directory, 'package.json')) ? directory : packageOf(path.dirname(directory)));
    known.set(directory, name);
    return name;
  };
  return packageOf;
}
