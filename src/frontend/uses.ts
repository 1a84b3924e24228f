/** All uses of a name as places, the declaration among them: what answers are made of where a server has no better one. */
import { type Location, ReferencesRequest } from 'vscode-languageserver-protocol';
import { pathToUri, uriToPath } from '../shared/base/paths.ts';
import { ask } from '../shared/server-link.ts';
import { type Asked, askAcross } from './asking.ts';
import { isLocalName } from './local-names.ts';
import type { Target } from './locate.ts';
import { type Place, placesOf } from './places.ts';
import type { ToolContext } from './tool-context.ts';

export interface Uses extends Omit<Asked<unknown>, 'result'> {
  readonly places: readonly Place[];
}

export async function usesOf(context: ToolContext, target: Target): Promise<Uses> {
  const { link, source, position, name } = target;
  const { result, ...asked } = await askAcross(context, link, {
    method: ReferencesRequest.method,
    documents: [source.path],
    about: { name, file: source.path },
    isLocal: () => isLocalName(context, target),
    filesOf: (locations: Location[] | null) => (locations ?? []).flatMap(({ uri }) => uriToPath(uri) ?? []),
    send: (facts, options) =>
      ask(
        link,
        ReferencesRequest.type,
        {
          textDocument: { uri: pathToUri(source.path) },
          position: position(facts),
          context: { includeDeclaration: true },
        },
        options,
      ),
  });
  return { ...asked, places: await placesOf(result, context.files, asked.facts.encoding) };
}
