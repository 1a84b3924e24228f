/** What a source is by its name, as the descriptor of its language has it: a stub, a file of declarations only, one that a program wrote. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { languageOfFile } from './lookup.ts';

/** A source and the stub beside it declare the same: of the one the other, whether it is there or not. */
export function stubOrSource(file: AbsPath): AbsPath | undefined {
  const extension = path.extname(file).slice(1);
  const pair = Object.entries(languageOfFile(file)?.family.stubs ?? {}).find((each) =>
    each.includes(extension),
  );
  const other = pair?.find((each) => each !== extension);
  return other === undefined ? undefined : (`${file.slice(0, -extension.length)}${other}` as AbsPath);
}

/** Whether it only declares what other files have. */
export function onlyDeclares(file: string): boolean {
  return languageOfFile(file)?.family.declarationFiles?.test(file) === true;
}

/** Whether a program wrote it: its name says so, or it lies beside the source that a build made it from. */
export function isWrittenByProgram(file: AbsPath): boolean {
  const { generatedFiles, emitted } = languageOfFile(file)?.family ?? {};
  if (GENERATED_NAME.test(path.basename(file)) || generatedFiles?.test(file)) return true;
  const ending = emitted?.ending.exec(file);
  if (!ending) return false;
  const stem = file.slice(0, ending.index);
  return emitted?.sources.some((end) => existsSync(`${stem}${end}`)) === true;
}

/** Whether a build makes other files from it. */
export function isCompiled(file: string): boolean {
  const sources = languageOfFile(file)?.family.emitted?.sources;
  return sources?.includes(path.extname(file)) === true && !onlyDeclares(file);
}

/** In any language. */
const GENERATED_NAME = /\.(generated|gen|g)\.\w+$|^zz_generated\./i;
