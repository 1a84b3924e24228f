/** The files that an extension asks for by a pattern: those that people edit, and whether there may be more. */
import { statSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { fail } from '../../shared/base/failure.ts';
import { forbiddenReason } from '../render/forbidden.ts';
import type { ToolContext } from '../tools/context.ts';
import { siftHidden } from '../workspace/hidden-places.ts';
import { sourcesBelow } from '../workspace/sources-below.ts';
import type { ExtensionFiles } from './definition.ts';

export async function filesBelow(
  context: ToolContext,
  pattern: string,
  below: string = context.roots.primary,
): Promise<ExtensionFiles> {
  const { roots, signal } = context;
  const target = roots.resolve(below);
  const stat = statSync(target, { throwIfNoEntry: false });
  if (!stat) fail({ kind: 'no-such-file', path: target });
  if (stat.isFile()) return { files: [target] };
  const fits = picomatch(pattern, { dot: true, basename: !pattern.includes('/') });
  const found = await sourcesBelow(
    target,
    (file) => fits(path.relative(target, file).split(path.sep).join('/')),
    signal,
  );
  const listed = found.files.map((file) => ({ file }));
  const { shown } = await siftHidden(context, listed, target);
  const files = shown.map(({ file }) => file).sort();
  const incomplete =
    found.forbidden.length > 0
      ? forbiddenReason(found.forbidden, roots).reason
      : `${roots.display(target)} is too large to be looked through as a whole`;
  return found.isWhole ? { files } : { files, incomplete };
}
