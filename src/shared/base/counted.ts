/** How answers count: "1 file", "3 files", and where a sentence reads better so, "no files". */

interface Forms {
  /** What several of them are called where an s at the end does not say it. */
  readonly many?: string;
  /** The word for zero: capital at the beginning of a line. The figure 0 if it is not given. */
  readonly none?: 'no' | 'No';
}

export function counted(count: number, one: string, { many = `${one}s`, none }: Forms = {}): string {
  return `${count === 0 && none !== undefined ? none : count} ${count === 1 ? one : many}`;
}
