/**
 * The tool registry as the checks and the documentation see it: plain facts per tool, with the input as
 * JSON schema, which is also what a client gets.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { includedTools } from '../../src/frontend/extensions/included-extensions.ts';
import { listed } from '../../src/frontend/features/listed-tool.ts';
import { toolsToList } from '../../src/frontend/features/profile-tools.ts';
import { listing } from '../../src/frontend/mcp/tool-list.ts';
import type { Tool } from '../../src/frontend/tools/define-tool.ts';
import { inputSchema, outputSchema } from '../../src/frontend/tools/tool-schemas.ts';
import type { FacadeProfile, OutputFormat } from '../../src/shared/config/choices.ts';

export const registryFile = 'src/frontend/features/registry.ts';

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
}

export interface ToolFacts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: string;
  readonly changesSession: boolean;
  readonly isCore: boolean;
  readonly tool: Tool;
  readonly input: JsonSchema;
}

/** All tools that the registry of this tree exports, in its order; for our own tree then those of the extensions in it. */
export async function loadTools(root: string): Promise<ToolFacts[]> {
  const path = join(root, registryFile);
  if (!existsSync(path)) throw new Error(`${registryFile} is not there`);
  const module: Record<string, unknown> = await import(pathToFileURL(path).href);
  const lists = Object.values(module).filter((value) => Array.isArray(value));
  const tools = lists.find((list) => list.length > 0 && list.every(isTool));
  if (tools === undefined) throw new Error(`${registryFile} exports no array of tools`);
  const own = tools.filter(isTool);
  const isOurTree = resolve(root) === resolve(import.meta.dirname, '../..');
  return [...own, ...(isOurTree ? includedTools(own) : [])].map(factsOf);
}

/** The tools of a façade of this program. */
export async function loadFacade(profile: FacadeProfile): Promise<ToolFacts[]> {
  return (await toolsToList(profile)).map(factsOf);
}

function factsOf(tool: Tool): ToolFacts {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    effect: tool.effect,
    changesSession: tool.changesSession,
    isCore: tool.isCore,
    tool,
    // The library's type allows `true` and `false` for a schema, which it does not produce.
    input: inputSchema(tool) as JsonSchema,
  };
}

/** What `tools/list` sends for these tools. */
export function toolsListJson(tools: readonly ToolFacts[], output: OutputFormat = 'text'): string {
  const schemas =
    output === 'text' ? {} : Object.fromEntries(tools.map(({ name, tool }) => [name, outputSchema(tool)]));
  return JSON.stringify({
    tools: tools.map(({ tool }) => listing(listed(tool), { schemas })),
  });
}

function isTool(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null || !('prepare' in value) || !('input' in value))
    return false;
  return typeof value.prepare === 'function' && value.input instanceof z.ZodObject;
}
