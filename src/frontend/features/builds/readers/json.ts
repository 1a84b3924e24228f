/** JSON that a program printed or wrote, read without trusting its shape. */
import { readFileSync, statSync } from 'node:fs';
import { isObject } from '../../../../shared/base/unknown-value.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Reports beyond this are not read: they would take more memory than the answer is worth. */
const MAX_REPORT = 64 * 1024 * 1024;

export function parsedObject(text: string): JsonRecord | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function records(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The text of a report; undefined when it was not written, e.g. because the run was stopped. */
export function reportText(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return statSync(file).size <= MAX_REPORT ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
