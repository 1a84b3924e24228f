/**
 * Servers that work in several folders of a session. A folder joins a server that is already there if the server
 * takes more folders and shared-roots.ts allows it; otherwise the folder gets a server of its own.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import { failureOf } from '../../shared/base/failure.ts';
import { isInside } from '../../shared/base/paths.ts';
import { type CallOptions, type ServerLink, takesFolders } from '../../shared/link/server-link.ts';
import type { ServerPlan } from '../../shared/link/server-plan.ts';
import type { Roots } from '../workspace/roots.ts';
import { reasonAgainstSharing } from './shared-roots.ts';

/** The server that a folder has joined, or why it has joined none. */
export type Sharing = { readonly link: ServerLink } | { readonly against: string };

export class SharedLinks {
  readonly #roots: Roots;
  readonly #plans = new Map<ServerLink, ServerPlan>();
  /** Folders beside its root that a server was given here. */
  readonly #given = new Map<ServerLink, readonly AbsPath[]>();
  /** One at a time, so that folders that come together meet at one server. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(roots: Roots) {
    this.#roots = roots;
  }

  get links(): Iterable<ServerLink> {
    return this.#plans.keys();
  }

  opened(link: ServerLink, plan: ServerPlan): void {
    this.#plans.set(link, plan);
  }

  planOf(link: ServerLink): ServerPlan | undefined {
    return this.#plans.get(link);
  }

  forget(link: ServerLink): ServerPlan | undefined {
    const plan = this.#plans.get(link);
    this.#plans.delete(link);
    this.#given.delete(link);
    return plan;
  }

  /** Without looking at the disk: whether there is a server of the language that the folder could join. */
  mayConcern(language: string, folder: AbsPath): boolean {
    return this.#candidates(language, folder).length > 0;
  }

  /** Undefined when there is nothing to join. Only roots that the session was given belong together. */
  join(plan: ServerPlan, call: CallOptions = {}): Promise<Sharing | undefined> {
    if (this.#roots.folders.length < 2 || !this.#roots.isFolder(plan.root)) return Promise.resolve(undefined);
    const joined = this.#last.then(() => this.#join(plan, call));
    this.#last = joined.catch(() => {});
    return joined;
  }

  /** Takes away what lies outside the roots now. */
  async followRoots(): Promise<void> {
    const changes = [...this.#given].map(async ([link, folders]) => {
      const kept = folders.filter((folder) => this.#roots.isFolder(folder));
      if (kept.length < folders.length) await this.#give(link, kept);
    });
    await Promise.allSettled(changes);
  }

  #candidates(language: string, folder: AbsPath): readonly (readonly [ServerLink, ServerPlan])[] {
    return [...this.#plans].filter(
      ([link, plan]) => plan.language === language && link.root !== folder && this.#roots.isFolder(link.root),
    );
  }

  async #join(plan: ServerPlan, call: CallOptions): Promise<Sharing | undefined> {
    let against: string | undefined;
    for (const [link, first] of this.#candidates(plan.language, plan.root)) {
      const folders = this.#given.get(link) ?? [];
      if (folders.includes(plan.root)) return { link };
      const overlapping = folders.find(
        (folder) => isInside(folder, plan.root) || isInside(plan.root, folder),
      );
      const reason =
        overlapping === undefined ? reasonAgainstSharing(first, plan) : `it overlaps with ${overlapping}`;
      against ??= reason;
      if (reason !== undefined) continue;
      const refusal = await this.#tryToGive(link, [...folders, plan.root], call);
      if (refusal === undefined) return { link };
      against ??= refusal;
    }
    return against === undefined ? undefined : { against };
  }

  async #tryToGive(
    link: ServerLink,
    folders: readonly AbsPath[],
    call: CallOptions,
  ): Promise<string | undefined> {
    try {
      const { capabilities, serverName } = await link.facts(call);
      if (!takesFolders(capabilities)) return `${serverName} works in one folder at a time`;
      await this.#give(link, folders);
      return undefined;
    } catch (error) {
      const failure = failureOf(error);
      if (!failure || failure.kind === 'cancelled') throw error;
      return `the server of ${link.root} cannot be asked (${failure.kind})`;
    }
  }

  async #give(link: ServerLink, folders: readonly AbsPath[]): Promise<void> {
    await link.setFolders(folders);
    this.#given.set(link, folders);
  }
}
