/**
 * What an edit will do to the disk, worked out in memory from the files as they are. A plan changes nothing by itself:
 * it can be shown, tried out on a server, kept and applied, and knows what every file must still be when that happens.
 */
import { createHash } from 'node:crypto';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { textHash } from '../../../../shared/base/text-file.ts';

export interface EditPlan {
  /** What becomes of each file, by path; a file occurs once. */
  readonly files: readonly PlannedChange[];
  /** Directories that have to be made, outermost first, and that go away, innermost first. */
  readonly directories: { readonly made: readonly AbsPath[]; readonly dropped: readonly AbsPath[] };
  /** What the server wants a person to confirm before it is applied. */
  readonly confirmations: readonly Confirmation[];
  /** Files of the edit that were left out on request, with the places in them. */
  readonly leftOut: readonly { readonly path: AbsPath; readonly places: number }[];
}

/** Paths are real paths: symbolic links are resolved before. `places` counts the single edits in a file. */
export type PlannedChange =
  | {
      readonly kind: 'change';
      readonly path: AbsPath;
      readonly before: BaseText;
      readonly after: string;
      readonly places: number;
    }
  | {
      readonly kind: 'create';
      readonly path: AbsPath;
      readonly after: string;
      /** Of a file that is made again; otherwise what the system gives to new files. */
      readonly like?: Pick<BaseText, 'bom' | 'mode'>;
      readonly places: number;
    }
  | { readonly kind: 'delete'; readonly path: AbsPath; readonly before: Base; readonly places: number }
  | {
      readonly kind: 'rename';
      readonly path: AbsPath;
      readonly newPath: AbsPath;
      readonly before: Base;
      /** Null: moved as it is. */
      readonly after: string | null;
      readonly places: number;
    };

/** What a file was when the plan was made. */
export type Base = BaseText | OpaqueBase;

export interface BaseText {
  /** As `textHash` makes it, of the text without its byte order mark. */
  readonly hash: string;
  readonly text: string;
  readonly bom: boolean;
  readonly mode: number;
}

/** A file that was not looked into: no text, or moved with its folder. It only must still be there. */
export interface OpaqueBase {
  readonly hash: null;
}

export interface Confirmation {
  readonly label: string;
  readonly description?: string;
  readonly places: number;
}

const NO_DIRECTORIES: EditPlan['directories'] = { made: [], dropped: [] };

export function baseText(text: string, like: Pick<BaseText, 'bom' | 'mode'>): BaseText {
  return { hash: textHash(text), text, bom: like.bom, mode: like.mode };
}

/** A plan that changes single texts, for tools that compute them without a server. */
export function planOf(files: readonly PlannedChange[]): EditPlan {
  return { files, directories: NO_DIRECTORIES, confirmations: [], leftOut: [] };
}

export function isEmpty({ files, directories }: EditPlan): boolean {
  return files.length === 0 && directories.made.length === 0 && directories.dropped.length === 0;
}

export function placeCount(plan: EditPlan): number {
  return plan.files.reduce((sum, { places }) => sum + places, 0);
}

/** Every path that the plan touches, sources and targets of renames included. */
export function pathsOf({ files, directories }: EditPlan): readonly AbsPath[] {
  const own = files.flatMap((file) => (file.kind === 'rename' ? [file.path, file.newPath] : [file.path]));
  return [...new Set([...own, ...directories.made, ...directories.dropped])];
}

/** Texts after the plan, without those that will not be there or were not looked into. */
export function textsAfter(plan: EditPlan): ReadonlyMap<AbsPath, string> {
  const texts = new Map<AbsPath, string>();
  for (const file of plan.files) {
    if (file.kind !== 'rename') {
      if (file.kind !== 'delete') texts.set(file.path, file.after);
    } else if (file.after !== null) texts.set(file.newPath, file.after);
    else if (file.before.hash !== null) texts.set(file.newPath, file.before.text);
  }
  return texts;
}

/** How much a plan weighs in memory, in characters. */
export function planWeight(plan: EditPlan): number {
  const own = plan.files.map((file) => {
    const before = file.kind === 'create' || file.before.hash === null ? 0 : file.before.text.length;
    return before + (file.kind === 'delete' ? 0 : (file.after?.length ?? 0));
  });
  return own.reduce((sum, each) => sum + each, 0);
}

/** The bytes of a text as they are written. */
export function contentOf(text: string, bom: boolean): Buffer {
  return Buffer.from(bom ? `\ufeff${text}` : text);
}

/** Tells contents apart, byte order mark included. */
export function contentHash(content: Uint8Array): string {
  return createHash('sha1').update(content).digest('base64');
}
