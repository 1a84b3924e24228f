/** Which folders beside its root each user of a server works in. The server gets the folders of all its users. */
import type { AbsPath } from '../../base/brand.ts';
import { isInside } from '../../base/paths.ts';
import type { HostUser } from './pin-book.ts';

export class FolderBook {
  readonly #root: AbsPath;
  readonly #byUser = new Map<HostUser, readonly AbsPath[]>();

  constructor(root: AbsPath) {
    this.#root = root;
  }

  /** Each once, in the order in which they came. What lies in the root is there already. */
  get all(): readonly AbsPath[] {
    if (this.#byUser.size === 0) return [];
    const folders = new Set([...this.#byUser.values()].flat());
    return [...folders].filter((folder) => !isInside(folder, this.#root));
  }

  of(user: HostUser): readonly AbsPath[] {
    return this.#byUser.get(user) ?? [];
  }

  set(user: HostUser, folders: readonly AbsPath[]): void {
    if (folders.length === 0) this.#byUser.delete(user);
    else this.#byUser.set(user, [...folders]);
  }
}
