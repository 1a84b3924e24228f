/**
 * Which part of the disk this session may look at, and which folders it works in. Symlinks are resolved before every
 * check, so that a link inside a root cannot lead out of it; the same resolved path is what language servers get to see.
 */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../shared/base/brand.ts';
import { fail } from '../../shared/base/failure.ts';
import { absolutePath, displayPath, isInside, realPath, uriToPath } from '../../shared/base/paths.ts';
import { systemPlace } from './system-places.ts';

export interface RootsOptions {
  /** From `-r/--root`. When there are none the working directory is the root. */
  readonly given: readonly string[];
  readonly cwd: string;
  /** More places that the user has opened, by `allowed_paths` or AGENT_LSP_ALLOWED_PATHS. */
  readonly alsoAllowed: readonly string[];
  readonly homedir?: string;
}

/** A folder that the session works in, and who said so. */
export interface SessionFolder {
  readonly path: AbsPath;
  readonly from: 'start' | 'client' | 'tool';
}

export class Roots {
  /** The root that answers print and that relative paths start from. */
  readonly primary: AbsPath;
  /** `-r` said what the roots are: neither an agent nor a client adds to them what the user has not opened. */
  readonly isFixed: boolean;
  readonly #home: AbsPath | undefined;
  readonly #alsoAllowed: readonly AbsPath[];
  #folders: readonly SessionFolder[];
  #allowed: readonly AbsPath[] = [];

  constructor(options: RootsOptions) {
    const real = (root: string) => realPath(absolutePath(root, options.cwd));
    const chosen = options.given.length > 0 ? options.given : [options.cwd];
    this.#home = options.homedir === undefined ? undefined : real(options.homedir);
    this.isFixed = options.given.length > 0;
    this.#alsoAllowed = options.alsoAllowed.map(real);
    this.#folders = [...new Set(chosen.map(real))].map((each) => ({ path: each, from: 'start' }));
    this.primary = this.#folders[0]?.path ?? real(options.cwd);
    this.#setFolders(this.#folders);
  }

  get all(): readonly AbsPath[] {
    return this.#allowed;
  }

  /** The primary root first. Places that may only be read are not among them. */
  get folders(): readonly SessionFolder[] {
    return this.#folders;
  }

  isFolder(directory: AbsPath): boolean {
    return this.#folders.some((folder) => folder.path === directory);
  }

  holds(file: AbsPath): boolean {
    return this.#allowed.some((root) => isInside(file, root));
  }

  /** A user who names all of a home or a disk as a folder to work in has not chosen one. */
  isTooWide(folder: AbsPath): boolean {
    return folder === path.parse(folder).root || (this.#home !== undefined && isInside(this.#home, folder));
  }

  /**
   * Fails for what nobody but the user can make a folder of this session, whatever is asked or allowed; links must be
   * resolved. Decision: docs/decisions/access.md#a-root-is-a-fence
   */
  requireWithinFence(folder: AbsPath): void {
    const system = systemPlace(folder, this.#home);
    if (system !== undefined)
      fail({
        kind: 'not-permitted',
        reason: `${folder} is ${system} and cannot be a workspace folder`,
        next: 'Pass the directory of one project',
      });
    const opened = [...this.#folders.map((known) => known.path), ...this.#alsoAllowed];
    if (this.isFixed && !opened.some((place) => isInside(folder, place)))
      fail({
        kind: 'not-permitted',
        reason: `${folder} is outside of the roots that this session was started with (-r ${this.#folders.map((known) => known.path).join(' -r ')})`,
        next: 'Ask the user to start agent-lsp with -r for it too, or to add it to allowed_paths or AGENT_LSP_ALLOWED_PATHS',
      });
  }

  /** The folder that has it in it already; undefined when it would be a new one. */
  folderAround(folder: AbsPath): AbsPath | undefined {
    return this.#folders.find((known) => isInside(folder, known.path))?.path;
  }

  /** Works in one more folder, if it lies in none already. */
  add(folder: AbsPath): void {
    if (this.folderAround(folder) !== undefined) return;
    this.#setFolders([...this.#folders, { path: folder, from: 'tool' }]);
  }

  remove(folder: AbsPath): void {
    this.#setFolders(this.#folders.filter((known) => known.path !== folder));
  }

  /**
   * What the client says its roots are, instead of what it said before. It is believed less than the person who started
   * this process: nothing of it counts beside `-r`, and never a home, a disk or the system. Returns what was not taken.
   */
  setClientRoots(roots: readonly AbsPath[]): readonly AbsPath[] {
    const others = this.#folders.filter(({ from }) => from !== 'client');
    const outside = [...new Set(roots.map(realPath))].filter(
      (root) => !others.some((folder) => isInside(root, folder.path)),
    );
    const taken = outside.filter(
      (root) => !this.isFixed && systemPlace(root, this.#home) === undefined && isDirectory(root),
    );
    const folders = taken.map((root): SessionFolder => ({ path: root, from: 'client' }));
    this.#setFolders([...others, ...folders]);
    return outside.filter((root) => !taken.includes(root));
  }

  /** The real path of what an agent wrote: absolute, relative to a root, or a `file:` URI. */
  resolve(given: string): AbsPath {
    const resolved = this.locate(given);
    if (!this.holds(resolved)) fail({ kind: 'outside-roots', path: given, roots: this.#allowed });
    return resolved;
  }

  /** The same, wherever it leads. */
  locate(given: string): AbsPath {
    if (given.trim() === '' || given.includes('\0')) {
      fail({
        kind: 'invalid-input',
        message: 'the path is empty or has a NUL in it',
        next: `Pass a path inside ${this.primary}`,
      });
    }
    return realPath(this.#absolute(given));
  }

  /** The innermost allowed root that holds the file; the search for a project's root does not go above it. */
  around(file: AbsPath): AbsPath {
    const holding = this.#allowed.filter((root) => isInside(file, root));
    return holding.sort((a, b) => b.length - a.length)[0] ?? this.primary;
  }

  /** Relative to the root that answers print, absolute in every other folder: either can be pasted into the next call. */
  display(file: AbsPath): string {
    return displayPath(file, this.primary);
  }

  #setFolders(folders: readonly SessionFolder[]): void {
    this.#folders = folders;
    this.#allowed = [...new Set([...folders.map((folder) => folder.path), ...this.#alsoAllowed])];
  }

  /** A relative path means the first root that has such a file; none has it: the primary root. */
  #absolute(given: string): AbsPath {
    const address = given.replace(/^file:\//i, 'file:/');
    const fromUri = uriToPath(address);
    if (fromUri !== undefined) return fromUri;
    // Taken for a relative path it would make folders of that name.
    if (address.startsWith('file:/'))
      fail({
        kind: 'invalid-input',
        message: `${given} is the address of no file on this machine`,
        next: `Pass a path inside ${this.primary}`,
      });
    if (path.isAbsolute(given)) return absolutePath(given);
    const found = this.#allowed.find((root) => existsSync(path.join(root, given)));
    return absolutePath(given, found ?? this.primary);
  }
}

export function isDirectory(folder: AbsPath): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
