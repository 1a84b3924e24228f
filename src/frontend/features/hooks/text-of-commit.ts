/** What a file was in the last commit: what is known of its text before an edit when the client does not say. */
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { failureOf } from '../../../shared/base/failure.ts';
import { runGit } from '../../processes/run-git.ts';
import type { ToolContext } from '../../tools/context.ts';

/** Undefined where there is no repository, no git, or no such file in the commit. */
export async function textOfCommit(
  { signal, clock, environment }: ToolContext,
  file: AbsPath,
): Promise<string | undefined> {
  const cwd = path.dirname(file) as AbsPath;
  try {
    const shown = await runGit(['show', '--no-textconv', `HEAD:./${path.basename(file)}`], {
      cwd,
      signal,
      clock,
      environment,
    });
    return shown.kind === 'done' ? shown.output.replace(/^\uFEFF/, '') : undefined;
  } catch (error) {
    if (failureOf(error)?.kind === 'cancelled') throw error;
    return undefined;
  }
}
