/**
 * The declarations of the tools for programs that import the package: arguments and data of each, made from the schemas
 * of the registry, so that they cannot say anything else than the tools do.
 */
import { z } from 'zod';
import { tools } from '../../src/frontend/features/registry.ts';
import type { Tool } from '../../src/frontend/tools/define-tool.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** `export interface ToolTypes`, with a type for each shape that refers to itself. */
export function toolTypes(): string {
  const shapes: string[] = [];
  const entries = tools.map((tool) => {
    const input = typeOf(schemaOf(tool.input), { name: typeName(tool, 'Input'), shapes, depth: 2 });
    const data = typeOf(schemaOf(tool.output), { name: typeName(tool, 'Data'), shapes, depth: 2 });
    return `${comment(tool.description, 1)}  ${tool.name}: {\n    input: ${input};\n    data: ${data};\n  };\n`;
  });
  return `${shapes.join('')}export interface ToolTypes {\n${entries.join('')}}\n`;
}

function schemaOf(schema: z.ZodType): Schema {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' })));
}

interface Place {
  /** What shapes that refer to themselves are named after. */
  readonly name: string;
  readonly shapes: string[];
  readonly depth: number;
}

function typeOf(schema: Schema, place: Place): string {
  for (const [name, shape] of Object.entries(schema.$defs ?? {}))
    place.shapes.push(`type ${shapeName(name, place)} = ${typeOf(shape, { ...place, depth: 0 })};\n`);
  if (schema.$ref === '#') {
    throw new Error(`${place.name} refers to itself as a whole: give the shape a name`);
  }
  if (schema.$ref !== undefined) return shapeName(schema.$ref.split('/').at(-1) ?? '', place);
  if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => typeOf(each, place)))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return arrayOf(schema.items ? typeOf(schema.items, place) : 'unknown');
    case 'object':
      return objectType(schema, place);
    default:
      return 'unknown';
  }
}

function arrayOf(item: string): string {
  return `readonly ${/^\w+$/.test(item) ? item : `(${item})`}[]`;
}

function objectType({ properties, required = [], additionalProperties }: Schema, place: Place): string {
  if (!properties || Object.keys(properties).length === 0) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, place) : undefined;
    return `Readonly<Record<string, ${values ?? (additionalProperties === false ? 'never' : 'unknown')}>>`;
  }
  const inside = { ...place, depth: place.depth + 1 };
  const fields = Object.entries(properties).map(([name, field]) => {
    const isOptional = !required.includes(name);
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const orMissing = isOptional ? ' | undefined' : '';
    return `${comment(field.description, inside.depth)}${indent(inside.depth)}readonly ${key}${isOptional ? '?' : ''}: ${typeOf(field, inside)}${orMissing};\n`;
  });
  return `{\n${fields.join('')}${indent(place.depth)}}`;
}

function typeName({ name }: Tool, what: string): string {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}${what}`;
}

function shapeName(name: string, place: Place): string {
  return `${place.name}${name.replace(/\W|__schema/g, '')}`;
}

function comment(text: string | undefined, depth: number): string {
  return text === undefined ? '' : `${indent(depth)}/** ${text.replaceAll('*/', '*\\/')} */\n`;
}

function indent(depth: number): string {
  return '  '.repeat(depth);
}
