/**
 * Files that are kept open so that the server keeps their projects loaded. They count as a user of their own beside the
 * sessions; the ones that were not needed for longest make room.
 */
import type { AbsPath } from '../base/brand.ts';
import type { PinBook } from './pin-book.ts';

export const PROJECTS_USER = 'projects';
/** Loading a project again takes longer than a file takes room. */
const MOST_SAMPLES = 100;

export class ProjectSamples {
  readonly #pins: PinBook;
  readonly #files = new Set<AbsPath>();

  constructor(pins: PinBook) {
    this.#pins = pins;
  }

  /** Returns those that are not to be kept open any more. */
  keep(files: readonly AbsPath[]): readonly AbsPath[] {
    for (const file of files) {
      this.#files.delete(file);
      this.#files.add(file);
      this.#pins.add(PROJECTS_USER, file);
    }
    const leaving = [...this.#files].slice(0, Math.max(0, this.#files.size - MOST_SAMPLES));
    for (const file of leaving) this.#files.delete(file);
    return leaving.filter((file) => this.#pins.remove(PROJECTS_USER, file));
  }
}
