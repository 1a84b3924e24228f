/**
 * The tools as plain data: all that it takes to list them and to judge access to them. The build runs this module and
 * puts what it gives in its place (scripts/build.mjs), so that a session lists tools without loading their code and
 * without building their schemas. Run from the sources it computes the same.
 * Decision: docs/decisions/mcp.md#the-list-of-tools-is-made-when-the-package-is-built
 */
import type { ListedProfile } from '../../shared/config/choices.ts';
import { type ObjectSchema, outputSchema } from '../tools/tool-schemas.ts';
import { type ListedTool, listed } from './listed-tool.ts';
import { toolsToList } from './profile-tools.ts';

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
