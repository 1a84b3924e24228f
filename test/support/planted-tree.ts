/** Trees for the checks: empty or copied from this one, with files planted, and removed after each test. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const projectRoot = resolve(import.meta.dirname, '../..');

/** An empty tree, or one with the named parts of this tree, with the planted files in it. */
export function plantedTree(
  files: Readonly<Record<string, string>>,
  options: { copy?: readonly string[] } = {},
): string {
  const root = mkdtempSync(join(tmpdir(), 'agent-lsp-checks-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of options.copy ?? []) {
    cpSync(join(projectRoot, path), join(root, path), { recursive: true });
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
