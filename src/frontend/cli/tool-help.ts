/** `agent-lsp call <tool> --help`: what the tool does and the parameters that its schema has. */
import yargs, { type Options } from 'yargs';
import { toolNamed } from '../features/registry.ts';
import type { Tool } from '../tools/define-tool.ts';
import { inputSchema, type ObjectSchema } from '../tools/tool-schemas.ts';

/** The tool that the user wants to be told about, if these are the words of such a question. */
export function toolInQuestion([command, ...words]: readonly string[]): Tool | undefined {
  const wantsHelp = words.includes('--help') || words.includes('-h');
  const name = words.find((word) => !word.startsWith('-'));
  return command === 'call' && wantsHelp && name !== undefined ? toolNamed(name) : undefined;
}

export function toolHelp(tool: Tool): Promise<string> {
  const { properties, required = [] } = inputSchema(tool);
  const parser = yargs([])
    .usage(`agent-lsp call ${tool.name} [--parameter value...]\n\n${tool.description}`)
    .updateStrings({ 'Options:': 'Parameters:' })
    .epilogue(`They can also be one JSON object: agent-lsp call ${tool.name} '{...}'`)
    .help(false)
    .version(false)
    .wrap(100);
  for (const [name, field] of Object.entries(properties))
    parser.option(name, { ...described(field), demandOption: required.includes(name) });
  return parser.getHelp();
}

function described(field: ObjectSchema['properties'][string]): Options {
  const describe = String(field.description ?? '');
  if (Array.isArray(field.enum)) return { describe, choices: field.enum };
  switch (field.type) {
    case 'boolean':
      return { describe, type: 'boolean' };
    case 'integer':
    case 'number':
      return { describe, type: 'number' };
    case 'array':
      return { describe, type: 'array' };
    case 'string':
      return { describe, type: 'string' };
    default:
      return { describe: `${describe} (JSON)`.trimStart() };
  }
}
