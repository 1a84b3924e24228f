/**
 * The addresses of what can be read without calling a tool. A file is written as in `file:` URIs, absolute; a path
 * that is not inside the roots is also tried below them, because clients fill templates with what they have.
 */
import { existsSync } from 'node:fs';
import type { AbsPath } from '../../shared/base/brand.ts';
import { fail, failureOf } from '../../shared/base/failure.ts';
import { pathToUri } from '../../shared/base/paths.ts';
import type { Roots } from '../workspace/roots.ts';

export type ResourceAddress =
  /** Without a file: all open ones. */
  | { readonly kind: 'diagnostics'; readonly file: AbsPath | undefined }
  | { readonly kind: 'hover' | 'completions'; readonly file: AbsPath; readonly place: AddressedPlace }
  /** Files that changed on disk, after which earlier answers about references are old. */
  | { readonly kind: 'references' }
  /** The servers of the session and their states. */
  | { readonly kind: 'servers' };

export interface AddressedPlace {
  readonly line: number;
  readonly column: number;
  readonly languageId: string | undefined;
}

export function diagnosticsUri(file: AbsPath): string {
  return pathToUri(file).replace(/^file:/, 'lsp-diagnostics:');
}

/** Fails with `invalid-input` for what is no address, and with `outside-roots`. */
export function parseAddress(uri: string, roots: Roots): ResourceAddress {
  const [, kind, path = '', query = ''] = /^lsp-([a-z]+):\/\/([^?#]*)(?:\?([^#]*))?/.exec(uri) ?? [];
  const isWhole = path === '' || path === '/';
  switch (kind) {
    case 'diagnostics':
      return { kind, file: isWhole ? undefined : fileAt(path, uri, roots) };
    case 'hover':
    case 'completions':
      if (isWhole) invalid(uri, `Pass lsp-${kind}:///<file>?line=<line>&column=<column>`);
      return { kind, file: fileAt(path, uri, roots), place: placeIn(query, uri) };
    case 'references':
    case 'servers':
      if (isWhole) return { kind };
  }
  invalid(uri, 'resources/list and resources/templates/list name those that exist');
}

function fileAt(path: string, uri: string, roots: Roots): AbsPath {
  const written = decoded(path, uri);
  const absolute = written.replace(/^\/+(?=[A-Za-z]:[\\/])/, '').replace(/^\/+/, '/');
  try {
    return roots.resolve(absolute);
  } catch (error) {
    const below = absolute.replace(/^\//, '');
    if (failureOf(error)?.kind !== 'outside-roots' || below === '') throw error;
    const file = belowRoots(below, roots);
    if (file === undefined) throw error;
    return file;
  }
}

function belowRoots(path: string, roots: Roots): AbsPath | undefined {
  try {
    const file = roots.resolve(path);
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

function placeIn(query: string, uri: string): AddressedPlace {
  const given = new URLSearchParams(query);
  const whole = (name: string): number => {
    const value = given.get(name) ?? '';
    if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
    invalid(uri, `Add ${name}=<number>, counted from 1`);
  };
  return {
    line: whole('line'),
    column: whole('column'),
    languageId: given.get('language_id') || undefined,
  };
}

function decoded(path: string, uri: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    invalid(uri, 'Write % as %25');
  }
}

function invalid(uri: string, next: string): never {
  fail({ kind: 'invalid-input', message: `${uri} is not the address of a resource`, next });
}
