/**
 * Writes the generated documentation; run it after changing a tool or `test/features.json`. The tree is this one, or the
 * one that is named.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generateDocs } from './lib/docs.ts';
import { projectRoot } from './lib/report.ts';
import { readTextIfThere } from './lib/tree.ts';

/** Returns what it changed and what it could not make, one line each. */
async function writeDocs(root: string): Promise<string[]> {
  const { files, faults } = await generateDocs(root);
  const changed = files.filter(({ path, text }) => readTextIfThere(root, path) !== text);
  for (const { path, text } of changed) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return [
    ...changed.map(({ path }) => `wrote ${path}`),
    ...faults.map(({ path, message }) => `${path} ${message}`),
  ];
}

const said = await writeDocs(process.argv[2] ?? projectRoot);
process.stdout.write(`${said.length === 0 ? 'nothing changed' : said.join('\n')}\n`);
