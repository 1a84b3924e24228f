/** Asking a server who uses the name at a place, with what servers understand differently by "declaration" set right. */
import { DefinitionRequest, type Location, ReferencesRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../shared/base/brand.ts';
import { pathToUri, uriToPath } from '../shared/base/paths.ts';
import { ask, type CallOptions, type ServerFacts, type ServerLink } from '../shared/server-link.ts';
import { type Asked, askAcross } from './asking.ts';
import { isLocalName } from './local-names.ts';
import type { Target } from './locate.ts';
import { comparePositions, type LocationResult, type ServerPlace, serverPlaces } from './places.ts';
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
  const { link, source, name } = target;
  const asked = await askAcross(context, link, {
    method: ReferencesRequest.method,
    documents: [source.path],
    about: { name, file: source.path, except },
    isLocal: () => isLocalName(context, target),
    filesOf: ({ locations }: Answers) => (locations ?? []).flatMap(({ uri }) => uriToPath(uri) ?? []),
    send: async (facts, options) => {
      const isWanted = includeDeclaration || !facts.importsAreDeclarations;
      const [locations, declared] = await Promise.all([
        sendReferences(link, facts, { ...target, includeDeclaration }, options),
        isWanted ? null : sendDefinition(context, facts, target),
      ]);
      return { locations, declared };
    },
  });
  const { locations, declared } = asked.result;
  const declarations = serverPlaces(declared);
  const isDeclaration = (place: ServerPlace) => declarations.some((other) => isSame(place, other));
  const found = serverPlaces(locations);
  return {
    ...asked,
    result: declarations.length === 0 ? found : found.filter((place) => !isDeclaration(place)),
  };
}

interface Answers {
  readonly locations: Location[] | null;
  /** Where the name is declared, if that is to be left out of the locations. */
  readonly declared: LocationResult;
}

function sendDefinition(
  context: ToolContext,
  facts: ServerFacts,
  { link, source, position }: Target,
): Promise<LocationResult> {
  const params = { textDocument: { uri: pathToUri(source.path) }, position: position(facts) };
  return ask(link, DefinitionRequest.type, params, context.during(source.path));
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
