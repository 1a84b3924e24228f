/** The few operations on plain JSON that plans are made with. */
import { isObject } from '../base/unknown-value.ts';
import type { Json, JsonObject } from '../link/server-plan.ts';

/** Objects are merged key by key; anything else of `over` replaces what was there. */
export function mergeJson(base: Json, over: Json): Json {
  return isObject(base) && isObject(over) ? mergeObjects(base, over) : over;
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
    return isObject(wrapped) ? mergeObjects(nested, wrapped) : nested;
  }, {});
}

/** JSON with sorted keys and without spaces: equal values give equal text. */
export function canonicalJson(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${entries.join(',')}}`;
}

function isJsonArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
