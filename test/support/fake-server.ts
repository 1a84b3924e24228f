/**
 * The scriptable language server of fake-server/ as tests see it: a typed scenario in, a command line and a journal out.
 * Without a scenario it behaves well and really answers, by words, over the files of the workspace.
 */
import { mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { absolutePath } from '../../src/shared/base/paths.ts';
import type { Json, ServerPlan } from '../../src/shared/link/server-plan.ts';
import { Journal } from './events.ts';

export interface Scenario {
  readonly name?: string;
  readonly version?: string;
  /** Laid over the default ones; null takes one away. */
  readonly capabilities?: { readonly [capability: string]: Json };
  /** Used if the client offers it. */
  readonly positionEncoding?: 'utf-8' | 'utf-16' | 'utf-32';
  readonly sync?: 'full' | 'incremental';
  /** Files below the root that are looked through; with the dot. */
  readonly extensions?: readonly string[];
  readonly diagnostics?: DiagnosticsScenario;
  readonly framing?: FramingScenario;
  /** What the server takes no notice of; `stdin` is the end of its input, `encoding` what the client offers of these. */
  readonly stubborn?: readonly ('shutdown' | 'exit' | 'SIGTERM' | 'stdin' | 'cancel' | 'encoding')[];
  /** Started with the server; see the step of that name. Not when listening. */
  readonly grandchildren?: { readonly count: number } & GrandchildOptions;
  readonly rules?: readonly Rule[];
}

export interface DiagnosticsScenario {
  /**
   * `two-stage` publishes an empty list first, `silent-clear` never publishes an empty one,
   * `old-after-new` follows each list by the one of the version before, `constant` says version 1 always.
   * `pull-dynamic` registers with a client that can be registered with, and pushes to any other.
   */
  readonly profile?:
    | 'versioned'
    | 'unversioned'
    | 'constant'
    | 'two-stage'
    | 'silent-clear'
    | 'old-after-new'
    | 'none'
    | 'pull'
    | 'pull-dynamic'
    | 'pull-unchanged';
  /** Pushes wait until this file exists (in two-stage the second one); `{version}` in it stands for the version. */
  readonly gate?: string;
  readonly delayMs?: number;
  /** Other files (absolute paths) that are published with every change or pull of all, from their text on disk. */
  readonly also?: readonly string[];
  /** Publishes all other open documents too when one changes; without it they are looked at when they change themselves. */
  readonly dependents?: boolean;
  /** Answers for all open documents at once, if it can be pulled. */
  readonly workspace?: boolean;
  /** Files (absolute paths) about which every pull answer reports as well. */
  readonly related?: readonly string[];
  /** Whether closing a document publishes an empty list; true if not said. */
  readonly clearOnClose?: boolean;
}

export interface FramingScenario {
  readonly header?: 'plain' | 'lower' | 'extra';
  /** Writes the header (or with `all` the body too) byte by byte, each in its own turn. */
  readonly split?: boolean | 'all';
  /** Puts `id` behind `result`. */
  readonly idLast?: boolean;
  /** Stray text before the first header. */
  readonly prelude?: string;
}

/**
 * `on` names a method, or `request` (any but initialize, shutdown and agent-lsp/firstAnswer), `notification`, or `start`, whose steps run
 * before anything is read. All conditions must hold; `nth` and `every` count the messages for which the others do.
 */
export interface Rule {
  readonly on: string | readonly string[];
  /** A text that must occur in the parameters, such as a file name. */
  readonly file?: string;
  readonly nth?: number;
  readonly every?: number;
  /** Only in these servers, counted by the journal from 1. */
  readonly instances?: readonly number[];
  readonly do: Step | readonly Step[];
}

/** Several steps in one object run in the order of their names. A request is answered after its steps. */
export interface Step {
  readonly wait?: number;
  readonly gate?: string;
  readonly untilGone?: string;

  readonly reply?: true;
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string };
  /** Answers with a string that takes so many bytes of JSON. */
  readonly big?: number;
  /** Only a cancellation is still answered, and not even that by a server stubborn about `cancel`. */
  readonly never?: true;

  readonly send?: { readonly method: string; readonly params?: Json };
  readonly ask?: { readonly method: string; readonly params?: Json };
  readonly askAndWait?: { readonly method: string; readonly params?: Json };
  readonly log?: string;
  readonly progress?: ProgressStep;
  readonly publish?: { readonly uri: string; readonly version?: number; readonly diagnostics?: Json };
  readonly flood?: number;
  readonly raw?: string;
  readonly brokenFrame?: 'half' | 'negative' | 'huge' | 'not-a-number' | 'no-length' | 'not-json';

  readonly stderr?: string;
  /** An exit code or a signal. */
  readonly crash?: number | NodeJS.Signals;
  readonly hang?: 'idle' | 'busy';
  /** Nothing is read until this file exists. */
  readonly pauseReading?: string;
  readonly closeStdout?: true;
  readonly grandchild?: GrandchildOptions;
}

/** `begin` is the title and creates the token first; `report` is a percentage. */
export interface ProgressStep {
  readonly token: string;
  readonly begin?: string;
  readonly report?: number;
  readonly end?: true;
  readonly percentage?: number;
  readonly message?: string;
}

/** A sleeping child that ignores SIGTERM; `detached` leaves the process group, `holdStdio` keeps the pipes open. */
export interface GrandchildOptions {
  readonly detached?: boolean;
  readonly holdStdio?: boolean;
}

export interface FakeServer {
  readonly executable: AbsPath;
  readonly args: readonly string[];
  readonly journal: Journal;
  readonly scenarioFile: string;
  /** Counts for the next start. */
  rewrite(scenario: Scenario): void;
  plan(root: AbsPath, overrides?: Partial<ServerPlan>): ServerPlan;
}

/** Writes the scenario into `directory`, which should not be inside the workspace. Starts nothing. */
export function fakeServer(directory: string, scenario: Scenario = {}, name = 'fake'): FakeServer {
  mkdirSync(directory, { recursive: true });
  const scenarioFile = path.join(directory, `${name}.scenario.json`);
  const journal = new Journal(path.join(directory, `${name}.journal.jsonl`));
  const executable = absolutePath(realpathSync(process.execPath));
  const args = [MAIN, '--scenario', scenarioFile, '--journal', journal.file];
  const rewrite = (changed: Scenario) => writeFileSync(scenarioFile, JSON.stringify(changed, null, 2));
  rewrite(scenario);
  return {
    executable,
    args,
    journal,
    scenarioFile,
    rewrite,
    plan: (root, overrides) => ({ ...planFor(executable, args, root), ...overrides }),
  };
}

const MAIN = path.join(import.meta.dirname, 'fake-server/main.mjs');

function planFor(executable: AbsPath, args: readonly string[], root: AbsPath): ServerPlan {
  const { size, mtimeMs } = statSync(executable);
  return {
    root,
    language: 'fake',
    serverId: 'fake',
    server: { kind: 'spawn', executable, args, env: {}, binary: { path: executable, size, mtimeMs } },
    languageIds: {},
    initializationOptions: null,
    settings: {},
  };
}
