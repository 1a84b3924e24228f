/**
 * What a tool is: one object literal with name, texts, effect, input schema and run. Everything else that is known
 * about tools (MCP listing, annotations, command line, reference) is derived from these literals.
 */
import { z } from 'zod';
import { fail } from '../../shared/base/failure.ts';
import type { Answer } from '../render/answer.ts';
import type { ToolContext } from '../tool-context.ts';

/** `read` looks, `preview` computes a change, `write` changes files. */
export type Effect = 'read' | 'preview' | 'write';

export interface ToolLiteral<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  /** The tool changes the session or its servers, though no file. */
  readonly changesSession?: boolean;
  /** The LSP method without which the tool cannot answer. */
  readonly needs?: string;
  readonly input: Input;
  run(input: z.output<Input>, context: ToolContext): Promise<Answer>;
}

export interface Tool extends Omit<ToolLiteral<z.ZodObject>, 'run'> {
  /** Fails with `invalid-input` when the arguments do not fit the schema. */
  check(args: unknown): void;
  /** Checks the arguments of an agent and runs the tool with them. */
  call(args: unknown, context: ToolContext): Promise<Answer>;
}

export function defineTool<Input extends z.ZodObject>(literal: ToolLiteral<Input>): Tool {
  const { run, ...rest } = literal;
  return {
    ...rest,
    check: (args) => void parseInput(literal.input, args),
    call: async (args, context) => run(parseInput(literal.input, args), context),
  };
}

/** The part of JSON Schema that inputs use. */
export interface InputSchema {
  type: 'object';
  properties: Record<string, { [keyword: string]: string | number | boolean | string[] }>;
  required?: string[];
  additionalProperties: boolean;
}

/** The input as JSON Schema 2020-12, without the parts that only cost tokens. */
export function inputSchema(tool: Tool): InputSchema {
  const schema: InputSchema = JSON.parse(JSON.stringify(z.toJSONSchema(tool.input, { io: 'input' })));
  const { type, properties, required, additionalProperties } = schema;
  for (const property of Object.values(properties)) {
    if (property.maximum === Number.MAX_SAFE_INTEGER) delete property.maximum;
    // An empty text is refused with a better sentence than a client would find.
    delete property.minLength;
  }
  return { type, properties, ...(required === undefined ? {} : { required }), additionalProperties };
}

function parseInput<Input extends z.ZodObject>(schema: Input, args: unknown): z.output<Input> {
  const asGiven = schema.safeParse(args ?? {});
  if (asGiven.success) return asGiven.data;
  const given = withNumbersRead(schema, args ?? {});
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const allowed = Object.keys(schema.shape).join(', ') || 'none';
  const issue = result.error.issues[0];
  fail({ kind: 'invalid-input', ...explain(issue, given, allowed) });
}

/** Models and shells often write `"12"` for 12 and `"true"` for true; where only that can be meant it is read so. */
function withNumbersRead(schema: z.ZodObject, args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const read = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    // Some clients send null for what was left out.
    if (value === null || value === undefined) return [];
    const field = schema.shape[name];
    if (typeof value !== 'string' || !(field instanceof z.ZodType) || field.safeParse(value).success)
      return [[name, value]];
    const meant = /^-?\d+(\.\d+)?$/.test(value)
      ? Number(value)
      : value === 'true' || (value === 'false' ? false : value);
    return [[name, meant]];
  });
  return Object.fromEntries(read);
}

function explain(
  issue: z.core.$ZodIssue | undefined,
  args: unknown,
  allowed: string,
): { message: string; next: string } {
  const field = issue?.path.join('.') ?? '';
  const got = JSON.stringify(valueAt(args, issue?.path ?? [])) ?? 'nothing';
  const next = `Parameters are: ${allowed}`;
  switch (issue?.code) {
    case 'unrecognized_keys':
      return { message: `unknown parameter ${issue.keys.map((key) => `"${key}"`).join(', ')}`, next };
    case 'invalid_type':
      if (field === '') return { message: `the arguments must be an object, got ${got}`, next };
      if (got === 'nothing')
        return { message: `${field} is required (${issue.expected})`, next: `Pass ${field}` };
      return { message: `${field} must be of type ${issue.expected}, got ${got}`, next: `Correct ${field}` };
    case 'too_small':
      if (issue.origin === 'string') return { message: `${field} must not be empty`, next: `Pass ${field}` };
      return { message: `${field} must be >= ${issue.minimum}, got ${got}`, next: `Correct ${field}` };
    case 'too_big':
      if (issue.origin === 'array') {
        const value = valueAt(args, issue.path);
        const count = Array.isArray(value) ? value.length : got;
        return {
          message: `${field} must have at most ${issue.maximum} entries, got ${count}`,
          next: `Shorten ${field}`,
        };
      }
      return { message: `${field} must be <= ${issue.maximum}, got ${got}`, next: `Correct ${field}` };
    case 'invalid_value':
      return {
        message: `${field} must be one of ${issue.values.join(', ')}, got ${got}`,
        next: `Correct ${field}`,
      };
    default:
      return { message: `${field || 'input'}: ${issue?.message ?? 'not valid'}, got ${got}`, next };
  }
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  let value = args;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
