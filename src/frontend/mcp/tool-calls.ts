/** One `tools/call`, from its parameters to the result that is sent. */
import { FailureError } from '../../shared/base/failure.ts';
import { didYouMean } from '../../shared/base/near-names.ts';
import type { ServerLink } from '../../shared/link/server-link.ts';
import type { AskUser } from '../access/call-permission.ts';
import type { CallableTool } from '../invoke/call-tool.ts';
import type { Rendered } from '../render/answer.ts';
import type { LazySession } from '../session/lazy-session.ts';
import type { Tool } from '../tools/define-tool.ts';
import type { SendProgress } from './progress.ts';
import type { ToolListing } from './tool-list.ts';

/** Who called: how to notice that the answer is not wanted any more, how to tell of progress, how to ask back. */
export interface McpCaller {
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

const INVALID_PARAMS = -32_602;

export class ToolCalls {
  readonly #session: Pick<LazySession, 'config' | 'open'>;
  readonly #onCalled: () => void;
  #parts: ReturnType<typeof loadParts> | undefined;
  #tools: readonly Tool[] | undefined;
  #offered: readonly Tool[] | undefined;
  #unlisted: readonly string[] | undefined;

  constructor(session: Pick<LazySession, 'config' | 'open'>, onCalled: () => void) {
    this.#session = session;
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
    // Whoever lists tools is going to call one. After the answer is on its way; the call says what was wrong.
    setImmediate(() => this.#session.open().catch(() => {}));
    return toolList('failure' in read ? undefined : read.config);
  }

  async #rendered(
    name: string,
    args: unknown,
    { signal, progress, askUser }: McpCaller,
  ): Promise<{ rendered: Rendered; isKnown: boolean }> {
    this.#parts ??= loadParts();
    const { profileTools, tools, toolNamed, accessTo, offeredTools, callTool, renderFailure, ProgressWatch } =
      await this.#parts;
    const opened = await this.#session.open();
    if ('failure' in opened) return { rendered: renderFailure(opened.failure), isKnown: true };
    const { session } = opened;
    const { config } = session;
    // A session is opened once, and its configuration stays.
    this.#tools ??= await profileTools(config);
    const known = this.#tools.find((candidate) => candidate.name === name);
    this.#offered ??= offeredTools(this.#tools, config);
    this.#unlisted ??= namesBeside(this.#offered, tools);
    using watched = new ProgressWatch(progress, session.clock);
    const rendered = await callTool(session, {
      tool: known ?? noSuchTool(name, { listed: this.#offered, isElsewhere: toolNamed(name) !== undefined }),
      tools: this.#offered,
      unlisted: this.#unlisted,
      access: known ? accessTo(known, config) : { kind: 'allowed' },
      args,
      signal,
      output: config.output,
      watch: (link: ServerLink) => watched.watch(link),
      report: (message: string) => watched.report(message),
      askUser,
    });
    return { rendered, isKnown: known !== undefined };
  }
}

/** Names of tools that the session does not have. */
function namesBeside(offered: readonly { readonly name: string }[], all: readonly Tool[]): readonly string[] {
  const listed = new Set(offered.map(({ name }) => name));
  return all.map(({ name }) => name).filter((name) => !listed.has(name));
}

/** A call of it fails like any other, and is recorded like any other. */
function noSuchTool(
  name: string,
  { listed, isElsewhere }: { listed: readonly { readonly name: string }[]; isElsewhere: boolean },
): CallableTool {
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
        next: isElsewhere ? 'Start agent-lsp with --tools full to have it' : 'tools/list has all tools',
      });
    },
  };
}

/** Loaded with the first call, because the handshake must be answered at once. */
async function loadParts() {
  const [profiles, registry, access, call, failure, progress] = await Promise.all([
    import('../features/profile-tools.ts'),
    import('../features/registry.ts'),
    import('../access/tool-access.ts'),
    import('../invoke/call-tool.ts'),
    import('../render/failure.ts'),
    import('./progress.ts'),
  ]);
  return { ...profiles, ...registry, ...access, ...call, ...failure, ...progress };
}
