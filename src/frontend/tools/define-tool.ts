/**
 * What a tool is: one object literal with name, texts, effect, input schema and run. Everything else that is known
 * about tools (MCP listing, annotations, command line, reference) is derived from these literals.
 */
import { z } from 'zod';
import { fail } from '../../shared/base/failure.ts';
import { isObject } from '../../shared/base/unknown-value.ts';
import type { BeyondEffect, Effect, Reaching } from '../access/effect.ts';
import type { Outcome } from '../render/answer.ts';
import type { ToolContext } from './context.ts';
import type { Face } from './face.ts';
import { parameterMeant, withListedNames } from './other-names.ts';

/**
 * What a tool does, and how its user is asked. One that writes can show what it would write and asks right before it does
 * (`hasPreview`), or is asked for as a whole. One that runs programs or reaches beyond the roots gets an agreed plan from
 * `permission.consentTo` when it knows what exactly; one that does so for some arguments only says so in `beyond`.
 */
type Manner =
  | {
      readonly effect: 'read' | 'preview';
      readonly beyond?: BeyondEffect;
      readonly changesSession?: boolean;
      readonly hasPreview?: never;
      /** Its user is asked for it unless a rule says otherwise. */
      readonly asksFirst?: boolean;
    }
  | {
      readonly effect: 'write';
      readonly hasPreview?: true;
      readonly beyond?: never;
      readonly changesSession?: never;
      readonly asksFirst?: never;
    }
  | {
      readonly effect: Reaching;
      readonly hasPreview?: never;
      readonly beyond?: never;
      readonly changesSession?: never;
      readonly asksFirst?: never;
    };

/** Schemas are functions, because most sessions use few of the tools and building all of them delays the first call. */
export type ToolLiteral<Input extends z.ZodObject, Output extends z.ZodType> = Manner & {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The tool changes the session where the user allows those actions of it (`lsp.tool.allowMutatingActions`). */
  readonly changesIfAllowed?: boolean;
  /** The tool concerns others than this session: subagents do not get it. */
  readonly isPrivileged?: boolean;
  /** Among the few tools of `--tools core`. */
  readonly isCore?: boolean;
  /** Only for tools of façades: how their answers are worded. */
  readonly face?: Face;
  /** The LSP method without which the tool cannot answer. */
  readonly needs?: string;
  /** The LSP method by which it answers, less well and saying so, where the server lacks the one it needs. */
  readonly fallback?: string;
  input(): Input;
  /** The one shape of an answer's data. */
  output(): Output;
  /** How long a call may take if not as long as others. */
  limitMs?(input: z.output<Input>): number;
  run(input: z.output<Input>, context: ToolContext): Promise<Outcome<z.input<Output>>>;
};

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly beyond: BeyondEffect | undefined;
  /** The tool changes the session or its servers, though no file. */
  readonly changesSession: boolean;
  readonly changesIfAllowed: boolean;
  readonly hasPreview: boolean;
  readonly isPrivileged: boolean;
  readonly asksFirst: boolean;
  readonly isCore: boolean;
  readonly face: Face | undefined;
  readonly needs: string | undefined;
  readonly fallback: string | undefined;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /** The arguments of an agent, checked; fails with `invalid-input` when they do not fit the schema. */
  prepare(args: unknown): PreparedCall;
}

/** A call whose arguments are known to be right. */
export interface PreparedCall {
  /** Undefined when the usual limit holds. */
  readonly limitMs: number | undefined;
  run(context: ToolContext): Promise<Outcome<unknown>>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodType>(
  literal: ToolLiteral<Input, Output>,
): Tool {
  const { name, title, description, effect, beyond, face, needs, fallback } = literal;
  const { changesSession = false, changesIfAllowed = false, hasPreview = false } = literal;
  const { isPrivileged = false, asksFirst = false, isCore = false } = literal;
  let input: Input | undefined;
  const inputOnce = () => {
    input ??= literal.input();
    return input;
  };
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
    face,
    needs,
    fallback,
    get input() {
      return inputOnce();
    },
    get output() {
      return literal.output();
    },
    prepare: (args) => {
      const parsed = parseInput(inputOnce(), args);
      return {
        // Asked for when the call runs: a tool that is only listed has no configuration to take it from.
        get limitMs() {
          return literal.limitMs?.(parsed);
        },
        run: (context) => literal.run(parsed, context),
      };
    },
  };
}

function parseInput<Input extends z.ZodObject>(schema: Input, args: unknown): z.output<Input> {
  const asGiven = schema.safeParse(args ?? {});
  if (asGiven.success) return asGiven.data;
  const named = isObject(args) ? withListedNames(args, (name) => name in schema.shape) : args;
  const given = withNumbersRead(schema, named ?? {});
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const allowed = Object.keys(schema.shape);
  const { issues } = result.error;
  // A parameter that is missing is often there under a slip of its name.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  fail({ kind: 'invalid-input', ...explain(issue, given, allowed) });
}

/** Models and shells often write `"12"` for 12, `"true"` for true and one item for a list of it; where only that can be meant it is read so. */
function withNumbersRead(schema: z.ZodObject, args: unknown): unknown {
  if (!isObject(args)) return args;
  const read = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    // Some clients send null for what was left out.
    if (value === null || value === undefined) return [];
    const field = schema.shape[name];
    if (typeof value !== 'string' || !(field instanceof z.ZodType) || takesText(field, value))
      return [[name, value]];
    const list = [listIn(value), [value]].find((meant) => field.safeParse(meant).success);
    if (list) return [[name, list]];
    const meant = /^-?\d+(\.\d+)?$/.test(value)
      ? Number(value)
      : value === 'true' || (value === 'false' ? false : value);
    return [[name, meant]];
  });
  return Object.fromEntries(read);
}

/** Also a text of the wrong form, such as a version, is meant as a text. */
function takesText(field: z.ZodType, value: string): boolean {
  const { success, error } = field.safeParse(value);
  return success || error.issues[0]?.code === 'invalid_format';
}

function listIn(text: string): unknown {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function explain(
  issue: z.core.$ZodIssue | undefined,
  args: unknown,
  allowed: readonly string[],
): { message: string; next: string } {
  const field = fieldName(issue?.path ?? []);
  const got = JSON.stringify(valueAt(args, issue?.path ?? [])) ?? 'nothing';
  const next = `Parameters are: ${allowed.join(', ') || 'none'}`;
  switch (issue?.code) {
    case 'unrecognized_keys':
      return {
        message: `unknown parameter ${issue.keys.map((key) => `"${key}"${parameterMeant(key, allowed)}`).join(', ')}`,
        next,
      };
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

/** `changes[1].type`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    return name === '' ? String(key) : `${name}.${String(key)}`;
  }, '');
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  let value = args;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
