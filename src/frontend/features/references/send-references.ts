/** The one question of the protocol for the uses of a name. */
import { type Location, ReferencesRequest } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../../shared/base/paths.ts';
import {
  ask,
  type CallOptions,
  type ServerFacts,
  type ServerLink,
} from '../../../shared/link/server-link.ts';
import type { Target } from '../../targets/locate.ts';

export interface ReferenceQuestion extends Pick<Target, 'source' | 'position'> {
  readonly includeDeclaration?: boolean | undefined;
}

/** Where a server leaves out imports together with the declaration, both are in the result. */
export function sendReferences(
  link: ServerLink,
  facts: ServerFacts,
  { source, position, includeDeclaration }: ReferenceQuestion,
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
