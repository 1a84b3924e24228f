/** Every tool can be told apart, understood and afforded by a model, and is tested under its name. */
import { dirname } from 'node:path';
import { instructionsFor } from '../src/frontend/mcp/instructions.ts';
import { outputSchema } from '../src/frontend/tools/tool-schemas.ts';
import { NAMED_PROFILES } from '../src/shared/config/choices.ts';
import { subsetFaults } from '../test/support/schema-subset.ts';
import { tokensIn } from '../test/support/tokens.ts';
import { type CheckResult, type Problem, plural, runWhenMain } from './lib/report.ts';
import {
  type JsonSchema,
  loadFacade,
  loadTools,
  registryFile,
  type ToolFacts,
  toolsListJson,
} from './lib/tool-registry.ts';
import { filesBelow, isTestFile, isTypeScript, lineAt, readText } from './lib/tree.ts';

const nameLimit = 24;
/** Longer names that clients already know. */
const fixedNames = new Set(['create_simulation_session', 'get_cross_repo_references']);
const descriptionLimit = 400;
/** What a client puts before every conversation. */
const instructionsLimit = 200;
/** What a façade may cost: about as much as the product whose names it has. */
const FACADES = [
  { profile: 'lsp', budget: 800 },
  { profile: 'lsp6', budget: 1_200 },
  { profile: 'pyright', budget: 2_000 },
] as const;
/** How much more the list may cost for a client that takes data. */
const dataFactor = 2;
const effects = new Set(['read', 'preview', 'write', 'execute', 'expand']);

export async function checkRegistry(root: string): Promise<CheckResult> {
  const tools = await loadTools(root);
  const quoted = quotedInTests(root);
  const problems = tools.flatMap((tool, index) => {
    const faults = faultsOf(tool);
    if (tools.findIndex(({ name }) => name === tool.name) !== index) faults.push('is registered twice');
    if (!quoted.has(tool.name)) faults.push('is named by no test');
    const place = faults.length === 0 ? { file: registryFile } : placeOf(root, tool.name);
    return faults.map((fault): Problem => ({ ...place, message: `${tool.name || '(no name)'} ${fault}` }));
  });
  const facades = await Promise.all(
    FACADES.map(async ({ profile, budget }) => ({ profile, tools: await loadFacade(profile), budget })),
  );
  const profiles = [
    { profile: 'full', tools, budget: 11_500 },
    { profile: 'core', tools: tools.filter(({ isCore }) => isCore), budget: 2_500 },
    ...facades,
  ].map((list) => ({ ...list, tokens: tokensIn(toolsListJson(list.tools)) }));
  const lists = profiles.flatMap((list) => [
    list,
    {
      ...list,
      profile: `${list.profile} with --output json`,
      budget: dataFactor * list.tokens,
      tokens: tokensIn(toolsListJson(list.tools, 'json')),
    },
  ]);
  for (const { profile, tokens, budget } of lists) {
    if (tokens > budget)
      problems.push({
        file: registryFile,
        message: `tools/list of ${profile} needs ${tokens} tokens (budget ${budget})`,
      });
  }
  const instructions = NAMED_PROFILES.map((profile) => ({
    profile,
    tokens: tokensIn(instructionsFor(profile)),
  }));
  for (const { profile, tokens } of instructions) {
    if (tokens >= instructionsLimit)
      problems.push({
        file: 'src/frontend/mcp/instructions.ts',
        message: `the instructions of ${profile} need ${tokens} tokens (fewer than ${instructionsLimit} allowed)`,
      });
  }
  const counts = lists.map(
    ({ profile, tools: listed, tokens, budget }) =>
      `${profile}: ${plural(listed.length, 'tool')}, ${tokens} tokens of ${budget}`,
  );
  const said = instructions.map(({ profile, tokens }) => `${profile} ${tokens}`).join(', ');
  return {
    problems,
    notes: [
      `tools/list in o200k ${counts.join('; ')}`,
      `instructions in o200k ${said}; fewer than ${instructionsLimit} allowed`,
    ],
  };
}

/** Where the tool's literal is, if it is written as usual. */
function placeOf(root: string, name: string): { file: string; line?: number } {
  for (const file of filesBelow(root, dirname(registryFile), isTypeScript)) {
    const text = readText(root, file);
    const offset = text.search(new RegExp(`\\bname: ['"]${name}['"]`));
    if (offset !== -1) return { file, line: lineAt(text, offset) };
  }
  return { file: registryFile };
}

function faultsOf(tool: ToolFacts): string[] {
  const faults: string[] = [];
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(tool.name)) faults.push('is not snake_case');
  if (tool.name.length > nameLimit && !fixedNames.has(tool.name)) {
    faults.push(`has a name of ${tool.name.length} characters (limit ${nameLimit})`);
  }
  if (tool.title === '') faults.push('has no title');
  if (tool.description === '') faults.push('has no description');
  if (tool.description.length > descriptionLimit) {
    faults.push(`has a description of ${tool.description.length} characters (limit ${descriptionLimit})`);
  }
  if (!effects.has(tool.effect))
    faults.push(`has the effect “${tool.effect}”, not one of ${[...effects].join(', ')}`);
  faults.push(...subsetFaults(tool.input).map((fault) => `cannot be listed for every client: ${fault}`));
  faults.push(...subsetFaults(outputSchema(tool.tool)).map((fault) => `cannot list its data: ${fault}`));
  faults.push(...undescribed(tool.input, '').map((field) => `does not describe the field ${field}`));
  return faults;
}

function undescribed(schema: JsonSchema, path: string): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const place = path === '' ? name : `${path}.${name}`;
    return [...(field.description === undefined ? [place] : []), ...undescribed(field, place)];
  });
  const inner = [...(schema.items === undefined ? [] : [schema.items]), ...(schema.anyOf ?? [])];
  return [...own, ...inner.flatMap((part) => undescribed(part, `${path}[]`))];
}

/** Everything that stands in quotes in a test file and could be a tool's name. */
function quotedInTests(root: string): ReadonlySet<string> {
  const texts = filesBelow(root, 'test', isTestFile).map((file) => readText(root, file));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/['"`]([a-z0-9_]+)['"`]/g)].map((match) => match[1] ?? '')),
  );
}

await runWhenMain(import.meta.url, 'registry', checkRegistry);
