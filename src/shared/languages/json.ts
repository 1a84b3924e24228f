/** The few operations on plain JSON that plans are made with. */
import type { Json } from '../link/server-plan.ts';

export type JsonObject = { readonly [key: string]: Json };

/** Objects are merged key by key; anything else of `over` replaces what was there. */
export function mergeJson(base: Json, over: Json): Json {
  return isJsonObject(base) && isJsonObject(over) ? mergeObjects(base, over) : over;
}

export function mergeObjects(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    merged[key] = before === undefined ? value : mergeJson(before, value);
  }
  return merged;
}

/**
 * `{"a.b": 1}` as `{a: {b: 1}}`. Only at the top: below it, dots belong to the names,
 * as in gopls' `ui.completion.usePlaceholders`.
 */
export function nestSections(settings: JsonObject): JsonObject {
  return Object.entries(settings).reduce<JsonObject>((nested, [section, value]) => {
    const wrapped = section.split('.').reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
    return isJsonObject(wrapped) ? mergeObjects(nested, wrapped) : nested;
  }, {});
}

/** JSON with sorted keys and without spaces: equal values give equal text. */
export function canonicalJson(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${entries.join(',')}}`;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isJsonArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
