/**
 * Files that take in the text of another, as C and C++ do: what a header breaks need not use any of its names. They are
 * found by their own text, since no server can be asked for them.
 */
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { escapePattern } from '../../../shared/base/escape-pattern.ts';
import type { ToolContext } from '../../tools/context.ts';
import { filesMentioning } from '../references/cross-repo/consumer-mentions.ts';

export interface Includers {
  readonly files: readonly AbsPath[];
  /** False when there was too much to look at. */
  readonly isWhole: boolean;
}

const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp|cuh)$/i;
/** Each is a walk through the sources. */
const MOST_WALKS = 4;

export function isHeader(file: AbsPath): boolean {
  return HEADER.test(file);
}

/** Also those that include it by way of other headers, as far as that is affordable. */
export async function includersOf(context: ToolContext, header: AbsPath): Promise<Includers> {
  const family = context.servers.familyOfFile(header);
  const isSource = (file: AbsPath) => context.servers.familyOfFile(file) === family;
  const root = context.roots.around(header);
  const found = new Set<AbsPath>();
  const headers = [header];
  let isWhole = true;
  for (const [walks, each] of headers.entries()) {
    if (walks >= MOST_WALKS) return { files: [...found], isWhole: false };
    const name = path.basename(each);
    const mentioning = await filesMentioning(root, name, isSource, context.signal);
    isWhole &&= mentioning.isWhole;
    const include = new RegExp(`^\\s*#\\s*(?:include|import)\\b.*[/"<]${escapePattern(name)}[">]`, 'm');
    for (const file of mentioning.files) {
      if (file === header || found.has(file)) continue;
      const source = await context.files.read(file).catch(() => undefined);
      if (!source || !include.test(source.text)) continue;
      found.add(file);
      if (isHeader(file)) headers.push(file);
    }
  }
  return { files: [...found], isWhole };
}
