/** The command of a server as users write it. */
import path from 'node:path';

/** A relative path is meant from where it was written; a bare name is looked up later. */
export function commandFrom(
  [executable = '', ...args]: readonly string[],
  base: string,
  homedir: string,
): readonly [string, ...string[]] {
  const expanded = expandHome(executable, homedir);
  return [/[\\/]/.test(expanded) ? path.resolve(base, expanded) : expanded, ...args];
}

export function expandHome(file: string, homedir: string): string {
  return /^~(?=$|[\\/])/.test(file) ? path.join(homedir, file.slice(1)) : file;
}
