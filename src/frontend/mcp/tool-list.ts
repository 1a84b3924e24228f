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
export function toolList(tools: readonly Tool[], output: OutputFormat): ToolListing[] {
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...inputSchema(tool) },
    ...(output === 'json' ? { outputSchema: { ...outputSchema(tool) } } : {}),
    annotations: annotationsOf(tool),
  }));
}

function annotationsOf({ effect, changesSession }: Tool): Record<string, boolean> {
  if (effect !== 'write' && !changesSession) return { readOnlyHint: true, openWorldHint: false };
  const isDestructive = effect === 'write';
  return {
    readOnlyHint: false,
    destructiveHint: isDestructive,
    idempotentHint: !isDestructive,
    openWorldHint: false,
  };
}
