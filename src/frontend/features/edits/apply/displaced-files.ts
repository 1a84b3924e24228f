/**
 * Files that an edit has replaced. A program that had one open goes on writing to it, where nobody reads it any more: so each is
 * held open for a moment after its last name is gone, and what is written to it by then is kept.
 * Decision: docs/decisions/edits.md#files-are-replaced-by-a-rename
 */
import type { KeptText } from '../../../../shared/base/failure.ts';
import type { Clock } from '../../../../shared/base/lifetime.ts';
import { contentHash } from '../plan/edit-plan.ts';
import { type Step, temporaryFilesOf } from '../plan/edit-steps.ts';
import type { EditDisk, HeldFile } from './edit-disk.ts';
import type { Phase } from './journal.ts';
import { type KeepingEdit, keepText } from './kept-files.ts';
import type { Keep } from './take-steps.ts';

export interface DisplacedFile {
  /** The name that it had. */
  readonly path: string;
  readonly edit: KeepingEdit;
  readonly held: HeldFile;
  /** Of what was in it when its name was taken. */
  readonly hash: string;
}

/** Each is an open file of this process. */
const MOST_HELD = 256;
/** A program that opens a file to change it has written by then. */
const HOLD_MS = 2_000;

export interface Discarding {
  readonly phase: Phase;
  readonly edit: KeepingEdit;
  readonly disk: EditDisk;
  readonly keep: Keep;
  /** The hash of what was kept of a file, if it was. */
  keptAs(file: string): string | undefined;
}

/**
 * Removes what the steps have left beside the files. It is compared with what was last known of it, not with what it was a
 * moment ago: between a look and the next one others may have written to it.
 */
export async function discardTemporaries(
  steps: readonly Step[],
  { phase, edit, disk, keep, keptAs }: Discarding,
): Promise<{ readonly kept: readonly KeptText[]; readonly displaced: readonly DisplacedFile[] }> {
  const kept: KeptText[] = [];
  const displaced: DisplacedFile[] = [];
  try {
    for (const step of steps) {
      for (const file of temporaryFilesOf([step])) {
        const held = phase !== 'staging' && isText(step) ? await disk.hold(file) : undefined;
        if (held) {
          const now = contentHash(held.read());
          const known = keptAs(file) ?? knownOf(step, file, phase) ?? now;
          if (now !== known) kept.push(await keep(file, { path: step.path, what: 'others' }));
          displaced.push({ path: step.path, edit, held, hash: keptAs(file) ?? known });
        }
        await disk.remove(file);
      }
    }
  } catch (error) {
    closeAll(displaced);
    throw error;
  }
  return { kept, displaced: withoutNamed(displaced) };
}

/** Undefined where a file is only a second name of one that stays. */
function knownOf(step: Step, file: string, phase: Phase): string | undefined {
  if (step.kind !== 'put' && step.kind !== 'remove') return undefined;
  if (phase === 'done') return step.before ?? undefined;
  return step.kind === 'put' && file === step.staged ? step.after : undefined;
}

/** What is looked at once more before it is given up for good. */
export class DisplacedFiles {
  readonly #stateDir: string;
  readonly #disk: EditDisk;
  readonly #clock: Clock;
  #files: readonly (DisplacedFile & { readonly since: number })[] = [];
  #timer: Disposable | undefined;

  constructor({ stateDir, disk, clock }: { stateDir: string; disk: EditDisk; clock: Clock }) {
    this.#stateDir = stateDir;
    this.#disk = disk;
    this.#clock = clock;
  }

  /** `whenDue` is called when it is time for the last look. */
  add(files: readonly DisplacedFile[], whenDue: () => void): void {
    if (files.length === 0) return;
    const room = Math.max(0, MOST_HELD - this.#files.length);
    closeAll(files.slice(room));
    const since = this.#clock.now();
    this.#files = [...this.#files, ...files.slice(0, room).map((file) => ({ ...file, since }))];
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#clock.after(HOLD_MS, whenDue);
  }

  /** What was written to them since the last look, kept now. What cannot be kept is held until it can. */
  async look(): Promise<readonly KeptText[]> {
    const files = this.#files;
    // Taken out first: two looks at once would keep the same text twice.
    this.#files = [];
    const kept: KeptText[] = [];
    for (const file of files) {
      const content = file.held.read();
      const hash = contentHash(content);
      const text = hash === file.hash ? undefined : await this.#keep(content, file);
      if (text && text !== 'failed') kept.push(text);
      if (text !== 'failed' && this.#clock.now() - file.since >= HOLD_MS) file.held.close();
      else this.#files = [...this.#files, text === 'failed' ? file : { ...file, hash }];
    }
    return kept;
  }

  #keep(content: Uint8Array, { path, edit }: DisplacedFile): Promise<KeptText | 'failed'> {
    const options = { stateDir: this.#stateDir, edit, disk: this.#disk };
    return keepText(content, { path, what: 'others' }, options).catch(() => 'failed' as const);
  }

  close(): void {
    this.#timer?.[Symbol.dispose]();
    closeAll(this.#files);
    this.#files = [];
  }
}

export function closeAll(files: readonly DisplacedFile[]): void {
  for (const { held } of files) held.close();
}

/** A file that is still to be found under a name loses nothing. */
function withoutNamed(files: readonly DisplacedFile[]): readonly DisplacedFile[] {
  const named = files.filter(({ held }) => held.hasName());
  closeAll(named);
  return files.filter((file) => !named.includes(file));
}

function isText(step: Step): boolean {
  return step.kind === 'put' || (step.kind === 'remove' && step.before !== null);
}
