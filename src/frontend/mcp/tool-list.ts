/** The tools as `tools/list` shows them. */
import type { Config } from '../../shared/config/config.ts';
import { isSwitchedOff } from '../../shared/config/facade-config.ts';
import { accessTo, offeredTools } from '../access/tool-access.ts';
import { type ListedTool, listedTools, type OutputSchemas, outputSchemas } from '../features/listed-tools.ts';
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
export type ListPolicy = Pick<
  Config,
  'tools' | 'output' | 'permission' | 'isSubagent' | 'permissionRules' | 'lsp'
>;

/** What a session offers; all of it when its configuration cannot be read, so that a call can say why. */
export async function toolList(policy: ListPolicy | undefined): Promise<ToolListing[]> {
  if (!policy) return (await listedTools('full')).map((tool) => listing(tool));
  if (isSwitchedOff(policy)) return [];
  const isCoreOnly = policy.tools === 'core';
  const profile = policy.tools === 'core' ? 'full' : policy.tools;
  const all = (await listedTools(profile)).filter(({ isCore }) => isCore || !isCoreOnly);
  // Only who gets data gets its schema: whoever has a schema must be sent data, and both cost tokens.
  const schemas = policy.output === 'json' ? await outputSchemas(profile) : {};
  return offeredTools(all, policy).map((tool) =>
    listing(tool, { schemas, mayWrite: accessTo(tool, policy).kind !== 'preview' }),
  );
}

export function listing(
  tool: ListedTool,
  { schemas = {}, mayWrite = true }: { schemas?: OutputSchemas; mayWrite?: boolean } = {},
): ToolListing {
  const { name, title, description, inputSchema } = tool;
  const outputSchema = schemas[name];
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema },
    ...(outputSchema ? { outputSchema: { ...outputSchema } } : {}),
    annotations: annotationsOf(tool, mayWrite),
  };
}

function annotationsOf({ effect, changesSession }: ListedTool, mayWrite: boolean): Record<string, boolean> {
  const isDestructive = effect === 'write' && mayWrite;
  if (!isDestructive && !changesSession) return { readOnlyHint: true, openWorldHint: false };
  const hints = { readOnlyHint: false, destructiveHint: isDestructive, openWorldHint: false };
  // Clients take a tool without `idempotentHint` for one that must not be repeated, so writing tools need no `false`.
  return isDestructive ? hints : { ...hints, idempotentHint: true };
}
