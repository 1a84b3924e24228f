/** The schemas of tools as clients get them: JSON Schema 2020-12 without the parts that only cost tokens. */
import { z } from 'zod';
import type { Tool } from './define-tool.ts';

/** The part of JSON Schema that is used. */
export interface ObjectSchema {
  type: 'object';
  properties: Record<string, { [keyword: string]: string | number | boolean | string[] }>;
  required?: string[];
  additionalProperties?: boolean;
}

/** Whatever does not fit, and whatever is not there, is refused with a better sentence than a client would find. */
export function inputSchema(tool: Tool): ObjectSchema {
  const { type, properties, required } = plain(z.toJSONSchema(tool.input, { io: 'input' }));
  for (const [name, property] of Object.entries(properties)) {
    if (property.unlisted) delete properties[name];
    if (property.maximum === Number.MAX_SAFE_INTEGER) delete property.maximum;
    delete property.minLength;
    delete property.minItems;
    delete property.minimum;
    delete property.propertyNames;
    delete property.additionalProperties;
  }
  return { type, properties, ...(required === undefined ? {} : { required }) };
}

/** What `structuredContent` of the tool's answers looks like; see render/answer.ts for the envelope. */
export function outputSchema(tool: Tool): ObjectSchema {
  const { type, properties, required, additionalProperties } = plain(
    z.toJSONSchema(envelopeOf(tool.output), { io: 'input' }),
  );
  const more = additionalProperties === undefined ? {} : { additionalProperties };
  return { type, properties, ...(required === undefined ? {} : { required }), ...more };
}

/** More keys than these may be there: `details` differ by tool. */
export function envelopeOf(data: z.ZodType): z.ZodObject {
  return z.looseObject({
    status: z.enum(['ok', 'incomplete', 'ambiguous', 'error']),
    data: data.nullable().optional(),
    complete: z.boolean().optional(),
    reason: z.string().optional(),
    retry_after_ms: z.number().optional(),
    fresh: z.boolean().optional(),
    total: z.number().int().optional(),
    truncated: z.boolean().optional(),
    next_cursor: z.string().optional(),
    candidates: z.array(z.looseObject({})).optional(),
    error_code: z.string().optional(),
    recoverable: z.boolean().optional(),
    message: z.string().optional(),
  });
}

function plain(schema: unknown): ObjectSchema {
  return JSON.parse(JSON.stringify(schema));
}
