/** Which users keep which files open. Belongs to the host, not to a server process, so that it outlives a crash. */
import type { AbsPath } from '../../base/brand.ts';

/** Who keeps documents open: a broker's session, or the one front end of a direct link. */
export type HostUser = string | number;

export class PinBook {
  readonly #users = new Map<AbsPath, Set<HostUser>>();

  add(user: HostUser, file: AbsPath): void {
    const users = this.#users.get(file) ?? new Set();
    this.#users.set(file, users.add(user));
  }

  /** True when this was the last one. */
  remove(user: HostUser, file: AbsPath): boolean {
    const users = this.#users.get(file);
    if (!users?.delete(user) || users.size > 0) return false;
    return this.#users.delete(file);
  }

  has(file: AbsPath): boolean {
    return this.#users.has(file);
  }

  files(): AbsPath[] {
    return [...this.#users.keys()];
  }

  of(user: HostUser): AbsPath[] {
    return this.files().filter((file) => this.#users.get(file)?.has(user));
  }
}
