/**
 * What every converter of tool lists takes: Gemini's subset of OpenAPI and OpenAI's of JSON Schema, and of both only what
 * is in the other. Outside of it some clients drop the tool and some the whole list.
 */
const keywords = new Set([
  'type',
  'description',
  'properties',
  'required',
  'items',
  'enum',
  'maximum',
  'maxItems',
  'default',
]);
const types = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);
const propertyName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** What is wrong with a schema, each with the place in it. */
export function subsetFaults(schema: unknown, place = 'the schema'): string[] {
  if (!isObject(schema)) return [`${place} is no object`];
  const { type, properties, required, items, enum: words } = schema;
  const faults = Object.keys(schema)
    .filter((keyword) => !keywords.has(keyword))
    .map((keyword) => `${place} uses ${keyword}, which not all converters take`);
  if (typeof type !== 'string' || !types.has(type)) faults.push(`${place} has no single type`);
  if (words !== undefined && (type !== 'string' || !isListOfTexts(words) || words.length === 0))
    faults.push(`${place} has an enum of something else than texts`);
  if ((type === 'array') !== (items !== undefined))
    faults.push(`${place} is an array without items or has items without`);
  if (items !== undefined) faults.push(...subsetFaults(items, `${place}[]`));
  const inside = Object.entries(isObject(properties) ? properties : {});
  for (const [name, property] of inside) {
    if (!propertyName.test(name))
      faults.push(`${place} has a property with the name ${JSON.stringify(name)}`);
    faults.push(...subsetFaults(property, place === 'the schema' ? name : `${place}.${name}`));
  }
  const missing = (isListOfTexts(required) ? required : []).filter(
    (name) => !inside.some(([known]) => known === name),
  );
  return [...faults, ...missing.map((name) => `${place} requires ${name}, which it does not list`)];
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
