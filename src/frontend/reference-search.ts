/** Asking a server who uses the name at a place, with what servers understand differently by "declaration" set right. */
import { DefinitionRequest, type Location, ReferencesRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../shared/base/brand.ts';
import { pathToUri, uriToPath } from '../shared/base/paths.ts';
import { ask, type CallOptions, type ServerFacts, type ServerLink } from '../shared/server-link.ts';
import { type Asked, askAcross } from './asking.ts';
import { isLocalName } from './local-names.ts';
import type { Target } from './locate.ts';
import { comparePositions, type ServerPlace, serverPlaces } from './places.ts';
import type { ToolContext } from './tool-context.ts';

export interface ReferenceOptions {
  readonly includeDeclaration?: boolean | undefined;
  /** Directories that are searched otherwise. */
  readonly except?: readonly AbsPath[];
}

/** Sorted, without duplicates, and whether that is all there is. */
export async function searchReferences(
  context: ToolContext,
  target: Target,
  { includeDeclaration = false, except = [] }: ReferenceOptions = {},
): Promise<Asked<readonly ServerPlace[]>> {
  const { link, source, name, position } = target;
  const asked = await askAcross(context, link, {
    method: ReferencesRequest.method,
    documents: [source.path],
    about: { name, source, except },
    isLocal: () => isLocalName(context, target),
    filesOf: (locations: Location[] | null) => (locations ?? []).flatMap(({ uri }) => uriToPath(uri) ?? []),
    send: (facts, options) => sendReferences(link, facts, { ...target, includeDeclaration }, options),
  });
  const found = serverPlaces(asked.result);
  if (includeDeclaration || !asked.facts.importsAreDeclarations) return { ...asked, result: found };
  const params = { textDocument: { uri: pathToUri(source.path) }, position: position(asked.facts) };
  const declared = serverPlaces(await ask(link, DefinitionRequest.type, params, context.during(source.path)));
  return { ...asked, result: found.filter((place) => !declared.some((other) => isSame(place, other))) };
}

/** Where a server leaves out imports together with the declaration, both are in the result. */
export function sendReferences(
  link: ServerLink,
  facts: ServerFacts,
  { source, position, includeDeclaration }: Pick<Target, 'source' | 'position'> & ReferenceOptions,
  options: CallOptions,
): Promise<Location[] | null> {
  return ask(
    link,
    ReferencesRequest.type,
    {
      textDocument: { uri: pathToUri(source.path) },
      position: position(facts),
      context: { includeDeclaration: includeDeclaration || (facts.importsAreDeclarations ?? false) },
    },
    options,
  );
}

function isSame(a: ServerPlace, b: ServerPlace): boolean {
  return a.uri === b.uri && comparePositions(a.range.start, b.range.start) === 0;
}
