/**
 * One tool as plain data: for the list that the build prepares, and for tools of extensions, which the build does not
 * know.
 */
import type { AccessedTool } from '../access/tool-access.ts';
import type { Tool } from '../tools/define-tool.ts';
import { inputSchema, type ObjectSchema } from '../tools/tool-schemas.ts';

export interface ListedTool extends AccessedTool {
  readonly title: string;
  readonly description: string;
  readonly changesSession: boolean;
  readonly changesIfAllowed: boolean;
  readonly isCore: boolean;
  readonly inputSchema: ObjectSchema;
}

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
