/**
 * Merges the host's own options for a server into those of the plan. What the user or the language table has chosen
 * wins.
 */
import { isObject } from '../../base/unknown-value.ts';
import type { Json, JsonObject } from '../../link/server-plan.ts';

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
