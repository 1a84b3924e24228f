/**
 * The descriptor of a language family: all that is known of it, and what a user may change of that.
 * A family is a set of languages that one server serves together: ts, tsx, js and jsx are all `typescript`.
 */
import type { Json } from '../link/server-plan.ts';
import type { RunnerRow } from './runner-rows.ts';
import type { TextFacts } from './text-facts.ts';

/** Answers to workspace/configuration: top-level sections, with everything dotted nested below them. */
export type Settings = { readonly [section: string]: Json };

/** What `daemon: auto` means for a family: share a warm server, or start one per front end. */
export type DaemonPolicy = 'auto-daemon' | 'auto-direct';

export interface LanguageFamily {
  readonly id: string;
  /** Other names accepted from users; language ids and extensions are accepted without being listed. */
  readonly aliases: readonly string[];
  /** Extension without the leading dot to LSP language id. */
  readonly extensions: Readonly<Record<string, string>>;
  /** Exact file name to LSP language id. */
  readonly fileNames?: Readonly<Record<string, string>>;
  /** Start of a file name to LSP language id, for names such as `Dockerfile.dev`. */
  readonly fileNamePrefixes?: Readonly<Record<string, string>>;
  /** Files that make a directory a project; the nearest such directory wins. `*` matches within a name. */
  readonly rootMarkers: readonly string[];
  /** Files that join several projects; found above, they win over rootMarkers. */
  readonly workspaceMarkers?: readonly WorkspaceMarker[];
  /** Files that also occur in every subdirectory: only without the others, and then the outermost wins. */
  readonly fallbackMarkers?: readonly string[];
  /** Whose workspaces the family has, where markers alone do not say what belongs together; see roots.ts. */
  readonly workspaceRule?: 'npm' | 'python' | undefined;
  /** A name may be declared in one file and defined in another, so that only an index leads to the definition. */
  readonly declaresApart?: true;
  /** What divides its files into projects that a server knows or does not know; see projects/survey.ts. */
  readonly projects?: 'tsconfig' | 'go-modules' | 'pyright' | 'compilation-database';
  /** What files are called that say which sources belong to a project. */
  readonly projectFiles?: RegExp;
  /** Where a project says what it is called. */
  readonly manifest?: Manifest;
  /** Other folders import modules by the names of their files, and not a project by that in its manifest. */
  readonly modules?: Modules;
  /** By the extension of a source, that of the stub beside it, which declares the same names. */
  readonly stubs?: Readonly<Record<string, string>>;
  /** Files that a build puts beside the sources that they are made from. */
  readonly emitted?: Emitted;
  /** What files are called that programs of this language's own world write. */
  readonly generatedFiles?: RegExp;
  /** What files are called that only declare what is in others, such as stubs. */
  readonly declarationFiles?: RegExp;
  /** Files are included by their own names, wherever they lie. */
  readonly includesFiles?: true;
  /** Its server is told which interpreter runs the project. */
  readonly interpreter?: 'python';
  /** Projects bring versions of the language that not every server understands; see find-typescript.ts. */
  readonly versions?: 'typescript';
  /** Extensions of files of other kinds whose code may use its symbols: components, templates, notebooks. */
  readonly usedIn?: readonly string[];
  readonly servers: readonly ServerCandidate[];
  /** People know the first server better than the language: it is called by the server's id where servers are named. */
  readonly knownByServer?: true;
  /** A command that makes the first server available. */
  readonly install: string;
  /** The type checker that check_types runs on its files. */
  readonly typeChecker?: string;
  readonly daemonPolicy: DaemonPolicy;
  /** Environment variables that change what a server of this family answers. */
  readonly variables?: readonly string[];
  /** Programs that build and test it; of those of one kind the first that a directory shows counts. Languages that share them have the same function. */
  readonly runners?: () => readonly RunnerRow[];
  readonly tests?: TestConventions;
  /** What to do in place of a server that cannot format. */
  readonly formatter?: string;
  /** Its own tool that prints documentation. */
  readonly documentation?: 'go doc' | 'pydoc';
  /** Imports name folders, whatever the files in them are called. */
  readonly importsFolders?: true;
  /** What is in its files if not code: values that nothing refers to by name, orders to carry out, or what is shown. */
  readonly content?: 'data' | 'orders' | 'pages';
  /** What its text looks like, where that differs from the defaults in facts.ts. Made when it is first asked for: a start needs none of it. */
  readonly text?: () => Partial<TextFacts>;
}

export interface TestConventions {
  /** What files with tests are called without their extension; `*` stands for the name of what they test. */
  readonly names: readonly string[];
  /** Tests may also be in the file that they test, which then contains this. */
  readonly inFile?: RegExp;
  /** A test is one of its whole directory. */
  readonly ofDirectory?: true;
}

export interface Manifest {
  readonly file: string;
  /** The first group is the name. */
  readonly name: RegExp;
  /** Code imports the project by this name: by nothing else, or also by that of its folder. */
  readonly imported?: 'only-so' | 'also-so';
}

export interface Modules {
  /** Files that are modules; the first group is the name. */
  readonly file: RegExp;
  /** A file that makes its directory a module. */
  readonly directoryWith: string;
  /** Such directories that nobody imports. */
  readonly never: readonly string[];
  /** What stands before the name in an import. */
  readonly behind: readonly string[];
}

export interface Emitted {
  /** The ending of what is made. */
  readonly ending: RegExp;
  /** Endings that its source can have instead. */
  readonly sources: readonly string[];
}

export interface WorkspaceMarker {
  readonly name: string;
  /** The file counts only when its text matches. */
  readonly containing?: RegExp;
}

export interface ServerCandidate {
  /** Names the server's row in host/protocol/server-quirks.ts. */
  readonly serverId: string;
  readonly command: string;
  /** `{dataDir}` stands for a directory of this root's own below the state directory. */
  readonly args: readonly string[];
  /** More arguments when the root has such a file; `{file}` stands for its path. */
  readonly argsIfPresent?: { readonly file: string; readonly args: readonly string[] };
  /** The npm package that brings the command: node_modules of the project comes before PATH. */
  readonly npm?: string;
  /** That package is a dependency of ours, too, and the last place to look. */
  readonly embedded?: true;
  /** Directories beside PATH; `~` is the home directory, `$NAME` a variable that may hold several. */
  readonly alsoIn?: readonly string[];
  /** `clangd-19` counts as `clangd`, the highest number first. */
  readonly versioned?: true;
  /** The command on PATH may be a wrapper that has no server behind it. */
  readonly behind?: 'rustup' | 'flutter' | 'python-wrapper';
  /** Variables that hold the path of the executable itself. */
  readonly pathVariables?: readonly string[];
  readonly platform?: NodeJS.Platform;
  readonly settings?: Settings;
  readonly initializationOptions?: { readonly [key: string]: Json };
  /** The settings section that this server also wants as initializationOptions. */
  readonly optionsFromSection?: string;
  /** Wants the directory of the project's TypeScript library in its options. */
  readonly needsTypescriptLib?: true;
}

/** What the user's configuration says of the server of one family. */
export interface ServerOverride {
  /** Executable and arguments; absent when only settings are changed. */
  readonly command?: readonly [string, ...string[]] | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly settings: Settings;
  readonly initializationOptions?: Json | undefined;
  readonly daemon?: 'auto' | 'always' | 'never' | undefined;
  /** No server is to be started for the family. */
  readonly disabled?: boolean | undefined;
  /** Where the user said so, for error messages. */
  readonly origin: string;
}
