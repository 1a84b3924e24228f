/**
 * The schemas of tools as clients get them. Clients hand them on to models, whose converters each take another part of
 * JSON Schema and drop the whole list for one keyword that they do not know; so only what all of them take is written,
 * and nothing that only costs tokens. `npm run check` holds it (scripts/lib/schema-subset.ts).
 */
import { z } from 'zod';
import type { Tool } from './define-tool.ts';

/** The part of JSON Schema that is used. Not an interface: the SDK wants to index it. */
export type ListedSchema = {
  type: string;
  description?: string;
  properties?: Record<string, ListedSchema>;
  required?: string[];
  items?: ListedSchema;
  enum?: string[];
  maximum?: number;
  maxItems?: number;
  default?: string | number | boolean;
};

export type ObjectSchema = ListedSchema & { type: 'object'; properties: Record<string, ListedSchema> };

/** Whatever does not fit, and whatever is not there, is refused with a better sentence than a client would find. */
export function inputSchema(tool: Tool): ObjectSchema {
  return objectOf(plain(z.toJSONSchema(tool.input, { io: 'input' })));
}

/**
 * What `structuredContent` of the tool's answers looks like, in outline: data to its second level, and of the envelope
 * (render/answer.ts) what a program looks at first. Whole schemas would cost four times as much as the tools themselves.
 */
export function outputSchema(tool: Tool): ObjectSchema {
  const root = plain(z.toJSONSchema(tool.output, { io: 'input' }));
  const data = outlined(root, root, LISTED_LEVELS);
  return {
    type: 'object',
    properties: {
      status: { type: 'string', enum: STATUS },
      ...(data ? { data } : {}),
      complete: { type: 'boolean' },
      next_cursor: { type: 'string' },
    },
    required: ['status'],
  };
}

const STATUS = ['ok', 'incomplete', 'ambiguous', 'error'];
const LISTED_LEVELS = 2;

/** What the library writes. */
interface WrittenSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, WrittenSchema>>;
  readonly required?: string[];
  readonly items?: WrittenSchema;
  readonly enum?: unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly WrittenSchema[];
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly default?: string | number | boolean;
  readonly unlisted?: boolean;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, WrittenSchema>>;
}

function objectOf({ properties = {}, required }: WrittenSchema): ObjectSchema {
  const listed = Object.entries(properties).filter(([, property]) => property.unlisted !== true);
  return {
    type: 'object',
    properties: Object.fromEntries(listed.map(([name, property]) => [name, fieldOf(property)])),
    ...(required === undefined ? {} : { required }),
  };
}

/** Of several forms the first is listed; the others are accepted. What may be anything is listed as an object. */
function fieldOf(schema: WrittenSchema): ListedSchema {
  const { description, maximum, maxItems, default: usual, ...meant } = schema;
  const { anyOf: [first] = [] } = meant;
  if (first) return { ...fieldOf(first), ...(description === undefined ? {} : { description }) };
  const {
    type = 'object',
    items,
    const: only,
    enum: words = only === undefined ? undefined : [only],
  } = meant;
  return {
    ...(description === undefined ? {} : { description }),
    ...(type === 'object' && meant.properties ? objectOf(meant) : { type }),
    ...(items ? { items: fieldOf(items) } : {}),
    ...(words ? { enum: words.map(String) } : {}),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(usual === undefined ? {} : { default: usual }),
  };
}

/**
 * Types alone, and names as far down as `levels`. What may be of several types is not named: clients refuse an answer that
 * is not of the type that was listed.
 */
function outlined(schema: WrittenSchema, root: WrittenSchema, levels: number): ListedSchema | undefined {
  if (schema.$ref !== undefined) return outlined(referredTo(schema.$ref, root), root, levels);
  const { type, items, properties } = schema;
  if (type === undefined) return undefined;
  if (type === 'array') {
    const item = outlined(items ?? {}, root, levels - 1);
    return item && { type, items: item };
  }
  if (levels <= 0 || !properties) return { type };
  const inside = Object.entries(properties).flatMap(([name, property]) => {
    const listed = outlined(property, root, levels - 1);
    return listed ? [[name, listed] as const] : [];
  });
  return { type, properties: Object.fromEntries(inside) };
}

function referredTo(reference: string, root: WrittenSchema): WrittenSchema {
  const name = reference.split('/').at(-1) ?? '';
  return (reference === '#' ? undefined : root.$defs?.[name]) ?? root;
}

function plain(schema: unknown): WrittenSchema {
  return JSON.parse(JSON.stringify(schema));
}
