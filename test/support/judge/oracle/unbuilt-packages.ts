/**
 * Where the source of a package of the repository is, when its manifest names only files that a bundler has yet to make.
 * `./dist/esm/map.d.ts` comes from `src/map.ts`: what comes after the output directory is kept by all usual bundlers.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

export interface Manifest {
  readonly name?: unknown;
  readonly exports?: unknown;
  readonly types?: unknown;
  readonly module?: unknown;
  readonly main?: unknown;
}

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/** The source file that an import of a package means, which is asked for only when nothing else resolves it. */
export function sourceOfPackage(root: string, specifier: string, importer: string): string | undefined {
  if (/^[./]/.test(specifier)) return undefined;
  const parts = specifier.split('/');
  const name = parts.splice(0, specifier.startsWith('@') ? 2 : 1).join('/');
  const directory = ownPackage(root, name, path.dirname(importer));
  if (directory === undefined) return undefined;
  const manifest = readManifest(directory);
  const entry = ['.', ...parts].join('/');
  return targetsOf(manifest, entry)
    .flatMap(sourcesBehind)
    .flatMap((stem) => EXTENSIONS.map((extension) => path.join(directory, `${stem}${extension}`)))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

/** All files that a manifest names for an entry, in its order. */
export function targetsOf({ exports, types, module, main }: Manifest, entry: string): readonly string[] {
  const isTable = typeof exports === 'object' && exports !== null && !Array.isArray(exports);
  const table =
    isTable && Object.keys(exports).every((key) => key.startsWith('.')) ? exports : { '.': exports };
  const given = Object.entries(table).flatMap(([key, value]) => {
    const [before = '', after] = key.split('*');
    if (after === undefined) return key === entry ? strings(value) : [];
    if (!entry.startsWith(before) || !entry.endsWith(after)) return [];
    const star = entry.slice(before.length, entry.length - after.length);
    return strings(value).map((text) => text.replaceAll('*', star));
  });
  if (given.length > 0 || entry !== '.') return given;
  return [types, module, main].flatMap(strings);
}

/** Paths without extension, the nearest to the target first: `dist/esm/a.d.ts` may come from `src/esm/a` or `src/a`. */
export function sourcesBehind(target: string): readonly string[] {
  const parts = path.posix
    .normalize(target)
    .replace(/(\.d)?\.[cm]?[jt]sx?$/, '')
    .split('/');
  const rests = parts.map((_, depth) => parts.slice(depth).join('/'));
  return [rests[0] ?? '', ...rests.slice(1).flatMap((rest) => [`src/${rest}`, rest])];
}

function strings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

/** The package itself, or one that the package manager has linked to: a published version of it is something else. */
function ownPackage(root: string, name: string, from: string): string | undefined {
  for (let directory = from; directory.startsWith(root); directory = path.dirname(directory)) {
    if (readManifest(directory).name === name) return directory;
    const linked = path.join(directory, 'node_modules', name);
    if (!existsSync(linked)) continue;
    const real = realpathSync(linked);
    return real.startsWith(`${root}${path.sep}`) && !real.includes('node_modules') ? real : undefined;
  }
  return undefined;
}

function readManifest(directory: string): Manifest {
  try {
    return JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return {};
  }
}
