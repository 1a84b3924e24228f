/**
 * Which part of the disk this session may look at. Symlinks are resolved before every check, so that a link inside
 * a root cannot lead out of it; the same resolved path is what language servers get to see.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../shared/base/brand.ts';
import { fail } from '../shared/base/failure.ts';
import { absolutePath, displayPath, isInside, realPath, uriToPath } from '../shared/base/paths.ts';

export interface RootsOptions {
  /** From `-r/--root`. When there are none the working directory is the root. */
  readonly given: readonly string[];
  readonly cwd: string;
  /** More places that may be read, e.g. from AGENT_LSP_ALLOWED_PATHS. */
  readonly alsoAllowed: readonly string[];
}

export class Roots {
  /** The root that answers print and that relative paths start from. */
  readonly primary: AbsPath;
  readonly #allowed: AbsPath[];

  constructor(options: RootsOptions) {
    const chosen = options.given.length > 0 ? options.given : [options.cwd];
    const all = [...chosen, ...options.alsoAllowed].map((root) => realPath(absolutePath(root, options.cwd)));
    this.#allowed = [...new Set(all)];
    this.primary = this.#allowed[0] ?? realPath(absolutePath(options.cwd));
  }

  get all(): readonly AbsPath[] {
    return this.#allowed;
  }

  /** The real path of what an agent wrote: absolute, relative to a root, or a `file:` URI. */
  resolve(given: string): AbsPath {
    if (given.trim() === '' || given.includes('\0')) {
      fail({
        kind: 'invalid-input',
        message: 'the path is empty or has a NUL in it',
        next: `Pass a path inside ${this.primary}`,
      });
    }
    const resolved = realPath(this.#absolute(given));
    if (!this.#allowed.some((root) => isInside(resolved, root)))
      fail({ kind: 'outside-roots', path: given, roots: this.#allowed });
    return resolved;
  }

  /** The innermost allowed root that holds the file; the search for a project's root does not go above it. */
  around(file: AbsPath): AbsPath {
    const holding = this.#allowed.filter((root) => isInside(file, root));
    return holding.sort((a, b) => b.length - a.length)[0] ?? this.primary;
  }

  display(file: AbsPath): string {
    return displayPath(file, this.primary);
  }

  /** A relative path means the first root that has such a file; none has it: the primary root. */
  #absolute(given: string): AbsPath {
    const fromUri = uriToPath(given);
    if (fromUri !== undefined) return fromUri;
    if (path.isAbsolute(given)) return absolutePath(given);
    const found = this.#allowed.find((root) => existsSync(path.join(root, given)));
    return absolutePath(given, found ?? this.primary);
  }
}
