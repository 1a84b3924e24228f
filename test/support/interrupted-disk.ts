/** The real disk, with something that happens at one of the operations that change it. */
import { writeFileSync } from 'node:fs';
import { type EditDisk, systemDisk } from '../../src/frontend/features/edits/apply/edit-disk.ts';

export interface DiskOperation {
  /** Counted from 1. */
  readonly number: number;
  readonly name: keyof EditDisk;
  readonly file: string;
  /** For writes: leaves half of the content, as a process that is killed while writing. */
  tear(): void;
}

const CHANGING = [
  'write',
  'link',
  'copy',
  'rename',
  'remove',
  'makeDirectory',
  'removeDirectory',
  'sync',
] as const;

/** `at` is called before each operation; what it throws is what the operation fails with. */
export function interruptedDisk(
  at: (operation: DiskOperation) => void | Promise<void>,
  base: EditDisk = systemDisk,
): EditDisk {
  let number = 0;
  const before = async (name: keyof EditDisk, file: string, content?: Uint8Array) => {
    number++;
    const tear = () => {
      if (content) writeFileSync(file, content.subarray(0, content.length / 2));
    };
    await at({ number, name, file, tear });
  };
  const changing = Object.fromEntries(
    CHANGING.map((name) => [
      name,
      async (file: string, ...rest: unknown[]) => {
        await before(name, file, rest[0] instanceof Uint8Array ? rest[0] : undefined);
        return Reflect.apply(base[name], base, [file, ...rest]);
      },
    ]),
  );
  return { ...base, ...changing };
}

/** An error as the system would make it. */
export function systemError(code: string, file: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: injected, '${file}'`), { code });
}
