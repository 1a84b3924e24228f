/** One `tools/call`, from its parameters to the result that is sent. */
import { FailureError } from '../../shared/base/failure.ts';
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

export class ToolCalls {
  readonly #session: Pick<LazySession, 'config' | 'open'>;
  readonly #onCalled: () => void;
  #parts: ReturnType<typeof loadParts> | undefined;
  #tools: readonly Tool[] | undefined;
  #offered: readonly Tool[] | undefined;

  constructor(session: Pick<LazySession, 'config' | 'open'>, onCalled: () => void) {
    this.#session = session;
    this.#onCalled = onCalled;
  }

  async run(name: string, args: unknown, caller: McpCaller): Promise<CallResult> {
    const rendered = await this.#rendered(name, args, caller);
    this.#onCalled();
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

  async #rendered(name: string, args: unknown, { signal, progress, askUser }: McpCaller): Promise<Rendered> {
    this.#parts ??= loadParts();
    const { profileTools, accessTo, offeredTools, callTool, renderFailure, ProgressWatch } =
      await this.#parts;
    const opened = await this.#session.open();
    if ('failure' in opened) return renderFailure(opened.failure);
    const { session } = opened;
    const { config } = session;
    // A session is opened once, and its configuration stays.
    this.#tools ??= await profileTools(config);
    const known = this.#tools.find((candidate) => candidate.name === name);
    this.#offered ??= offeredTools(this.#tools, config);
    using watched = new ProgressWatch(progress, session.clock);
    return await callTool(session, {
      tool: known ?? noSuchTool(name, this.#offered),
      tools: this.#offered,
      access: known ? accessTo(known, config) : { kind: 'allowed' },
      args,
      signal,
      output: config.output,
      watch: (link: ServerLink) => watched.watch(link),
      report: (message: string) => watched.report(message),
      askUser,
    });
  }
}

/** A call of it fails like any other, and is recorded like any other. */
function noSuchTool(name: string, tools: readonly { readonly name: string }[]): CallableTool {
  return {
    name,
    effect: 'read',
    hasPreview: false,
    prepare: () => {
      throw new FailureError({
        kind: 'invalid-input',
        message: `there is no tool ${JSON.stringify(name)}`,
        next: `Tools are: ${tools.map((known) => known.name).join(', ')}`,
      });
    },
  };
}

/** Loaded with the first call, because the handshake must be answered at once. */
async function loadParts() {
  const [profiles, access, call, failure, progress] = await Promise.all([
    import('../features/profile-tools.ts'),
    import('../access/tool-access.ts'),
    import('../invoke/call-tool.ts'),
    import('../render/failure.ts'),
    import('./progress.ts'),
  ]);
  return { ...profiles, ...access, ...call, ...failure, ...progress };
}
