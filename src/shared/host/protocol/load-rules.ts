/**
 * The words with which servers say that they could not load a part of the workspace, as data: the pattern, what ends
 * the trouble, and what the agent is told. Without these rules an answer that lacks a whole crate or module would be
 * called complete.
 */
import type { Diagnostic } from 'vscode-languageserver-protocol';

export type LoadRule = LineRule | ProgressRule | DiagnosticRule | StatusRule;

/** `$why`, `$of` and other names in it stand for the groups of that name in the pattern. */
interface Told {
  readonly reason: string;
  /** What to do about it. */
  readonly next: string;
  /** Parts of `$why` that only say what went on before. */
  readonly aside?: RegExp;
}

/** A log line or a message for the user. */
export interface LineRule extends Told {
  readonly by: 'line';
  /** The group `of` tells several such troubles apart. */
  readonly says: RegExp;
  /** The line that ends it: if it has a group `of`, only the trouble with that one. Without it a restart does. */
  readonly over?: RegExp;
}

/** Work that is no work: it is announced while the trouble lasts, and its message is `$why`. */
export interface ProgressRule extends Told {
  readonly by: 'progress';
  readonly title: RegExp;
}

/** It lasts until the file is published without it; its message is `$why`. */
export interface DiagnosticRule extends Told {
  readonly by: 'diagnostic';
  readonly file: RegExp;
  isMeant(diagnostic: Diagnostic): boolean;
}

/** `experimental/serverStatus` and `language/status`: the newest one holds. */
export interface StatusRule {
  readonly by: 'status';
  /** The first that is found in the message counts. */
  readonly known: readonly ({ readonly says: RegExp } & Told)[];
  /** Warnings that have nothing to do with what is loaded. Any other is taken to be serious. */
  readonly harmless?: RegExp;
}

const STATUS: StatusRule = { by: 'status', known: [] };

const CARGO_NEXT = 'make `cargo metadata` work there (network, credentials), or search the text as well';

/** See `current_status` in its reload.rs. */
const RUST: StatusRule = {
  by: 'status',
  known: [
    {
      says: /^Failed to read Cargo metadata with dependencies for (?<of>(?:sysroot of )?`.+?`): (?:`cargo metadata` exited with an error: )?(?:\s*Blocking waiting for file lock on [\w ]+?(?=\s+error:|\n)\s*)*(?:error: )?(?<why>[\s\S]+)/m,
      reason: 'cargo could not load $of with its dependencies: $why',
      next: CARGO_NEXT,
    },
    {
      says: /^Failed to load workspaces\./m,
      reason: 'cargo could not load the workspace',
      next: CARGO_NEXT,
    },
    {
      says: /^Failed to discover workspace\./m,
      reason: 'it found no Cargo.toml, so that only files that were opened are known',
      next: 'name one in its setting `linkedProjects`, or search the text as well',
    },
    {
      says: /^(?<why>Failed to run build scripts of some packages)\./m,
      reason: '$why, so that what these make and procedural macros expand to is unknown',
      next: 'make `cargo check` work there, or search the text as well',
    },
    {
      says: /^(?<why>(?:Workspace `.+?` has sysroot errors|Failed loading rustc_private crates|Failed spawning proc-macro server|proc-macro server for workspace)[\s\S]+)/m,
      reason: '$why',
      next: 'complete the toolchain (`rustup component add rust-src`), or search the text as well',
    },
    {
      says: /^(?<why>Proc-macros and\/or build scripts have changed|Auto-reloading is disabled and the workspace has changed)/m,
      reason: '$why, and what is known is from before',
      next: 'restart_lsp_server loads it anew',
    },
  ],
  harmless: /^cargo check failed to start|outdated toolchain|^invalid config/m,
};

/** A load of the whole workspace has `builtin` beside it; see its cache/view.go. */
const GO_LOADED = /go\/packages\.Load #\d+\n[\s\S]*\bquery=\[[^\]]*\bbuiltin\b/;
const GO: Told = {
  reason: 'go could not load the workspace: $why',
  next: 'make `go list ./...` work there, or search the text as well',
  aside: /go: downloading \S+ \S+\s*/g,
};

const GOPLS: readonly LoadRule[] = [
  {
    ...GO,
    by: 'line',
    says: /initial workspace load failed: (?:packages\.Load error: )?(?:err: exit status \d+: stderr: )?(?<why>[\s\S]+)/,
    over: GO_LOADED,
  },
  { ...GO, by: 'line', says: /^Error loading workspace folders[^\n]*\n(?<why>[\s\S]+)/ },
  { ...GO, by: 'progress', title: /^Error loading workspace$/ },
  {
    ...GO,
    by: 'diagnostic',
    file: /\/go\.(mod|work)$/,
    isMeant: ({ severity, source = '' }) =>
      severity === 1 && ['syntax', 'go list', 'go.work file'].includes(source),
  },
  {
    ...GO,
    by: 'diagnostic',
    file: /\.go$/,
    isMeant: ({ source, message }) =>
      source === 'go list' &&
      typeof message === 'string' &&
      /^initialization failed|is not included in your workspace/.test(message),
  },
];

const PYRIGHT: readonly LoadRule[] = [
  {
    by: 'line',
    says: /^Config file "(?<of>.+)" could not be (?<why>parsed|read)/,
    over: /^(?:Loading (?:configuration|pyproject\.toml) file at (?<of>.+)|No configuration file found)/,
    reason: '$of could not be $why, so that the files and paths it names are unknown',
    next: 'repair it',
  },
  {
    by: 'line',
    says: /^No source files found/,
    over: /^Found \d+ source file/,
    reason: 'it found no source files, so that only files that were opened are known',
    next: 'look at `include` and `exclude` in its configuration, or search the text as well',
  },
];

const TABLE: Readonly<Record<string, readonly LoadRule[]>> = {
  'rust-analyzer': [RUST],
  gopls: GOPLS,
  pyright: PYRIGHT,
  basedpyright: PYRIGHT,
};

export function loadRulesOf(serverId: string): readonly LoadRule[] {
  return TABLE[serverId] ?? [STATUS];
}
