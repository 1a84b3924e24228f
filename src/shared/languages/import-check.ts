/**
 * Whether the imports of a TypeScript project mean the same by the rules of version 7 as by older ones that it has
 * dropped (`moduleResolution: node`, `baseUrl`). Two rules differ: packages with `exports` hide their other files, and
 * names are no longer looked for below `baseUrl`.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readTsProject } from '../tsconfig/tsconfig.ts';
import type { Launch } from './executables.ts';
import { moduleFileAt } from './module-file.ts';
import { runTypescript } from './run-typescript.ts';

export interface ImportCheck {
  /** The configuration of the project. */
  readonly config: string;
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  readonly typescript7: Launch;
}

/** `import x from 'y'`, `import 'y'`, `export * from 'y'`, `import('y')` and `require('y')` with a name that is not relative. */
const IMPORTS = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]([^'".\n][^'"\n]*)['"]/g;

/** The first import that version 7 would not follow as the project means it; undefined when there is none. */
export async function differingImport(check: ImportCheck): Promise<string | undefined> {
  const { config, compilerOptions } = check;
  const { baseUrl: base, pathsFrom } = readTsProject(config);
  const mapped = Object.keys(Object(compilerOptions.paths));
  // Version 7 takes paths from where they are written.
  if (base !== undefined && base !== pathsFrom && mapped.length > 0) return mapped[0];
  const files = await filesOf(check);
  if (!files) return 'its files';
  const seen = new Set<string>();
  for (const file of files) {
    for (const [, name = ''] of textOf(file).matchAll(IMPORTS)) {
      const key = `${path.dirname(file)}\0${name}`;
      if (seen.has(key) || mapped.some((pattern) => fits(pattern, name))) continue;
      seen.add(key);
      if (base !== undefined && moduleFileAt(path.join(base, name))) return name;
      if (isHidden(name, path.dirname(file))) return name;
    }
  }
  return undefined;
}

/** As version 7 itself lists them, so that they are those that it would navigate. */
async function filesOf({ config, typescript7 }: ImportCheck): Promise<readonly string[] | undefined> {
  const listed = await runTypescript(typescript7, ['--showConfig', '-p', config]);
  try {
    const { files } = JSON.parse(listed ?? '') as { files?: readonly string[] };
    return (files ?? []).map((file) => path.resolve(path.dirname(config), file));
  } catch {
    return undefined;
  }
}

/** Older rules find the package's file, and its `exports` do not lead to any. */
function isHidden(name: string, from: string): boolean {
  const [scopeOrName = '', second = ''] = name.split('/');
  const packageName = scopeOrName.startsWith('@') ? `${scopeOrName}/${second}` : scopeOrName;
  const directory = packageAbove(packageName, from);
  if (directory === undefined) return false;
  const manifest = manifestIn(directory);
  if (manifest.exports === undefined || manifest.exports === null) return false;
  const rest = name.slice(packageName.length);
  const older = rest === '' ? [manifest.types, manifest.typings, manifest.main, 'index'] : [rest.slice(1)];
  const isKnownToOlder = older.some(
    (target) => typeof target === 'string' && isTyped(path.join(directory, target)),
  );
  return (
    isKnownToOlder &&
    !targetsOf(manifest.exports, `.${rest}`).some((target) => isTyped(path.join(directory, target)))
  );
}

/** All files that `exports` may lead to for an entry, whatever the conditions. */
function targetsOf(exported: unknown, entry: string): readonly string[] {
  if (typeof exported === 'string') return entry === '.' ? [exported] : [];
  if (Array.isArray(exported)) return exported.flatMap((each) => targetsOf(each, entry));
  const table = Object.entries(Object(exported));
  if (!table.some(([key]) => key.startsWith('.'))) return entry === '.' ? leaves(exported) : [];
  const exact = table.find(([key]) => key === entry);
  if (exact) return leaves(exact[1]);
  return table.flatMap(([key, value]) => {
    const [before = '', after = ''] = key.split('*');
    if (!key.includes('*') || !entry.startsWith(before) || !entry.endsWith(after)) return [];
    const middle = entry.slice(before.length, entry.length - after.length);
    return leaves(value).map((target) => target.replaceAll('*', middle));
  });
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** A declaration, a source, or a script with a declaration beside it. */
function isTyped(target: string): boolean {
  if (/\.[cm]?tsx?$/.test(target)) return existsSync(target);
  const stem = target.replace(/\.([cm]?)jsx?$/, '');
  const kind = /\.([cm]?)jsx?$/.exec(target)?.[1] ?? '';
  return (
    existsSync(`${stem}.d.${kind}ts`) ||
    existsSync(`${stem}.${kind}ts`) ||
    existsSync(path.join(target, 'index.d.ts'))
  );
}

function packageAbove(name: string, from: string): string | undefined {
  for (let directory = from; ; directory = path.dirname(directory)) {
    const found = path.join(directory, 'node_modules', name);
    if (existsSync(path.join(found, 'package.json'))) return found;
    if (directory === path.dirname(directory)) return undefined;
  }
}

function manifestIn(directory: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(textOf(path.join(directory, 'package.json'))));
  } catch {
    return {};
  }
}

function fits(pattern: string, name: string): boolean {
  const [before = '', after] = pattern.split('*');
  return after === undefined ? pattern === name : name.startsWith(before) && name.endsWith(after);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
