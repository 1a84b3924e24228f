/** Reads one configuration file. Every complaint is one line that says where it is and what would be right. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ParseError, parse as parseJsonc, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, type TomlError } from 'smol-toml';
import type { z } from 'zod';
import type { AbsPath } from '../base/brand.ts';
import { FailureError, fail, messageOf, systemCode } from '../base/failure.ts';
import { suggestion } from '../base/near-names.ts';
import { fieldOf } from '../base/unknown-value.ts';
import { allowedKeys, type FileSection, fileSchema } from './schema.ts';

export async function readConfigFile(file: AbsPath): Promise<FileSection> {
  const text = await readText(file);
  const value = path.extname(file).toLowerCase() === '.toml' ? fromToml(file, text) : fromJson(file, text);
  const parsed = fileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return refuse(issue ? complaint(file, value, issue) : `${file}: not a configuration`);
}

function refuse(message: string, cause?: unknown): never {
  fail({ kind: 'invalid-input', message, next: 'Correct the configuration file.' }, { cause });
}

async function readText(file: AbsPath): Promise<string> {
  try {
    const text = await readFile(file, 'utf8');
    return text.replace(/^\uFEFF/, '');
  } catch (error) {
    if (systemCode(error) === 'ENOENT')
      throw new FailureError({ kind: 'no-such-file', path: file }, { cause: error });
    return refuse(`${file}: cannot be read: ${messageOf(error)}`, error);
  }
}

function fromJson(file: string, text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (!first) return value;
  const before = text.slice(0, first.offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  const what = printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return refuse(`${file}:${before.length}:${column}: not valid JSON: ${what}`);
}

function fromToml(file: string, text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    if (!isTomlError(error)) throw error;
    const reason = error.message.split('\n', 1)[0]?.replace(/^Invalid TOML document: /, '');
    return refuse(`${file}:${error.line}:${error.column}: not valid TOML: ${reason}`, error);
  }
}

/** By what it has: the package is loaded with the first call of it, and nothing else of it is at hand. */
function isTomlError(error: unknown): error is TomlError {
  return error instanceof Error && 'codeblock' in error;
}

function complaint(file: string, value: unknown, issue: z.core.$ZodIssue): string {
  const at = issue.path.length === 0 ? file : `${file}: ${placeOf(issue.path)}`;
  switch (issue.code) {
    case 'unrecognized_keys': {
      const key = issue.keys[0] ?? '';
      return `${at}: unknown key "${key}"${suggestion(key, allowedKeys(issue.path))}`;
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      return `${at}: ${JSON.stringify(valueAt(value, issue.path))} is not allowed${suggestion('', values)}`;
    }
    default:
      return `${at}: ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
  }
}

function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>(fieldOf, value);
}

/** `servers[0].command` */
function placeOf(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}
