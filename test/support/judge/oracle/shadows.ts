/**
 * Files that would take a package away from everybody. `declare module 'our-package'` in a file without imports declares
 * that module for its whole program: in its own project that may be meant, in one program of all files it hides the
 * real package from all others.
 */
import type { Compiler } from './compiler.ts';

export function isShadow(ts: Compiler, text: string, packages: ReadonlySet<string>): boolean {
  if (!DECLARES.test(text)) return false;
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.ESNext);
  // In a file with imports the same words add to the real module.
  if (ts.isExternalModule(file)) return false;
  return file.statements.some(
    (each) => ts.isModuleDeclaration(each) && ts.isStringLiteral(each.name) && packages.has(each.name.text),
  );
}

const DECLARES = /^declare module ['"]/m;
