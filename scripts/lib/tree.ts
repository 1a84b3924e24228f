/**
 * The files of the tree as the checks see them: relative paths with forward slashes, sorted,
 * without what is installed, built or kept by version control.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const skipped = new Set(['node_modules', '.git', 'dist', 'bench-results', 'coverage']);

/** All files below `folder` (relative to `root`, '' for everything); none when the folder is not there. */
export function filesBelow(root: string, folder: string, accept: (path: string) => boolean): string[] {
  const found: string[] = [];
  const visit = (path: string): void => {
    const absolute = join(root, path);
    if (!existsSync(absolute)) return;
    for (const entry of readdirSync(absolute, { withFileTypes: true })) {
      if (skipped.has(entry.name)) continue;
      const child = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(child);
      else if (entry.isFile() && accept(child)) found.push(child);
    }
  };
  visit(folder);
  return found.sort();
}

export function readText(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The same, or undefined when there is no such file. */
export function readTextIfThere(root: string, path: string): string | undefined {
  return existsSync(join(root, path)) ? readText(root, path) : undefined;
}

/** Fixtures are material for tests, faults included, and no code of ours. */
export function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path) && !path.startsWith('test/fixtures/');
}

export function isTestFile(path: string): boolean {
  return isTypeScript(path) && path.endsWith('.test.ts');
}

/** The 1-based line of an offset in a text. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (
    let index = text.indexOf('\n');
    index !== -1 && index < offset;
    index = text.indexOf('\n', index + 1)
  ) {
    line += 1;
  }
  return line;
}
