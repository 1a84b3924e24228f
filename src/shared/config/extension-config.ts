/**
 * The extensions that the user has named. They are code that runs with the rights of the user, so that only the user
 * names them: no file inside a workspace does, and none of them lies in one.
 * Decision: docs/decisions/extensions.md#only-the-user-names-code
 */
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { absolutePath, isInside, realPath } from '../base/paths.ts';
import type { FileSection } from './schema.ts';

export interface ExtensionConfig {
  readonly extensions: readonly NamedExtension[];
}

export interface NamedExtension {
  /** As it was written: a path, or the name of a package. */
  readonly module: string;
  /** Where it was written, for messages. */
  readonly origin: string;
  /** Where paths and packages are looked for. */
  readonly from: AbsPath;
  /** The roots that the session was started with, in none of which it may lie. */
  readonly roots: readonly AbsPath[];
  /** Why it is not taken, whatever it is. */
  readonly refused: string | undefined;
}

interface ExtensionSources {
  readonly cwd: string;
  readonly roots?: readonly string[];
}

/** `sections` are what `files` say, and then the variables. `ownFiles` are in the user's own place. */
export function extensionConfig(
  { cwd, roots = [] }: ExtensionSources,
  sections: readonly FileSection[],
  files: readonly AbsPath[],
  ownFiles: readonly AbsPath[],
): ExtensionConfig {
  if (sections.every(({ extensions = [] }) => extensions.length === 0)) return { extensions: [] };
  const real = (roots.length === 0 ? [cwd] : roots).map((root) => realPath(absolutePath(root, cwd)));
  const extensions = sections.flatMap(({ extensions: named = [] }, index) => {
    const file = files[index];
    const isForeign = file !== undefined && !ownFiles.includes(file) && isWithin(realPath(file), real);
    return named.map((module) => ({
      module,
      origin: file ?? 'AGENT_LSP_EXTENSIONS',
      from: file === undefined ? absolutePath(cwd) : absolutePath(path.dirname(file)),
      roots: real,
      refused: isForeign ? `${file} is a file of the workspace, which may not bring code` : undefined,
    }));
  });
  return { extensions };
}

export function isWithin(file: AbsPath, roots: readonly AbsPath[]): boolean {
  return roots.some((root) => isInside(file, root));
}
