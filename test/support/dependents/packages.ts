/** The monorepo that is changed, with some more dependents than the generator makes, and ways to write to it behind the product's back. */
import { readdirSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeMonorepo } from '../monorepo.ts';
import { pick, type Random } from '../truth/model.ts';
import type { Workspace } from '../workspace.ts';
import { CORE_FILE, NET_FILE } from './changes.ts';

const PACKAGES = 6;
export const MODULES = 8;

/** Of the packages with dependents: which ones these are. */
const DEPENDENTS: Readonly<Record<string, readonly string[]>> = {
  p0: ['p1', 'p2', 'p3', 'p4', 'p5'],
  p1: ['p4', 'p5'],
};

/** `installed`: the directory of another TypeScript than the one that the tests have. */
export function makePackages(workspace: Workspace, installed?: string): void {
  makeMonorepo(workspace.root, { packages: PACKAGES, modules: MODULES, typescript: '5' });
  if (installed !== undefined) {
    workspace.remove('node_modules/typescript');
    symlinkSync(installed, workspace.file('node_modules/typescript'));
  }
  // Its type is inferred from the core's, so that dependents of it depend on two packages at once.
  workspace.write(NET_FILE, "import { netPrice } from '@mono/p0';\n\nexport const p1Net = netPrice(1);\n");
  const index = 'packages/p1/src/index.ts';
  workspace.write(index, `${workspace.read(index)}export * from './net.js';\n`);
  for (const name of DEPENDENTS.p0 ?? []) workspace.write(`packages/${name}/src/view.ts`, viewText(name));
}

/** Uses what the generator's modules only implement. */
function viewText(name: string): string {
  const isSecond = DEPENDENTS.p1?.includes(name);
  return [
    "import type { Shape } from '@mono/p0';",
    ...(isSecond ? ["import { p1Net } from '@mono/p1';"] : []),
    '',
    `export function ${name}Area(shape: Shape): number {`,
    '  return shape.area();',
    '}',
    ...(isSecond ? ['', `export const ${name}Net: number = p1Net;`] : []),
    '',
  ].join('\n');
}

/** Files in two or three packages that depend on a changed one, or in the only one that can be asked about. */
export function dependentsOf(file: string, only: string | undefined, random: Random): readonly string[] {
  const names = DEPENDENTS[file.split('/')[1] ?? ''] ?? [];
  const wanted = random() < 0.5 ? 2 : 3;
  const asked = new Set<string>();
  if (only !== undefined) while (asked.size < wanted) asked.add(userIn(only, file, random));
  else {
    const left = [...names];
    while (asked.size < wanted && left.length > 0) {
      const [name = ''] = left.splice(Math.floor(random() * left.length), 1);
      asked.add(userIn(name, file, random));
    }
  }
  return [...asked];
}

/** Most often one that uses what the file declares. */
function userIn(name: string, file: string, random: Random): string {
  const modules = Array.from({ length: MODULES }, (_, number) => `m${number}.ts`);
  const own = file === CORE_FILE ? pick(['view.ts', ...modules], random) : path.basename(file);
  const isLikely = random() < 0.6 && [...modules, 'view.ts'].includes(own);
  return `packages/${name}/src/${isLikely ? own : pick(['view.ts', ...modules], random)}`;
}

export function isDependent(name: string, file: string): boolean {
  return DEPENDENTS[file.split('/')[1] ?? '']?.includes(name) ?? false;
}

export const MANNERS = ['written', 'replaced', 'with its old time'] as const;
export type Manner = (typeof MANNERS)[number];

/** As `>`, `sed -i` and `cp -p` do it. */
export function writeBehind(workspace: Workspace, name: string, text: string, manner: Manner): void {
  const file = workspace.file(name);
  if (manner === 'replaced') {
    const unfinished = path.join(path.dirname(file), 'sedQ1x2Y3');
    writeFileSync(unfinished, text);
    renameSync(unfinished, file);
    return;
  }
  const before = statSync(file, { throwIfNoEntry: false });
  writeFileSync(file, text);
  if (manner === 'with its old time' && before) utimesSync(file, before.atime, before.mtime);
}

/** Sources that have a word, by name relative to the root. */
export function filesWith(workspace: Workspace, word: string): readonly string[] {
  const names = readdirSync(workspace.file('packages'), { recursive: true, encoding: 'utf8' });
  const isThere = new RegExp(`\\b${word}\\b`);
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `packages/${name}`)
    .filter((name) => isThere.test(workspace.read(name)));
}
