/** Documentation of a name from the best source there is: the toolchain, the server, or the comment in the source. */
import { failureOf } from '../../../shared/base/failure.ts';
import { docComment } from '../../lexical/doc-comments.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import { type Declaration, declarationOf } from '../../targets/declarations.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { hoverAt } from './hover.ts';
import { compactHover } from './hover-text.ts';
import { toolchainDoc } from './toolchain-docs.ts';

export interface SymbolDoc {
  readonly source: 'toolchain' | 'server' | 'comment' | 'none';
  readonly signature: string;
  readonly doc: string;
  readonly declaration?: Declaration | undefined;
  /** Where nothing was found. */
  readonly tried: readonly string[];
  readonly incomplete?: Incomplete | undefined;
}

export async function documentationAt(context: ToolContext, target: Target): Promise<SymbolDoc> {
  const [declaration, hover] = await Promise.all([
    declarationOf(context, target),
    documentedHover(context, target).catch(unsupported),
  ]);
  const family = target.link.language;
  const name = declaration?.node.path.join('.') ?? target.name;
  const printed =
    declaration && (await toolchainDoc(context, { family, root: target.link.root, declaration, name }));
  const tried: string[] = [];
  if (printed && 'tried' in printed) tried.push(printed.tried);
  else if (printed && printed.doc !== '') return { source: 'toolchain', ...printed, declaration, tried };
  const signature = (printed && 'signature' in printed ? printed.signature : '') || hover.signature;
  if (hover.doc !== '')
    return { source: 'server', signature: hover.signature, doc: hover.doc, declaration, tried };
  tried.push(...(printed && 'signature' in printed ? ['the toolchain'] : []), hover.tried);
  const comment = declaration ? commentOf(declaration) : '';
  if (comment !== '')
    return {
      source: 'comment',
      signature: signature || headOf(declaration),
      doc: comment,
      declaration,
      tried,
    };
  tried.push(declaration ? 'the comment above it' : 'its declaration, which the server does not know');
  return { source: 'none', signature, doc: '', declaration, tried, incomplete: hover.incomplete };
}

/** The source's own words about a declaration. */
export function commentOf({ link, source, node }: Declaration): string {
  const extent = { start: node.start.line, end: node.end.line };
  return docComment(source.lines, extent, node.at.line, link.language);
}

function headOf(declaration: Declaration | undefined): string {
  return declaration ? declaration.source.lines.at(declaration.node.at.line).trim() : '';
}

interface Hovered {
  readonly signature: string;
  readonly doc: string;
  readonly tried: string;
  readonly incomplete: Incomplete | undefined;
}

async function documentedHover(context: ToolContext, target: Target): Promise<Hovered> {
  const { text, readiness, incomplete } = await hoverAt(context, target);
  const { signature, documentation } = compactHover(text, true);
  return { signature, doc: documentation.join('\n').trim(), tried: readiness, incomplete };
}

/** A server without hover leaves the other sources. */
function unsupported(error: unknown): Hovered {
  const failure = failureOf(error);
  if (failure?.kind !== 'unsupported') throw error;
  return { signature: '', doc: '', tried: `${failure.server}, which has no hover`, incomplete: undefined };
}
