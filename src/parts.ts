/** How the parts of the program get at each other: each is a function in a pack, which the build has put beside the file that runs. */
import { createRequire } from 'node:module';
import path from 'node:path';

export type Part = (
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void;

/** The parts of one pack. */
export type PackParts = Readonly<Record<string, Part>>;

/** What is in a pack, put in by the build. */
export interface PackContent {
  readonly name: string;
  readonly parts: readonly string[];
}

/** Loads a part by its name, once, with the parts that it asks for. `openPack` reads a file beside the one that runs. */
export function partLoader(
  packs: readonly PackContent[],
  file: string,
  openPack: (name: string) => PackParts,
): (part: string) => unknown {
  const requireFromNode = createRequire(file);
  const directory = path.dirname(file);
  const opened = new Map<string, PackParts>();
  const modules = new Map<string, { exports: unknown }>();
  const load = (name: string): unknown => {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    partNamed(name)(module.exports, requirePart, module, file, directory);
    return module.exports;
  };
  const requirePart = (id: string) => (id.startsWith('./') ? load(id.slice(2)) : requireFromNode(id));
  const partNamed = (name: string): Part => {
    const place = packs.find(({ parts }) => parts.includes(name));
    if (!place) throw new Error(`${name} is missing in ${directory}: install agent-lsp again`);
    const parts = opened.get(place.name) ?? openPack(place.name);
    opened.set(place.name, parts);
    const part = parts[name];
    if (!part) throw new Error(`${name} is missing in ${place.name}: install agent-lsp again`);
    return part;
  };
  return load;
}
