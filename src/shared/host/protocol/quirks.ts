/** In what servers differ, as data; `server-quirks.ts` has what each of them does. */
import type { ServerFacts } from '../../link/server-link.ts';
import type { Json } from '../../link/server-plan.ts';
import type { LoadRule } from './load-rules.ts';

/** `after-moves`: only when files came or went, or what a project consists of changed; in a search by name after any news. */
export type ProjectsWait = 'never' | 'after-moves' | 'after-news';

export interface Quirks {
  /**
   * How the server shows that its first answers will be complete.
   * `handshake`: it answers completely from the start, or waits by itself.
   * `first-answer`: it reports its work as progress, if at all, and that has begun when it answers anything.
   * `first-file`: it begins to index when the first file is opened, and only if it finds one of the lists of files named
   * here; without one it knows the opened files alone.
   * `canary`: it says nothing of the kind, and is asked about a real file until its answers stay the same.
   * `log`: a line of window/logMessage says so. `progress`: a work-done progress must end first.
   * `status`: rust-analyzer's serverStatus or jdtls' language/status.
   */
  readonly ready:
    | { by: 'handshake' }
    | { by: 'first-answer' }
    | { by: 'canary' }
    | { by: 'first-file'; lists: readonly string[] }
    | { by: 'log'; pattern: RegExp }
    | { by: 'progress' }
    | { by: 'status' };
  /** How it says that it could not load a part of the workspace. */
  readonly unloaded: readonly LoadRule[];
  /** False when the server reports progress only for single requests, which says nothing about its index. */
  readonly progressIsIndexing: boolean;
  /** Requests that wait until the client has agreed to be told of their progress, unless they bring a token for it. */
  readonly asksForProgress: readonly string[];
  /**
   * The server works on one request at a time, in order. The broker then sends it at most two long requests: the one it
   * works on, and the next one, so that the server is never idle between them.
   */
  readonly oneAtATime: boolean;
  /** Asks for its settings once it is initialized; told of them as well, it would look for everything a second time. */
  readonly asksForSettings: boolean;
  /** Answer to workspace/configuration for a section nobody has configured. */
  readonly unknownSection: null | Readonly<Record<string, never>>;
  /** Leaves imports and re-exports out of references together with the declaration. */
  readonly importsAreDeclarations: boolean;
  /** Its search by name leaves out files of no project, also those that are open. */
  readonly searchesTrackedOnly: boolean;
  /** Its search by name leaves out symbols of files that it knows, such as one of two that share a name. */
  readonly leavesSymbolsOut: boolean;
  /** Asked for the definition at a definition, it answers with a declaration elsewhere. */
  readonly definitionToggles: boolean;
  /** Asked for the definition of a variable, it leads to each of its assignments. */
  readonly assignmentsDeclare: boolean;
  /** Its call hierarchy leaves out calls that its references have: those of other projects, of properties, of loose files. */
  readonly callsArePartial: boolean;
  /** Its rename stops at what is passed on to other modules, which keep the old name by an alias. */
  readonly renamesByAlias: boolean;
  /** Where one argument of `new` does not fit, it forgets what the keys of the others mean, and takes each for a declaration. */
  readonly losesKeysOfNew: boolean;
  /**
   * A method that overrides one of a package is the same as others that do, but those are looked for only in projects that
   * have the method itself. Asked about the one of the package, it looks in all.
   */
  readonly tiesInOwnProjects: boolean;
  /** A word in its language may be two names at once, as in `{ stop }`: only the server can tell how to rename it. */
  readonly namesShareWords: boolean;
  /** Says that a file can be renamed where it is imported, and then moves it without its importers. */
  readonly renamesImportedFiles: boolean;
  /** Reads every project below its root, so that for a look at a file no other server is needed. */
  readonly readsProjectsBelow: boolean;
  /** More symbols than this are not listed for one query, whatever there is. */
  readonly mostSymbols: number | undefined;
  /** How many projects are shown to it for one question, and of how many a file stays open. */
  readonly mostProjects: { readonly asked: number; readonly kept: number };
  /** Whether after news it brings a project up to date only when one of its files is asked about, and searches the others as they were. */
  readonly projectsWait: ProjectsWait;
  /** The command line of the process that does the work, for servers that outlive it and then answer nothing. */
  readonly engine?: RegExp;
  /** A command that hands a question to the engine, for servers that publish only after pauses. */
  readonly engineCommand?: string;
  /** An error of its own with which it answers a question now and then, and not the same one asked again. */
  readonly passingError: RegExp | undefined;
  /** How long the server may be silent between two publications about a file that was changed, until it is learned. */
  readonly settleMs: number;
  /** The same between publications about the changed file and about others that depend on it. */
  readonly dependentsMs: number;
  /** A stage that begins only after a pause and publishes only if it has something to add: always waited for. */
  readonly secondStageMs: number;
  /** It does not begin to look at a change before this much time has passed; what it publishes sooner is older. */
  readonly pauseMs: number;
  /** Publishes some of its diagnostics, such as those of a build, and answers only for the others. */
  readonly publishesToo: boolean;
  /** Each connection has open texts of its own, so text can be tried out on a server that others use as well. */
  readonly sessionsApart: boolean;
  /**
   * Whether part of the diagnostics come from something that reads the disk and cannot know of open texts: a separate
   * checker `always`, or what looks for imported modules, which misses `new-files` until they are on disk.
   */
  readonly checkerReadsDisk: 'never' | 'new-files' | 'always';
  /**
   * Answers about a file from what it made of it when the file was last sent, whatever has become of the files that it
   * includes: what was sent while text was tried out is closed afterwards. `anew` goes with such a text, since an included
   * file of the same length and second counts as unchanged. Without the argument it reads included files from the disk,
   * and what a tried text does to other files cannot be seen.
   */
  readonly keepsIncluded:
    | { readonly argument: string; readonly anew: { readonly [option: string]: Json } }
    | undefined;
  /** A log line that says that created and deleted files are in its list now; until then references leave them out. */
  readonly fileListTaken: RegExp | undefined;
  /** A request `{ uri }` for the text that it has of a file, for servers that go on for a while with the old one. */
  readonly fileText: string | undefined;
  /**
   * Loads packages from the disk as it is at a moment of its own, and keeps what it found although it is told of every
   * change. `sign` is in what it says (source and message) when something was missing just then. `unknown` is how it says
   * that a name, the first group, is not there: a sign where a file of the same directory declares it. Told of a change
   * of the file `anewFor`, which need not be there, it loads everything anew.
   */
  readonly loadsAlone:
    | { readonly sign: RegExp; readonly unknown?: RegExp | undefined; readonly anewFor: string }
    | undefined;
  /** Looks at a change beyond its folders only after a pause, unless it is an edit of an open file; see edits-beyond.ts. */
  readonly readsBeyondLater: boolean;
  /** What it says in an error where others answer that there is nothing: looking was possible, and found nothing. */
  readonly nothingThere: RegExp | undefined;
  /**
   * How it says that a file, whose URI is the first group, is left out of all that it builds; in what it is not then, and
   * what to do about it.
   */
  readonly leftOut: { readonly words: RegExp; readonly where: string; readonly next: string } | undefined;
  /** What it wants beside the text of a change, so that it speaks of each text that it is sent. */
  readonly withChange: { readonly [option: string]: Json };
  /** Options with which it leaves watching files to us instead of noticing changes some time later by itself. */
  readonly leaveWatchingToUs: { readonly [option: string]: Json };
  /** Requests of its own for something that an editor does for its user; refused, what it was doing would fail. */
  readonly editorRequests: readonly string[];
}

/** What a server has of which nothing else is known. */
export const ORDINARY: Omit<Quirks, 'unloaded'> = {
  ready: { by: 'canary' },
  progressIsIndexing: true,
  asksForProgress: [],
  oneAtATime: false,
  asksForSettings: false,
  unknownSection: null,
  importsAreDeclarations: false,
  searchesTrackedOnly: false,
  leavesSymbolsOut: false,
  definitionToggles: false,
  assignmentsDeclare: false,
  callsArePartial: false,
  renamesByAlias: false,
  losesKeysOfNew: false,
  tiesInOwnProjects: false,
  namesShareWords: false,
  renamesImportedFiles: false,
  readsProjectsBelow: false,
  mostSymbols: undefined,
  mostProjects: { asked: 100, kept: 256 },
  projectsWait: 'never',
  settleMs: 500,
  dependentsMs: 500,
  secondStageMs: 0,
  pauseMs: 0,
  publishesToo: false,
  sessionsApart: false,
  checkerReadsDisk: 'never',
  keepsIncluded: undefined,
  fileListTaken: undefined,
  fileText: undefined,
  loadsAlone: undefined,
  readsBeyondLater: false,
  nothingThere: undefined,
  passingError: undefined,
  leftOut: undefined,
  withChange: {},
  leaveWatchingToUs: {},
  editorRequests: [],
};

/** What questions have to know of a server's ways. */
export function factsOf(quirks: Quirks): Partial<ServerFacts> {
  const { mostSymbols } = quirks;
  const leftOutOf = quirks.leftOut?.where;
  const held = FACTS.filter((fact) => quirks[fact]).map((fact) => [fact, true] as const);
  return {
    ...Object.fromEntries(held),
    ...(mostSymbols === undefined ? {} : { mostSymbols }),
    ...(leftOutOf === undefined ? {} : { leftOutOf }),
  };
}

const FACTS = [
  'importsAreDeclarations',
  'definitionToggles',
  'assignmentsDeclare',
  'searchesTrackedOnly',
  'leavesSymbolsOut',
  'callsArePartial',
  'renamesByAlias',
  'losesKeysOfNew',
  'tiesInOwnProjects',
  'namesShareWords',
  'renamesImportedFiles',
  'readsProjectsBelow',
] as const satisfies readonly (keyof Quirks & keyof ServerFacts)[];
