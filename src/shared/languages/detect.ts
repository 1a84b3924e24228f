/** What languages a workspace is written in, and which servers for them are on this machine. */
import { readdir } from 'node:fs/promises';
import type { AbsPath } from '../base/brand.ts';
import { DirectoryWalk } from '../base/directory-walk.ts';
import { FailureError, fail, systemCode } from '../base/failure.ts';
import { absolutePath } from '../base/paths.ts';
import type { Environment } from './environment.ts';
import type { LanguageFamily, ServerOverride } from './family.ts';
import { type FoundServer, findServer } from './find-server.ts';
import { languageOfFile } from './lookup.ts';
import { matchesMarker } from './roots.ts';

export interface DetectRequest {
  readonly directory: AbsPath;
  readonly families: readonly LanguageFamily[];
  readonly overrides: ReadonlyMap<string, ServerOverride>;
  readonly environment: Environment;
  /** With more entries than that no further directory is read. */
  readonly entryLimit?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface DetectedLanguage {
  readonly family: LanguageFamily;
  /** 50 for each project file, 1 for each source file. */
  readonly score: number;
  readonly sourceFiles: number;
  readonly projectFiles: number;
  /** Its source files, unless there are many. */
  readonly files: readonly AbsPath[] | undefined;
}

export interface InstalledServer {
  readonly language: string;
  readonly server: string;
  /** The executable, or the script that Node runs. */
  readonly path: AbsPath;
  /** Usable as a command-line argument: `lang:binary[,args]`. */
  readonly configEntry: string;
  /** Where it was found: in the project, on PATH, ... */
  readonly place: FoundServer['place'];
}

export interface MissingServer {
  readonly language: string;
  readonly server: string;
  readonly install: string;
}

export interface Detection {
  readonly directory: AbsPath;
  /** Highest score first, then by name. */
  readonly languages: readonly DetectedLanguage[];
  readonly installed: readonly InstalledServer[];
  /** Entries for the command line, one per server. */
  readonly suggestedConfig: readonly string[];
  readonly notInstalled: readonly MissingServer[];
  /** Languages that the user has switched off. */
  readonly disabled: readonly string[];
  readonly entriesSeen: number;
  /** True when the walk ended at its limit: scores are then lower bounds. */
  readonly cut: boolean;
  /** Directories that could not be read. */
  readonly unreadable: readonly string[];
}

const DEFAULT_ENTRY_LIMIT = 50_000;
/** Of a language with more files than that, their names are not kept. */
const MOST_KEPT = 100;

export async function detectServers(request: DetectRequest): Promise<Detection> {
  const { directory, families, overrides, environment } = request;
  const tally = await countFiles(request);
  const languages = families
    .map((family) => scoreOf(family, families, tally))
    .filter((language) => language.score > 0)
    .sort((a, b) => b.score - a.score || a.family.id.localeCompare(b.family.id));

  const installed: InstalledServer[] = [];
  const notInstalled: MissingServer[] = [];
  const disabled = languages.filter(({ family }) => overrides.get(family.id)?.disabled);
  for (const { family } of languages.filter((language) => !disabled.includes(language))) {
    const found = findServer(family, { root: directory, environment }, overrides.get(family.id));
    if (found) installed.push(describe(family, found));
    else
      notInstalled.push({
        language: family.id,
        server: expectedCommand(family, overrides),
        install: family.install,
      });
  }
  const firstByServer = new Map(
    installed.toReversed().map((server) => [`${server.server}\0${server.path}`, server]),
  );
  return {
    directory,
    languages,
    installed,
    suggestedConfig: installed
      .filter((server) => firstByServer.get(`${server.server}\0${server.path}`) === server)
      .map((server) => server.configEntry),
    notInstalled,
    disabled: disabled.map(({ family }) => family.id),
    entriesSeen: tally.entriesSeen,
    cut: tally.cut,
    unreadable: tally.unreadable,
  };
}

/** Directories that hold what others wrote or what is made from the sources. */
export function isSkippedDirectory(name: string): boolean {
  return name.startsWith('.') || isMadeDirectory(name);
}

/** Those of them that are not hidden. */
export function isMadeDirectory(name: string): boolean {
  return MADE.has(name);
}

const MADE: ReadonlySet<string> = new Set([
  'node_modules',
  'target',
  'build',
  'dist',
  'vendor',
  '__pycache__',
  'venv',
]);

interface Tally {
  /** By family id. */
  readonly sources: Map<string, number>;
  /** The first of them. */
  readonly files: Map<string, AbsPath[]>;
  /** How often each name occurs, of files and directories. */
  readonly markers: Map<string, number>;
  readonly entriesSeen: number;
  readonly cut: boolean;
  readonly unreadable: readonly string[];
}

async function countFiles(request: DetectRequest): Promise<Tally> {
  const { directory, families, signal, entryLimit = DEFAULT_ENTRY_LIMIT } = request;
  const tally = {
    sources: new Map<string, number>(),
    files: new Map<string, AbsPath[]>(),
    markers: new Map<string, number>(),
    entriesSeen: 0,
  };
  await mustBeReadable(directory);
  const walk = new DirectoryWalk(directory, {
    enters: (name) => !isSkippedDirectory(name),
    mostEntries: entryLimit,
  });
  for await (const { inside, entries } of walk) {
    if (signal?.aborted) fail({ kind: 'cancelled' });
    tally.entriesSeen += entries.length;
    for (const entry of entries) {
      add(tally.markers, entry.name);
      const language = entry.isDirectory() ? undefined : languageOfFile(entry.name, families);
      if (language) {
        add(tally.sources, language.family.id);
        keep(tally.files, language.family.id, `${inside}${entry.name}` as AbsPath);
      }
    }
  }
  return { ...tally, cut: walk.isCut, unreadable: walk.forbidden };
}

/** The walk takes what it cannot read for empty; of the directory that the agent named that would be no answer. */
async function mustBeReadable(directory: string): Promise<void> {
  try {
    await readdir(directory);
  } catch (error) {
    const failure =
      systemCode(error) === 'ENOENT'
        ? ({ kind: 'no-such-file', path: directory } as const)
        : ({
            kind: 'invalid-input',
            message: `${directory} is not a readable directory`,
            next: 'Give the directory of a workspace.',
          } as const);
    throw new FailureError(failure, { cause: error });
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function keep(files: Map<string, AbsPath[]>, key: string, file: AbsPath): void {
  const kept = files.get(key) ?? [];
  if (kept.length < MOST_KEPT) kept.push(file);
  files.set(key, kept);
}

/** A marker that several families share counts, without source files of theirs, only for the first of them. */
function scoreOf(
  family: LanguageFamily,
  families: readonly LanguageFamily[],
  tally: Tally,
): DetectedLanguage {
  const sourceFiles = tally.sources.get(family.id) ?? 0;
  const { fallbackMarkers = [] } = family;
  // A Makefile or a tox.ini says where a project is, not that there is one: most stand in projects of other languages.
  const counted = markersOf(family).filter(
    (marker) =>
      sourceFiles > 0 ||
      ((tally.cut || !fallbackMarkers.includes(marker)) &&
        families.find((other) => markersOf(other).includes(marker)) === family),
  );
  const projectFiles = counted.reduce((sum, marker) => sum + occurrences(marker, tally), 0);
  const kept = tally.files.get(family.id) ?? [];
  const files = tally.cut || kept.length < sourceFiles ? undefined : kept;
  return { family, score: 50 * projectFiles + sourceFiles, sourceFiles, projectFiles, files };
}

function markersOf(family: LanguageFamily): readonly string[] {
  const workspace = (family.workspaceMarkers ?? []).map((marker) => marker.name);
  const all = [...family.rootMarkers, ...workspace, ...(family.fallbackMarkers ?? [])];
  return [...new Set(all)].filter((marker) => marker !== '.git');
}

function occurrences(marker: string, tally: Tally): number {
  let count = 0;
  for (const [name, times] of tally.markers) if (matchesMarker(name, marker)) count += times;
  return count;
}

function describe(family: LanguageFamily, found: FoundServer): InstalledServer {
  const { launch, place, command, args } = found;
  // What is on PATH is named; anything else only works by its full path.
  const words = place === 'path' ? [command, ...args] : [launch.executable, ...launch.args, ...args];
  return {
    language: family.id,
    server: command,
    path: absolutePath(launch.args.at(-1) ?? launch.executable),
    configEntry: `${family.id}:${words.join(',')}`,
    place,
  };
}

function expectedCommand(family: LanguageFamily, overrides: ReadonlyMap<string, ServerOverride>): string {
  return overrides.get(family.id)?.command?.[0] ?? family.servers[0]?.command ?? family.id;
}
