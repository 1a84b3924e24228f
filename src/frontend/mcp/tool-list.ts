/** The tools as `tools/list` shows them. */
import type { OutputFormat } from '../render/answer.ts';
import type { Tool } from '../tools/define-tool.ts';
import { inputSchema, type ObjectSchema, outputSchema } from '../tools/tool-schemas.ts';

export interface ToolListing {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema & { [keyword: string]: unknown };
  outputSchema?: ObjectSchema & { [keyword: string]: unknown };
  annotations: Record<string, boolean>;
}

/** Only who gets data gets its schema: whoever has a schema must be sent data, and both cost tokens. */
export function toolList(
  tools: readonly Tool[],
  output: OutputFormat,
  mayWrite: (tool: Tool) => boolean = () => true,
): ToolListing[] {
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...inputSchema(tool) },
    ...(output === 'json' ? { outputSchema: { ...outputSchema(tool) } } : {}),
    annotations: annotationsOf(tool, mayWrite(tool)),
  }));
}

function annotationsOf({ effect, changesSession }: Tool, mayWrite: boolean): Record<string, boolean> {
  const isDestructive = effect === 'write' && mayWrite;
  if (!isDestructive && !changesSession) return { readOnlyHint: true, openWorldHint: false };
  const hints = { readOnlyHint: false, destructiveHint: isDestructive, openWorldHint: false };
  // What nothing is said of counts as not to be repeated.
  return isDestructive ? hints : { ...hints, idempotentHint: true };
}
