/**
 * The tools as plain data: all that it takes to list them and to judge access to them. The build runs this module and
 * puts what it gives in its place (scripts/build.mjs), so that a session lists tools without loading their code and
 * without building their schemas. Run from the sources it computes the same.
 * Decision: docs/decisions/mcp.md#the-list-of-tools-is-made-when-the-package-is-built
 */
import type { ListedProfile } from '../../shared/config/choices.ts';
import type { AccessedTool } from '../access/tool-access.ts';
import type { Tool } from '../tools/define-tool.ts';
import { inputSchema, type ObjectSchema, outputSchema } from '../tools/tool-schemas.ts';
import { toolsToList } from './profile-tools.ts';

export interface ListedTool extends AccessedTool {
  readonly title: string;
  readonly description: string;
  readonly changesSession: boolean;
  readonly changesIfAllowed: boolean;
  readonly isCore: boolean;
  readonly inputSchema: ObjectSchema;
}

export type OutputSchemas = Readonly<Record<string, ObjectSchema>>;

export async function listedTools(profile: ListedProfile): Promise<readonly ListedTool[]> {
  return (await toolsToList(profile)).map(listed);
}

/** By the name of the tool. Apart from the rest: they are most of it, and few clients get them. */
export async function outputSchemas(profile: ListedProfile): Promise<OutputSchemas> {
  // A façade sends what its product sends, which no schema of ours describes.
  const described = (await toolsToList(profile)).filter(({ face }) => face === undefined);
  return Object.fromEntries(described.map((tool) => [tool.name, outputSchema(tool)]));
}

/** For checks of single tools; not there in the built program. */
export function listed(tool: Tool): ListedTool {
  const { name, title, description, effect, beyond, changesSession, changesIfAllowed } = tool;
  const { hasPreview, isPrivileged, asksFirst, isCore } = tool;
  return {
    name,
    title,
    description,
    effect,
    beyond,
    changesSession,
    changesIfAllowed,
    hasPreview,
    isPrivileged,
    asksFirst,
    isCore,
    inputSchema: inputSchema(tool),
  };
}
