/** The tools as `tools/list` shows them. */
import type { NamedProfile } from '../../shared/config/choices.ts';
import type { Config } from '../../shared/config/config.ts';
import { isSwitchedOff } from '../../shared/config/facade-config.ts';
import { type Effect, hintsFor } from '../access/effect.ts';
import { type AccessPolicy, effectsWithin, offeredTools } from '../access/tool-access.ts';
import type { ExtendedList } from '../features/extended-list.ts';
import type { ListedTool } from '../features/listed-tool.ts';
import { listedTools, type OutputSchemas, outputSchemas } from '../features/listed-tools.ts';
import type { ObjectSchema } from '../tools/tool-schemas.ts';

export interface ToolListing {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema & { [keyword: string]: unknown };
  outputSchema?: ObjectSchema & { [keyword: string]: unknown };
  annotations: Record<string, boolean>;
}

/** What of the configuration the list depends on. */
export type ListPolicy = { readonly tools: NamedProfile } & Pick<
  Config,
  'output' | 'permission' | 'isSubagent' | 'permissionRules' | 'lsp' | 'subagents'
>;

/** For a caller that does not know what a session may do. */
const EVERYTHING: AccessPolicy = {
  permission: 'write',
  isSubagent: false,
  permissionRules: { allow: [], ask: [], deny: [] },
};

/**
 * What a session offers; all of it when its configuration cannot be read, so that a call can say why. Only the full set
 * has what extensions add; what they replace is replaced in every set.
 */
export async function toolList(
  policy: ListPolicy | undefined,
  extended?: ExtendedList,
): Promise<ToolListing[]> {
  if (!policy) return (await listedTools('full')).map((tool) => listing(tool));
  if (isSwitchedOff(policy)) return [];
  const isCoreOnly = policy.tools === 'core';
  const profile = policy.tools === 'core' ? 'full' : policy.tools;
  const extension = profile === 'full' ? extended : undefined;
  const ours = extension?.tools ?? (await listedTools(profile));
  const all = ours.filter(({ isCore }) => isCore || !isCoreOnly);
  // Only who gets data gets its schema: whoever has a schema must be sent data, and both cost tokens.
  const schemas =
    policy.output === 'json' ? { ...(await outputSchemas(profile)), ...extension?.schemas } : {};
  const mayMutate = policy.lsp.tool.allowsMutatingActions && !policy.isSubagent;
  return offeredTools(all, policy).map((tool) =>
    listing(tool, { schemas, effects: effectsWithin(tool, policy), mayMutate }),
  );
}

interface ListingOptions {
  readonly schemas?: OutputSchemas;
  /** All that the session can bring about by it. */
  readonly effects?: readonly Effect[];
  /** The session may use actions that change something. */
  readonly mayMutate?: boolean;
}

export function listing(
  tool: ListedTool,
  { schemas = {}, effects = effectsWithin(tool, EVERYTHING), mayMutate = true }: ListingOptions = {},
): ToolListing {
  const { name, title, description, inputSchema, changesSession, changesIfAllowed } = tool;
  const outputSchema = schemas[name];
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema },
    ...(outputSchema ? { outputSchema: { ...outputSchema } } : {}),
    annotations: hintsFor(effects, { changesSession: changesSession || (changesIfAllowed && mayMutate) }),
  };
}
