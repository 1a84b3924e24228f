/** The methods about skills, those of the protocol and those of its extension for skills, on the SDK's server. */
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { isObject } from '../../shared/base/unknown-value.ts';
import type { SkillCalls } from './skill-calls.ts';

export function serveSkills(server: Server, skills: SkillCalls): void {
  server.setRequestHandler('prompts/list', async () => ({ prompts: await skills.prompts() }));
  server.setRequestHandler('prompts/get', ({ params }) => skills.prompt(params.name, params.arguments));
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    // Paths and positions of resources are those of files, which clients know.
    if (ref.type !== 'ref/prompt') return { completion: { values: [] } };
    return { completion: { ...(await skills.complete(ref.name, argument)) } };
  });
  server.setRequestHandler('skills/list', params('of skills/list', isObject), async (_, { mcpReq }) => ({
    skills: await skills.entries(),
    ...cacheFields(mcpReq),
  }));
  server.setRequestHandler(
    'skills/get',
    params('of skills/get: uri', hasUri),
    async ({ uri }, { mcpReq }) => ({
      skill: await skills.entry(uri),
      ...cacheFields(mcpReq),
    }),
  );
}

/** Results of the newer protocol say how long they may be kept: the tools of a session may be switched at any time. */
function cacheFields({ envelope }: ServerContext['mcpReq']): Record<string, unknown> {
  return envelope ? { ttlMs: 0, cacheScope: 'private' } : {};
}

function hasUri(value: unknown): value is { readonly uri: string } {
  return isObject(value) && typeof value.uri === 'string';
}

/** A schema as the SDK wants it, without the library of schemas: a session that lists no skills does not load it. */
function params<T>(wanted: string, isRight: (value: unknown) => value is T) {
  const validate = (value: unknown) => {
    const given = value ?? {};
    return isRight(given) ? { value: given } : { issues: [{ message: `expected parameters ${wanted}` }] };
  };
  return {
    params: {
      '~standard': {
        version: 1 as const,
        vendor: 'agent-lsp',
        validate,
        types: undefined as { input: T; output: T } | undefined,
      },
    },
  };
}
