/** What a tool sees of its session during one call. session.ts implements it; tests may implement it otherwise. */
import type { AbsPath } from '../../shared/base/brand.ts';
import type { Clock } from '../../shared/base/lifetime.ts';
import type { Log } from '../../shared/base/log.ts';
import type { SwitchableProfile } from '../../shared/config/choices.ts';
import type { Environment } from '../../shared/languages/environment.ts';
import type { IgnoreRules } from '../../shared/languages/ignore-rules.ts';
import type { Role } from '../../shared/languages/roles.ts';
import type { About, Reach } from '../../shared/link/reach-question.ts';
import type { CallOptions, ServerLink } from '../../shared/link/server-link.ts';
import type { AuditNotes } from '../access/audit-facts.ts';
import type { DialPlan } from '../access/dial.ts';
import type { Effect } from '../access/effect.ts';
import type { Agreed, Deed, Permission } from '../access/permission.ts';
import type { Roots } from '../workspace/roots.ts';
import type { SourceFile, SourceFiles } from '../workspace/source-files.ts';
import type { KnownFacts } from './known-facts.ts';
import type { LogThreshold } from './log-levels.ts';
import type { SessionState } from './session-state.ts';

export interface ToolContext {
  readonly roots: Roots;
  readonly files: SourceFiles;
  readonly ignored: IgnoreRules;
  readonly servers: SessionServers;
  readonly folders: SessionFolders;
  readonly facts: KnownFacts;
  /** What features keep for the session; each has its own way to its own part. */
  readonly state: SessionState;
  /** All tools of the session with the LSP method that each needs, and the one it makes do with. */
  readonly tools: readonly ToolNeeds[];
  readonly permission: Permission;
  readonly audit: AuditNotes;
  readonly clock: Clock;
  /** The machine as the session was started on it. */
  readonly environment: Environment;
  readonly log: Log;
  readonly signal: AbortSignal;

  /** Milliseconds until this call must have answered. */
  remainingMs(): number;
  /** Milliseconds that this call still waits for a server that goes on afterwards; see CallOptions. */
  patienceMs(): number;
  /** Options for a request that depends on the given files and may use all the time that is left. */
  during(...documents: AbsPath[]): CallOptions;
  /** The text behind a path that the agent gave; refuses what is outside the roots or no text. */
  source(path: string): Promise<SourceFile>;
  /** Says what a long call is at, to those who want to know. */
  report(message: string): void;
  /** Everything logged from here on is cut at this level. */
  setLogLevel(level: LogThreshold): void;
  /** Gives the connection another set of tools, and tells its client. */
  switchTools(profile: SwitchableProfile): void;
}

/** Whether a session may call a tool: none is advised that would be refused. */
export function offers({ tools }: Pick<ToolContext, 'tools'>, tool: string): boolean {
  return tools.some(({ name }) => name === tool);
}

/** The first of these next steps that begins with a tool which the session has. */
export function firstOffered(
  context: Pick<ToolContext, 'tools'>,
  ...steps: readonly [string, ...string[]]
): string | undefined {
  return steps.find((step) => offers(context, step.split(' ')[0] ?? ''));
}

export interface ToolNeeds {
  readonly name: string;
  readonly needs: string | undefined;
  readonly fallback: string | undefined;
  readonly effect: Effect;
}

/** The language servers of a session: found by file, by language, or as they are. */
export interface SessionServers {
  /** The server for a file, started or joined if need be; the one that navigates if nothing else is wished for. */
  linkFor(file: AbsPath, wish?: LinkWish): Promise<ServerLink>;
  /**
   * The servers to ask about the workspace as a whole: those that run, and for a name also those of files that may have
   * it and that none of these searches.
   */
  workspace(languageId?: string, name?: string): Promise<WorkspaceServers>;
  /** What was started so far, the one used last at the end. */
  open(): readonly ServerLink[];
  /** Who has which role where two servers serve one file, in one line; undefined where one has all. */
  rolesOf(link: ServerLink, file?: AbsPath): Promise<string | undefined>;
  /** Shows the server what a question about a name is about, and says what it still knows nothing of. */
  reach(link: ServerLink, about: About, lookMs: number): Promise<Reach>;
  /** The language family of a file by its name; undefined for what no server is for. */
  familyOfFile(file: AbsPath): string | undefined;
  /** The language family that a name means; fails when none does. */
  familyOf(languageId: string): string;
  /** Fails for an address that this session may not dial, even if the user agrees. */
  planDial(address: string): DialPlan;
  start(request: StartRequest): Promise<StartOutcome>;
  detect(directory: AbsPath): Promise<DetectedServers>;
}

/** What a link is wanted for. */
export interface LinkWish {
  /** Overrides what the file name says. */
  readonly languageId?: string | undefined;
  readonly role?: Role | undefined;
}

/** The folders that a session works in beside its root. */
export interface SessionFolders {
  /** Roots that the client named and that were not taken. */
  readonly refusedClientRoots: readonly AbsPath[];
  /** Fails for what cannot be a folder of this session, even if the user agrees. */
  plan(...given: readonly [string, ...string[]]): FolderPlan;
  add(agreed: Agreed<'expand', FolderPlan>, call: CallOptions): Promise<readonly FolderServing[]>;
  remove(given: string): Promise<AbsPath>;
}

/** How a language of a new folder is served: by a server that was there, or by one of its own. */
export interface FolderServing {
  readonly language: string;
  readonly link?: ServerLink;
  /** Why no running server works in it. */
  readonly against?: string;
}

/** Directories to work in, with their links resolved. */
export interface FolderPlan extends Deed {
  readonly folders: readonly [AbsPath, ...AbsPath[]];
}

/** A language for which something was not done. */
export interface NotDone {
  readonly language: string;
  readonly why: string;
  /** It could have been done, and was not. */
  readonly isFault?: boolean;
  /** When it may be done all the same. */
  readonly retryMs?: number | undefined;
}

export interface WorkspaceServers {
  readonly links: readonly ServerLink[];
  /** Languages that are in the workspace and were not asked, with the reason. */
  readonly notAsked: readonly NotDone[];
}

export interface StartRequest {
  readonly root: AbsPath;
  readonly languageId?: string | undefined;
  /** A server that agent-lsp did not start. */
  readonly connect?: Agreed<'expand', DialPlan> | undefined;
}

export interface StartOutcome {
  readonly started: readonly ServerLink[];
  readonly notStarted: readonly { readonly language: string; readonly why: string }[];
}

export interface DetectedServers {
  readonly languages: readonly string[];
  /** Those of them that the user has switched off. */
  readonly disabled: readonly string[];
  readonly installed: readonly {
    readonly language: string;
    readonly server: string;
    readonly path: string;
    readonly configEntry: string;
  }[];
  /** Entries for the command line, one per server. */
  readonly suggestedConfig: readonly string[];
  readonly missing: readonly {
    readonly language: string;
    readonly server: string;
    readonly install: string;
  }[];
}
