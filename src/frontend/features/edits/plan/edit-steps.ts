/**
 * A plan as steps on the disk, each of which can be taken back. They are written down before the first is taken; what
 * was done of them can be told from the disk alone, so that another process can take them back after a crash.
 */
import path from 'node:path';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { fail } from '../../../../shared/base/failure.ts';
import { absolutePath, isInside } from '../../../../shared/base/paths.ts';
import { temporaryName } from '../../../../shared/base/temporary-names.ts';
import { type DiskEntry, type EditDisk, type NewFile, naming } from '../apply/edit-disk.ts';
import { type Base, contentHash, contentOf, type EditPlan, type PlannedChange } from './edit-plan.ts';

export type Step =
  /** `before` is the hash of what is replaced, null for a new name. The staged file becomes the file. */
  | {
      readonly kind: 'put';
      readonly path: string;
      readonly staged: string;
      readonly backup: string | null;
      readonly before: string | null;
      readonly after: string;
    }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }
  /** The file becomes its own backup. A null hash: it was not looked into. */
  | {
      readonly kind: 'remove';
      readonly path: string;
      readonly backup: string;
      readonly before: string | null;
    }
  | { readonly kind: 'make-directory'; readonly path: string }
  | { readonly kind: 'drop-directory'; readonly path: string; readonly mode: number };

export interface StagedContent extends NewFile {
  readonly path: string;
  /** The file that it will be. */
  readonly target: string;
  readonly content: Buffer;
}

export interface EditWork {
  /** In the order in which they are taken. */
  readonly steps: readonly Step[];
  readonly contents: readonly StagedContent[];
  /** Files that had further names: those keep the old content. */
  readonly unlinked: readonly AbsPath[];
}

/** Also checks every file against the plan: one that has changed since fails it. */
export async function stepsFor(plan: EditPlan, id: string, disk: EditDisk): Promise<EditWork> {
  const builder = new StepBuilder(plan, id, disk);
  for (const file of plan.files) await naming(file.path, () => builder.add(file));
  return builder.work();
}

/** All names beside the real ones that the steps may leave. */
export function temporaryFilesOf(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) => {
    if (step.kind === 'put') return step.backup === null ? [step.staged] : [step.staged, step.backup];
    return step.kind === 'remove' ? [step.backup] : [];
  });
}

/** Every directory in which names change. */
export function directoriesOf(steps: readonly Step[]): ReadonlySet<string> {
  const names = steps.flatMap((step) => (step.kind === 'move' ? [step.path, step.to] : [step.path]));
  return new Set([...names, ...temporaryFilesOf(steps)].map((name) => path.dirname(name)));
}

class StepBuilder {
  readonly #plan: EditPlan;
  readonly #id: string;
  readonly #disk: EditDisk;
  readonly #removes: Step[] = [];
  readonly #moves: Step[] = [];
  readonly #puts: Step[] = [];
  readonly #contents: StagedContent[] = [];
  readonly #unlinked: AbsPath[] = [];
  #temporaries = 0;

  constructor(plan: EditPlan, id: string, disk: EditDisk) {
    this.#plan = plan;
    this.#id = id;
    this.#disk = disk;
  }

  async add(file: PlannedChange): Promise<void> {
    switch (file.kind) {
      case 'change': {
        const entry = await this.#unchanged(file.path, file.before);
        await this.#refuseReadOnly(file.path, entry);
        if (entry.names > 1) this.#unlinked.push(file.path);
        return this.#put(file.path, contentOf(file.after, file.before.bom), entry, hashOf(file.before));
      }
      case 'create':
        await this.#absent(file.path);
        return this.#put(file.path, contentOf(file.after, file.like?.bom ?? false), file.like, null);
      case 'delete': {
        const entry = await this.#unchanged(file.path, file.before);
        await this.#refuseReadOnly(file.path, entry);
        return this.#remove(file.path, file.before);
      }
      case 'rename':
        return this.#rename(file);
    }
  }

  /** Names become free before others take them, and directories are there before something comes into them. */
  async work(): Promise<EditWork> {
    const { made, dropped } = this.#plan.directories;
    const makes: Step[] = [];
    for (const directory of made)
      if (!(await this.#isThere(directory, 'directory')))
        makes.push({ kind: 'make-directory', path: directory });
    const drops: Step[] = [];
    for (const directory of dropped) {
      const entry = await this.#disk.entry(directory);
      if (entry?.kind !== 'directory') fail({ kind: 'base-changed', path: directory });
      drops.push({ kind: 'drop-directory', path: directory, mode: entry.mode });
    }
    const steps = [...this.#removes, ...makes, ...this.#moves, ...drops, ...this.#puts];
    return { steps, contents: this.#contents, unlinked: this.#unlinked };
  }

  async #rename(file: Extract<PlannedChange, { kind: 'rename' }>): Promise<void> {
    const { path: from, newPath: to, before, after } = file;
    const entry = await this.#unchanged(from, before);
    const isSpelling = from.toLowerCase() === to.toLowerCase();
    if (!isSpelling || (await this.#disk.entry(to))?.identity !== entry.identity) await this.#absent(to);
    const place = await this.#nearest(to);
    const stays = entry.device === (await this.#disk.entry(place))?.device;
    if (after === null && stays) {
      this.#moves.push({ kind: 'move', path: from, to });
      return;
    }
    if (before.hash === null)
      fail({
        kind: 'edit-invalid',
        path: from,
        reason: 'it cannot be moved to another disk; move it yourself',
      });
    await this.#refuseReadOnly(from, entry);
    await this.#put(to, contentOf(after ?? before.text, before.bom), entry, null);
    await this.#remove(from, before);
  }

  async #put(
    file: AbsPath,
    content: Buffer,
    like: NewFile | undefined,
    before: string | null,
  ): Promise<void> {
    const staged = await this.#temporary(file);
    const backup = before === null ? null : await this.#temporary(file);
    this.#contents.push({ path: staged, target: file, content, mode: like?.mode, owner: like?.owner });
    this.#puts.push({ kind: 'put', path: file, staged, backup, before, after: contentHash(content) });
  }

  async #remove(file: AbsPath, before: Base): Promise<void> {
    const hash = before.hash === null ? null : hashOf(before);
    this.#removes.push({ kind: 'remove', path: file, backup: await this.#temporary(file), before: hash });
  }

  /** Next to the file, so that a rename is enough; where its directory comes or goes, in the nearest one that stays. */
  async #temporary(file: AbsPath): Promise<string> {
    this.#temporaries++;
    return path.join(await this.#nearest(file), temporaryName(this.#id, this.#temporaries));
  }

  async #nearest(file: AbsPath): Promise<AbsPath> {
    const { dropped } = this.#plan.directories;
    for (
      let directory = absolutePath(path.dirname(file));
      ;
      directory = absolutePath(path.dirname(directory))
    ) {
      const isGoing = dropped.some((each) => isInside(directory, each));
      if (!isGoing && (await this.#isThere(directory, 'directory'))) return directory;
      if (directory === path.dirname(directory)) return directory;
    }
  }

  async #unchanged(file: AbsPath, before: Base): Promise<DiskEntry> {
    const entry = await this.#disk.entry(file);
    if (!entry || entry.kind === 'directory') fail({ kind: 'base-changed', path: file });
    if (before.hash === null) return entry;
    if (entry.kind !== 'file') fail({ kind: 'base-changed', path: file });
    if (!contentOf(before.text, before.bom).equals(await this.#disk.read(file)))
      fail({ kind: 'base-changed', path: file });
    return entry;
  }

  async #absent(file: AbsPath): Promise<void> {
    // A directory that is dropped makes way.
    if (this.#plan.directories.dropped.includes(file)) return;
    if (await this.#disk.entry(file)) fail({ kind: 'base-changed', path: file });
  }

  /** Where the directory can be written a read-only file could be replaced all the same; but its owner has locked it. */
  async #refuseReadOnly(file: AbsPath, entry: DiskEntry): Promise<void> {
    if (entry.kind !== 'file') return;
    if ((entry.mode & 0o222) === 0 || !(await this.#disk.isWritable(file)))
      fail({ kind: 'write-refused', path: file, reason: 'the file is read-only; make it writable first' });
  }

  async #isThere(file: AbsPath, kind: DiskEntry['kind']): Promise<boolean> {
    return (await this.#disk.entry(file))?.kind === kind;
  }
}

function hashOf(base: Extract<Base, { hash: string }>): string {
  return contentHash(contentOf(base.text, base.bom));
}
