/**
 * The files as they will be, laid over the files as they are. The steps of an edit are taken here one after the other,
 * so that each sees what the ones before it did; what comes out is only the difference between first and last.
 */
import path from 'node:path';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { fail, failureOf } from '../../../../shared/base/failure.ts';
import { absolutePath, isInside } from '../../../../shared/base/paths.ts';
import type { DiskEntry, DiskReader } from '../apply/edit-disk.ts';
import { readBase } from './base-file.ts';
import type { Base, BaseText } from './edit-plan.ts';

export type TreeNode = { readonly kind: 'absent' } | { readonly kind: 'directory' } | FileNode;

export interface FileNode {
  readonly kind: 'file';
  /** The file on disk whose content this is, or was before it was changed; undefined for a new one. */
  readonly from: AbsPath | undefined;
  /** Undefined while the content is that of the disk. */
  readonly text: string | undefined;
  readonly places: number;
  /** It only came along with its folder, and need not be looked into. */
  readonly inFolder: boolean;
}

const ABSENT: TreeNode = { kind: 'absent' };
const DIRECTORY: TreeNode = { kind: 'directory' };
/** More than this is not taken along with a folder. */
const MOST_IN_FOLDER = 5_000;

export interface TreeOptions {
  readonly disk: DiskReader;
  /** Checks a name before it is made, moved or removed. */
  allow(file: AbsPath): void;
}

export class EditTree {
  readonly #options: TreeOptions;
  readonly #entries = new Map<AbsPath, Promise<DiskEntry | undefined>>();
  readonly #bases = new Map<AbsPath, Promise<BaseText>>();
  readonly #now = new Map<AbsPath, TreeNode>();

  constructor(options: TreeOptions) {
    this.#options = options;
  }

  /** All that was touched, as it is now. */
  get touched(): ReadonlyMap<AbsPath, TreeNode> {
    return this.#now;
  }

  async at(file: AbsPath): Promise<TreeNode> {
    const known = this.#now.get(file);
    if (known) return known;
    for (let above = parentOf(file); above !== parentOf(above); above = parentOf(above))
      if (this.#now.get(above)?.kind === 'absent') return ABSENT;
    return this.onDisk(file);
  }

  async onDisk(file: AbsPath): Promise<TreeNode> {
    const entry = await this.entry(file);
    if (!entry) return ABSENT;
    return entry.kind === 'directory' ? DIRECTORY : fileFrom(file);
  }

  /** The current text of a file, and the text of the disk it comes from. */
  async textAt(file: AbsPath): Promise<{ text: string; node: FileNode }> {
    const node = await this.at(file);
    if (node.kind === 'directory') invalid(file, 'it is a directory');
    if (node.kind === 'absent') invalid(file, 'it does not exist');
    if (node.text !== undefined) return { text: node.text, node };
    return { text: node.from === undefined ? '' : (await this.base(node.from)).text, node };
  }

  async changeText(file: AbsPath, text: string, places: number): Promise<void> {
    const { node } = await this.textAt(file);
    this.#now.set(file, { ...node, text, places: node.places + places });
  }

  async create(file: AbsPath, text: string): Promise<void> {
    await this.#makeParents(file);
    const before = await this.at(file);
    const from = before.kind === 'file' ? before.from : undefined;
    this.#now.set(file, { kind: 'file', from, text, places: 0, inFolder: false });
  }

  async delete(file: AbsPath): Promise<void> {
    for (const each of (await this.#below(file)).reverse()) this.#now.set(each, ABSENT);
  }

  async rename(from: AbsPath, to: AbsPath): Promise<void> {
    if (from !== to && isInside(to, from)) invalid(from, `it cannot be moved into itself, to ${to}`);
    await this.#makeParents(to);
    const moved = await this.#below(from);
    const nodes = await Promise.all(moved.map((each) => this.at(each)));
    const inFolder = moved.length > 1;
    for (const each of moved) this.#now.set(each, ABSENT);
    for (const [index, each] of moved.entries()) {
      const node = nodes[index] ?? ABSENT;
      const target = absolutePath(path.relative(from, each), to);
      this.#options.allow(target);
      this.#now.set(target, node.kind === 'file' ? { ...node, inFolder } : node);
    }
  }

  async isEmptyDirectory(directory: AbsPath): Promise<boolean> {
    return (await this.#children(directory)).length === 0;
  }

  /** Whether two names are one entry of a disk that does not tell upper from lower case. */
  async isSameEntry(a: AbsPath, b: AbsPath): Promise<boolean> {
    if (a.toLowerCase() !== b.toLowerCase()) return false;
    const [one, other] = await Promise.all([this.entry(a), this.entry(b)]);
    return one !== undefined && one.identity === other?.identity;
  }

  entry(file: AbsPath): Promise<DiskEntry | undefined> {
    return remembered(this.#entries, file, () => this.#options.disk.entry(file));
  }

  base(file: AbsPath): Promise<BaseText> {
    return remembered(this.#bases, file, () => readBase(file, this.#options.disk));
  }

  /** Of a file that may be anything. */
  async baseOrOpaque(file: AbsPath): Promise<Base> {
    try {
      return await this.base(file);
    } catch (error) {
      if (failureOf(error) === undefined) throw error;
      return { hash: null };
    }
  }

  async #makeParents(file: AbsPath): Promise<void> {
    const parent = parentOf(file);
    const node = await this.at(parent);
    if (node.kind === 'file') invalid(file, `${parent} is a file, not a directory`);
    if (node.kind === 'directory') return;
    await this.#makeParents(parent);
    this.#now.set(parent, DIRECTORY);
  }

  /** A file itself; a directory with everything in it, outermost first. */
  async #below(file: AbsPath): Promise<AbsPath[]> {
    const found = [file];
    for (let index = 0; index < found.length; index++) {
      const each = found[index] ?? file;
      this.#options.allow(each);
      if ((await this.at(each)).kind === 'directory') found.push(...(await this.#children(each)));
      if (found.length > MOST_IN_FOLDER)
        invalid(file, `there are more than ${MOST_IN_FOLDER} files in it; move or remove it yourself`);
    }
    return found;
  }

  async #children(directory: AbsPath): Promise<AbsPath[]> {
    const isDirectory = (await this.entry(directory))?.kind === 'directory';
    const names = isDirectory ? await this.#options.disk.list(directory) : [];
    const known = [...this.#now.keys()].filter((each) => parentOf(each) === directory);
    const all = new Set([...names.map((name) => absolutePath(name, directory)), ...known]);
    const nodes = await Promise.all(
      [...all].sort().map(async (each) => ({ each, node: await this.at(each) })),
    );
    return nodes.flatMap(({ each, node }) => (node.kind === 'absent' ? [] : [each]));
  }
}

function fileFrom(from: AbsPath): FileNode {
  return { kind: 'file', from, text: undefined, places: 0, inFolder: false };
}

function invalid(file: AbsPath, reason: string): never {
  fail({ kind: 'edit-invalid', path: file, reason });
}

function parentOf(file: AbsPath): AbsPath {
  return absolutePath(path.dirname(file));
}

function remembered<T>(known: Map<AbsPath, Promise<T>>, key: AbsPath, make: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
