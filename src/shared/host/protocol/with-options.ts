/**
 * Merges the host's own options for a server into those of the plan. What the user or the language table has chosen
 * wins.
 */
import type { Json } from '../../link/server-plan.ts';

type JsonObject = { readonly [key: string]: Json };

export function withOptions(chosen: Json, ours: JsonObject): Json {
  if (Object.keys(ours).length === 0) return chosen;
  if (chosen === null) return ours;
  if (!isObject(chosen)) return chosen;
  const merged: Record<string, Json> = { ...ours, ...chosen };
  for (const [key, value] of Object.entries(ours)) {
    const theirs = chosen[key];
    if (theirs !== undefined && isObject(theirs) && isObject(value)) merged[key] = withOptions(theirs, value);
  }
  return merged;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
