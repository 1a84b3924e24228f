/**
 * The servers a user has named, from all layers, laid over the language table: known languages get another server
 * or other settings, unknown ones become rows of their own.
 */
import path from 'node:path';
import { fail } from '../base/failure.ts';
import type { LanguageFamily, ServerOverride, Settings } from '../languages/family.ts';
import { canonicalJson, mergeJson, mergeObjects, nestSections } from '../languages/json.ts';
import { languageById, languageOfFile } from '../languages/lookup.ts';
import type { Json } from '../link/server-plan.ts';
import type { DaemonMode } from './choices.ts';

/** One entry as the user wrote it, with paths made absolute. */
export interface ServerEntry {
  readonly languageId?: string | undefined;
  readonly extensions: readonly string[];
  readonly command?: readonly [string, ...string[]] | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly settings: Settings;
  readonly initializationOptions?: Json | undefined;
  readonly rootMarkers?: readonly string[] | undefined;
  readonly daemon?: DaemonMode | undefined;
  readonly disabled?: boolean | undefined;
  /** File and place, or the command line. */
  readonly origin: string;
}

export interface ConfiguredLanguages {
  /** The table with the user's rows and extensions in it. */
  readonly languages: readonly LanguageFamily[];
  readonly overrides: ReadonlyMap<string, ServerOverride>;
  /** Ids of the families that the user has named, in order. */
  readonly configured: readonly string[];
}

/** `layers` go from weak to strong: a stronger one wins field by field. */
export function applyServerEntries(
  layers: readonly (readonly ServerEntry[])[],
  table: readonly LanguageFamily[],
): ConfiguredLanguages {
  const byFamily = new Map<string, ServerEntry>();
  for (const layer of layers) {
    for (const [id, entry] of familiesOfLayer(layer, table)) {
      const weaker = byFamily.get(id);
      byFamily.set(id, weaker ? merged(weaker, entry) : entry);
    }
  }
  // Most users configure none.
  if (byFamily.size === 0) return { languages: table, overrides: new Map(), configured: [] };
  const claims = claimedNames(byFamily, table);
  const known = table.map((family) => withClaims(family, byFamily.get(family.id), claims));
  const added = [...byFamily]
    .filter(([id]) => !table.some((family) => family.id === id))
    .map(([id, entry]) => newFamily(id, entry, claims, table));
  return {
    languages: [...added, ...known],
    overrides: new Map([...byFamily].map(([id, entry]) => [id, overrideOf(entry)])),
    configured: [...byFamily.keys()],
  };
}

function familiesOfLayer(
  layer: readonly ServerEntry[],
  table: readonly LanguageFamily[],
): Map<string, ServerEntry> {
  const result = new Map<string, ServerEntry>();
  for (const entry of layer) {
    const languageId = languageIdOf(entry, table);
    const id = languageById(languageId, table)?.family.id ?? languageId;
    const first = result.get(id);
    if (!first) result.set(id, { ...entry, languageId });
    else if (agree(first, entry)) result.set(id, merged(first, entry));
    // A second server for a part of a family, such as JavaScript beside TypeScript, makes that part a family.
    else if (languageId !== id && !result.has(languageId)) result.set(languageId, { ...entry, languageId });
    else refuse(`${entry.origin}: ${languageId} already has a server (${first.origin})`);
  }
  return result;
}

function languageIdOf(entry: ServerEntry, table: readonly LanguageFamily[]): string {
  if (entry.languageId !== undefined) return entry.languageId;
  const [extension] = entry.extensions;
  if (extension === undefined) return refuse(`${entry.origin}: needs "extensions" or "language_id"`);
  return (
    (languageOfFile(extension, table) ?? languageOfFile(`x.${extension}`, table))?.languageId ?? extension
  );
}

/** An entry without a command only adds settings to whatever server there is. */
function agree(a: ServerEntry, b: ServerEntry): boolean {
  return !a.command || !b.command || canonicalJson(a.command) === canonicalJson(b.command);
}

function merged(weaker: ServerEntry, stronger: ServerEntry): ServerEntry {
  const options = [weaker.initializationOptions, stronger.initializationOptions].filter(
    (value) => value !== undefined,
  );
  return {
    languageId: weaker.languageId ?? stronger.languageId,
    extensions: [...new Set([...stronger.extensions, ...weaker.extensions])],
    command: stronger.command ?? weaker.command,
    env: { ...weaker.env, ...stronger.env },
    settings: mergeObjects(nestSections(weaker.settings), nestSections(stronger.settings)),
    initializationOptions: options.length === 0 ? undefined : options.reduce(mergeJson),
    rootMarkers: stronger.rootMarkers ?? weaker.rootMarkers,
    daemon: stronger.daemon ?? weaker.daemon,
    disabled: stronger.disabled ?? weaker.disabled,
    origin: stronger.command || !weaker.command ? stronger.origin : weaker.origin,
  };
}

/** Extension or file name to the family that claims it by configuration; the first entry wins. */
function claimedNames(
  byFamily: ReadonlyMap<string, ServerEntry>,
  table: readonly LanguageFamily[],
): ReadonlyMap<string, { readonly id: string; readonly languageId: string }> {
  const claims = new Map<string, { readonly id: string; readonly languageId: string }>();
  for (const [id, entry] of byFamily) {
    const family = table.find((candidate) => candidate.id === id);
    for (const name of entry.extensions) {
      const native = family && (languageOfFile(name, [family]) ?? languageOfFile(`x.${name}`, [family]));
      const languageId = native?.languageId ?? entry.languageId ?? id;
      if (!claims.has(name)) claims.set(name, { id, languageId });
    }
  }
  return claims;
}

type Claims = ReturnType<typeof claimedNames>;

function withClaims(family: LanguageFamily, entry: ServerEntry | undefined, claims: Claims): LanguageFamily {
  const kept = (names: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(names).filter(([name]) => (claims.get(name)?.id ?? family.id) === family.id),
    );
  const own = namesClaimedBy(family.id, claims);
  return {
    ...family,
    extensions: { ...kept(family.extensions), ...own.extensions },
    fileNames: { ...kept(family.fileNames), ...own.fileNames },
    ...(entry?.rootMarkers && onlyMarkers(entry.rootMarkers)),
  };
}

/** A language nobody knew, or a part of a known family that gets a server of its own. */
function newFamily(
  id: string,
  entry: ServerEntry,
  claims: Claims,
  table: readonly LanguageFamily[],
): LanguageFamily {
  const [command] = entry.command ?? refuse(`${entry.origin}: ${id} is a new language and needs "command"`);
  if (entry.extensions.length === 0)
    refuse(`${entry.origin}: ${id} is a new language and needs "extensions"`);
  const parent = languageById(id, table)?.family;
  return {
    daemonPolicy: 'auto-direct',
    servers: [],
    install: `install ${path.basename(command)} and put it on PATH`,
    ...(parent ?? onlyMarkers(['.git'])),
    ...(entry.rootMarkers && onlyMarkers(entry.rootMarkers)),
    id,
    aliases: [],
    ...namesClaimedBy(id, claims),
  };
}

/** What could be the whole name of a file, such as `Justfile` or `rules.mk`, is taken as one, too. */
function namesClaimedBy(
  id: string,
  claims: Claims,
): Required<Pick<LanguageFamily, 'extensions' | 'fileNames'>> {
  const own = [...claims]
    .filter(([, claim]) => claim.id === id)
    .map(([name, claim]) => [name, claim.languageId] as const);
  return {
    extensions: Object.fromEntries(own),
    fileNames: Object.fromEntries(own.filter(([name]) => /[A-Z.]/.test(name))),
  };
}

/** The user's markers are all there is: no rule of the table may overrule them. */
function onlyMarkers(
  rootMarkers: readonly string[],
): Pick<LanguageFamily, 'rootMarkers' | 'workspaceMarkers' | 'fallbackMarkers' | 'workspaceRule'> {
  return { rootMarkers, workspaceMarkers: [], fallbackMarkers: [], workspaceRule: undefined };
}

function overrideOf({
  command,
  env,
  settings,
  initializationOptions,
  daemon,
  disabled,
  origin,
}: ServerEntry): ServerOverride {
  return { command, env, settings, initializationOptions, daemon, disabled, origin };
}

function refuse(message: string): never {
  fail({ kind: 'invalid-input', message, next: 'Correct the configuration.' });
}
