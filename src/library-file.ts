/**
 * The file that programs import: `library.ts` from the packs that the command runs from. So the package holds the code
 * behind both once, and importing it reads no more than one small pack.
 * Decision: docs/decisions/library.md#from-the-packs-of-the-command
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { type PackContent, partLoader } from './parts.ts';

/** Files beside this one, put in by the build. */
declare const PACKS: readonly PackContent[];

const file = fileURLToPath(import.meta.url);
const load = partLoader(PACKS, file, (name) => {
  const pack = path.join(path.dirname(file), name);
  return new vm.Script(readFileSync(pack, 'latin1'), { filename: pack }).runInThisContext();
});
const library = load('library.js') as typeof import('./library.ts');

export const { AgentLspError, createHost, defineExtension, extensionTool, openSession } = library;
