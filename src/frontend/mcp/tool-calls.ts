/** One `tools/call`, from its parameters to the result that is sent. */
import { FailureError } from '../../shared/base/failure.ts';
import { didYouMean } from '../../shared/base/near-names.ts';
import type { NamedProfile } from '../../shared/config/choices.ts';
import type { Config } from '../../shared/config/config.ts';
import type { ServerLink } from '../../shared/link/server-link.ts';
import type { AskUser } from '../access/call-permission.ts';
import type { CallableTool } from '../invoke/call-tool.ts';
import type { Rendered } from '../render/answer.ts';
import type { LazySession } from '../session/lazy-session.ts';
import type { Tool } from '../tools/define-tool.ts';
import type { SendProgress } from './progress.ts';
import { INVALID_PARAMS } from './protocol-error.ts';
import type { ToolListing } from './tool-list.ts';
import type { ToolSet } from './tool-set.ts';

/** Who called: how to notice that the answer is not wanted any more, how to tell of progress, how to ask back. */
export interface McpCaller {
  /** What the client calls the request. */
  readonly id?: string | number | undefined;
  readonly signal: AbortSignal;
  readonly progress: SendProgress;
  /** Undefined when the client cannot show questions. */
  readonly askUser: AskUser | undefined;
  /** Told the kind of the failure that a call ends in. */
  readonly failed?: (kind: string) => void;
}

/** The parameters of a progress notification, if the caller asked for any. */
export function progressNotification(progressToken: string | number, progress: number, message: string) {
  return { method: 'notifications/progress', params: { progressToken, progress, message } } as const;
}

export interface CallResult {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly [other: string]: unknown;
}

/** A call of a tool that is not listed: to the protocol an error of the request, not an answer of a tool. */
class UnknownToolError extends Error {
  readonly code = INVALID_PARAMS;
}

interface ProfileSet {
  readonly tools: readonly Tool[];
  /** Those that this connection may use. */
  readonly offered: readonly Tool[];
  /** Names of others, which are not to be advised. */
  readonly unlisted: readonly string[];
}

export class ToolCalls {
  readonly #session: Pick<LazySession, 'config' | 'open'>;
  readonly toolSet: ToolSet;
  readonly #onCalled: () => void;
  #parts: ReturnType<typeof loadParts> | undefined;
  /** By profile: the configuration of a session stays, and an agent may switch its tools. */
  readonly #sets = new Map<NamedProfile, ProfileSet>();

  constructor(session: Pick<LazySession, 'config' | 'open'>, toolSet: ToolSet, onCalled: () => void) {
    this.#session = session;
    this.toolSet = toolSet;
    this.#onCalled = onCalled;
  }

  /** Fails with an `UnknownToolError` where there is no such tool. */
  async run(name: string, args: unknown, caller: McpCaller): Promise<CallResult> {
    const { rendered, isKnown } = await this.#rendered(name, args, caller);
    this.#onCalled();
    if (!isKnown) throw new UnknownToolError(rendered.texts.join(' '));
    if (rendered.failure !== undefined) caller.failed?.(rendered.failure);
    return {
      content: rendered.texts.map((text) => ({ type: 'text', text })),
      ...(rendered.structured === undefined ? {} : { structuredContent: rendered.structured }),
      ...(rendered.isError ? { isError: true } : {}),
    };
  }

  /** Needs the configuration, but no session and none of the tools' code: a client begins with it. */
  async list(): Promise<ToolListing[]> {
    const [{ toolList }, read] = await Promise.all([import('./tool-list.ts'), this.#session.config()]);
    // A client that lists tools is going to call one. The session is opened after the answer is on its way; the call
    // says what went wrong.
    setImmediate(() => this.#session.open().catch(() => {}));
    if ('failure' in read) return toolList(undefined);
    const { config } = read;
    const policy = { ...config, tools: this.toolSet.profile(config.tools) };
    const isPrepared = config.extensions.length === 0 && !lacksLanguages(config);
    if (isPrepared) return toolList(policy);
    const { extendedList } = await import('../features/extended-list.ts');
    return toolList(policy, await extendedList(config));
  }

  async #rendered(
    name: string,
    args: unknown,
    { id, signal, progress, askUser }: McpCaller,
  ): Promise<{ rendered: Rendered; isKnown: boolean }> {
    this.#parts ??= loadParts();
    const {
      profileTools,
      allTools,
      extensionProblems,
      accessTo,
      offeredTools,
      callTool,
      renderFailure,
      ProgressWatch,
    } = await this.#parts;
    const opened = await this.#session.open();
    if ('failure' in opened) return { rendered: renderFailure(opened.failure), isKnown: true };
    const { session } = opened;
    const { config } = session;
    const newSet = async (wanted: NamedProfile): Promise<ProfileSet> => {
      const own = await profileTools(wanted, config);
      const offered = offeredTools(own, config);
      return { tools: own, offered, unlisted: namesBeside(offered, await allTools(config)) };
    };
    const profile = this.toolSet.profile(config.tools);
    const set = this.#sets.get(profile) ?? (await newSet(profile));
    this.#sets.set(profile, set);
    const known = set.tools.find((candidate) => candidate.name === name);
    using watched = new ProgressWatch(progress, session.clock);
    const rendered = await callTool(session, {
      tool:
        known ??
        noSuchTool(name, {
          listed: set.offered,
          isElsewhere: (await allTools(config)).some((tool) => tool.name === name),
          problems: await extensionProblems(config),
        }),
      tools: set.offered,
      unlisted: set.unlisted,
      access: known ? accessTo(known, config) : { kind: 'allowed' },
      args,
      id,
      signal,
      output: config.output,
      watch: (link: ServerLink) => watched.watch(link),
      report: (message: string) => watched.report(message),
      askUser,
    });
    return { rendered, isKnown: known !== undefined };
  }
}

/** Then tools that come for a language may not be there. */
function lacksLanguages({ overrides }: Pick<Config, 'overrides'>): boolean {
  return [...overrides.values()].some(({ disabled }) => disabled === true);
}

/** Names of tools that the session does not have. */
function namesBeside(offered: readonly { readonly name: string }[], all: readonly Tool[]): readonly string[] {
  const listed = new Set(offered.map(({ name }) => name));
  return all.map(({ name }) => name).filter((name) => !listed.has(name));
}

interface NoTool {
  readonly listed: readonly { readonly name: string }[];
  readonly isElsewhere: boolean;
  /** What was to bring further tools and could not. */
  readonly problems: readonly string[];
}

/** A call of it fails like any other, and is recorded like any other. */
function noSuchTool(name: string, { listed, isElsewhere, problems }: NoTool): CallableTool {
  const names = listed.map((tool) => tool.name);
  const meant = isElsewhere ? ' in this set of tools' : didYouMean(name, names);
  return {
    name,
    effect: 'read',
    hasPreview: false,
    prepare: () => {
      throw new FailureError({
        kind: 'invalid-input',
        message: `there is no tool ${JSON.stringify(name)}${meant}`,
        next: isElsewhere
          ? 'Call activate_tools with profile full, if it is listed, or start agent-lsp with --tools full'
          : ['tools/list has all tools', ...notLoaded(problems)].join('. '),
      });
    },
  };
}

/** The first: the log has them all. */
function notLoaded([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  return [`Not loaded: ${first}`, ...(others.length === 0 ? [] : [`${others.length} more: see the log`])];
}

/** Loaded with the first call, because the handshake must be answered at once. */
async function loadParts() {
  const [profiles, all, access, call, failure, progress] = await Promise.all([
    import('../features/profile-tools.ts'),
    import('../features/all-tools.ts'),
    import('../access/tool-access.ts'),
    import('../invoke/call-tool.ts'),
    import('../render/failure.ts'),
    import('./progress.ts'),
  ]);
  return { ...profiles, ...all, ...access, ...call, ...failure, ...progress };
}
