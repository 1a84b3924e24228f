/** The list of tools with what extensions make of it. Loaded by sessions that have any. */
import type { Config } from '../../shared/config/config.ts';
import { outputSchema } from '../tools/tool-schemas.ts';
import { allTools } from './all-tools.ts';
import { type ListedTool, listed } from './listed-tool.ts';
import { listedTools, type OutputSchemas } from './listed-tools.ts';
import { toolNamed } from './registry.ts';

export interface ExtendedList {
  readonly tools: readonly ListedTool[];
  /** Of those that are not ours. */
  readonly schemas: OutputSchemas;
}

export async function extendedList(config: Config): Promise<ExtendedList> {
  const prepared = new Map((await listedTools('full')).map((tool) => [tool.name, tool]));
  const tools = await allTools(config);
  const added = tools.filter((tool) => tool !== toolNamed(tool.name));
  return {
    tools: tools.map((tool) =>
      added.includes(tool) ? listed(tool) : (prepared.get(tool.name) ?? listed(tool)),
    ),
    schemas: Object.fromEntries(added.map((tool) => [tool.name, outputSchema(tool)])),
  };
}
