/** What a server shows on hover at a place: asked for by everything that wants a signature or documentation. */
import { HoverRequest } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../../shared/base/paths.ts';
import { ask } from '../../../shared/link/server-link.ts';
import { askHere } from '../../ask/questions.ts';
import { unreachableAt } from '../../ask/unreachable.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { hoverText } from './hover-text.ts';

export interface Hovered {
  /** As the server wrote it; empty when there is nothing. */
  readonly text: string;
  readonly readiness: string;
  readonly incomplete: Incomplete | undefined;
}

export async function hoverAt(
  context: ToolContext,
  target: Pick<Target, 'link' | 'source' | 'point' | 'name' | 'position'>,
): Promise<Hovered> {
  const { link, source, position } = target;
  const textDocument = { uri: pathToUri(source.path) };
  const { result, readiness, incomplete } = await askHere(
    context,
    link,
    {
      method: HoverRequest.method,
      documents: [source.path],
      send: (facts, options) =>
        ask(link, HoverRequest.type, { textDocument, position: position(facts) }, options),
    },
    (hover) => hoverText(hover) === '',
  );
  const text = hoverText(result);
  const unreachable = text === '' && !incomplete ? await unreachableAt(context, target) : undefined;
  return { text, readiness, incomplete: incomplete ?? unreachable };
}
