/** From the path that an agent gave to the checker of its language. */
import { statSync } from 'node:fs';
import { fail } from '../../../shared/base/failure.ts';
import { languageById } from '../../../shared/languages/lookup.ts';
import { languageTable } from '../../../shared/languages/table.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { Checker, TypeCheck } from './checker.ts';
import { pyrightChecker } from './pyright-checker.ts';

/** A directory is checked by the first. */
export const checkers: readonly [Checker, ...Checker[]] = [pyrightChecker];

export async function checkTypes(
  context: ToolContext,
  input: { readonly path?: string | undefined; readonly python_version?: string | undefined },
): Promise<TypeCheck> {
  const target = context.roots.resolve(input.path ?? context.roots.primary);
  const stat = statSync(target, { throwIfNoEntry: false });
  if (!stat) fail({ kind: 'no-such-file', path: target });
  const isDirectory = stat.isDirectory();
  const checker = isDirectory ? checkers[0] : checkerFor(context.servers.familyOfFile(target), target);
  return checker.check(context, { target, isDirectory, pythonVersion: input.python_version });
}

function checkerFor(family: string | undefined, file: string): Checker {
  const wanted = languageById(family ?? '')?.family.typeChecker;
  const found = checkers.find(({ name }) => name === wanted);
  if (found) return found;
  const known = languageTable.filter(({ typeChecker }) => typeChecker !== undefined).map(({ id }) => id);
  return fail({
    kind: 'invalid-input',
    message: `check_types checks only ${known.join(', ')} so far, and ${file} is ${family ?? 'of no known language'}`,
    next: 'run_build checks it with the compiler of its project, get_diagnostics with its language server',
  });
}
