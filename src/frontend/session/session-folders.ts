/**
 * Adds and removes folders of a session, for a tool or for the client. The path boundary changes at once, and the
 * servers get the new folders in the same step.
 */
import path from 'node:path';
import type { AbsPath } from '../../shared/base/brand.ts';
import { fail, failureOf } from '../../shared/base/failure.ts';
import { absolutePath, uriToPath } from '../../shared/base/paths.ts';
import type { LanguageFamily } from '../../shared/languages/family.ts';
import type { CallOptions } from '../../shared/link/server-link.ts';
import type { Agreed } from '../access/permission.ts';
import type { FolderPlan, FolderServing, SessionFolders } from '../tools/context.ts';
import { isDirectory, type Roots } from '../workspace/roots.ts';
import type { Router } from './router.ts';

export interface FoldersOptions {
  readonly roots: Roots;
  readonly router: Router;
  /** The languages of a folder. */
  languagesIn(folder: AbsPath, signal: AbortSignal | undefined): Promise<readonly LanguageFamily[]>;
}

export class FoldersOfSession implements SessionFolders {
  readonly #options: FoldersOptions;
  #refused: readonly AbsPath[] = [];

  constructor(options: FoldersOptions) {
    this.#options = options;
  }

  get refusedClientRoots(): readonly AbsPath[] {
    return this.#refused;
  }

  plan(first: string, ...others: readonly string[]): FolderPlan {
    const folderOf = (given: string) => requireFolder(given, this.#options.roots);
    const folders = [folderOf(first), ...others.map(folderOf)] as const;
    const summary = `work in ${folders.join(' and ')}, too: read files and start language servers there`;
    return { folders: [...folders], summary };
  }

  async add({ plan }: Agreed<'expand', FolderPlan>, call: CallOptions): Promise<readonly FolderServing[]> {
    const { roots, router } = this.#options;
    for (const folder of plan.folders) roots.add(folder);
    await router.followRoots();
    const serving: FolderServing[] = [];
    for (const folder of plan.folders) serving.push(...(await this.#share(folder, call)));
    return serving;
  }

  async remove(given: string): Promise<AbsPath> {
    const { roots, router } = this.#options;
    const folder = roots.locate(given);
    if (folder === roots.primary)
      fail({
        kind: 'invalid-input',
        message: `${folder} is the root that this session was started with and cannot be removed`,
        next: 'Start agent-lsp with another -r to work elsewhere',
      });
    if (!roots.isFolder(folder))
      fail({
        kind: 'invalid-input',
        message: `${folder} is not a workspace folder`,
        next: `Pass one of ${roots.folders.map((known) => known.path).join(', ')}`,
      });
    roots.remove(folder);
    await router.followRoots();
    return folder;
  }

  /** `file:` URIs as the client says them; it says all of them each time. */
  async setClientRoots(uris: readonly string[]): Promise<void> {
    const { roots, router } = this.#options;
    const paths = uris.flatMap((uri) => uriToPath(uri) ?? []).map((each) => absolutePath(each));
    this.#refused = roots.setClientRoots(paths);
    await router.followRoots();
  }

  /** Only for languages that have a server: the others get one when they are asked about. */
  async #share(folder: AbsPath, call: CallOptions): Promise<readonly FolderServing[]> {
    const { router } = this.#options;
    const running = new Set(router.open.map((link) => link.language));
    if (running.size === 0) return [];
    const languages = await this.#options.languagesIn(folder, call.signal);
    const serving: FolderServing[] = [];
    for (const family of languages.filter(({ id }) => running.has(id))) {
      const sharing = await router.share(family, folder, call).catch((error: unknown) => {
        // Without a server for this folder the others still count.
        const failure = failureOf(error);
        if (!failure || failure.kind === 'cancelled') throw error;
        return undefined;
      });
      serving.push({ language: family.id, ...sharing });
    }
    return serving;
  }
}

/** Where it really is. */
function requireFolder(given: string, roots: Roots): AbsPath {
  const folder = roots.locate(given);
  roots.requireWithinFence(folder);
  if (isDirectory(folder)) return folder;
  const message = `${given} is not a directory`;
  if (isDirectory(absolutePath(path.dirname(folder))))
    fail({ kind: 'invalid-input', message, next: `Pass a directory, for example ${path.dirname(folder)}` });
  return fail({ kind: 'no-such-file', path: given });
}
