/** One `tools/call`, from its parameters to the result that is sent. */
import type { ServerLink } from '../../shared/server-link.ts';
import type { LazySession } from '../lazy-session.ts';
import type { Rendered } from '../render/answer.ts';
import type { SendProgress } from './progress.ts';
import type { ToolListing } from './tool-list.ts';

/** Who called: how to notice that the answer is not wanted any more, and how to tell of progress. */
export interface Caller {
  readonly signal: AbortSignal;
  readonly progress: SendProgress;
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
  readonly #session: Pick<LazySession, 'open'>;
  readonly #onCalled: () => void;
  #parts: ReturnType<typeof loadParts> | undefined;

  constructor(session: Pick<LazySession, 'open'>, onCalled: () => void) {
    this.#session = session;
    this.#onCalled = onCalled;
  }

  async run(name: string, args: unknown, caller: Caller): Promise<CallResult> {
    const rendered = await this.#rendered(name, args, caller);
    this.#onCalled();
    if (rendered.failure !== undefined) caller.failed?.(rendered.failure);
    return {
      content: rendered.texts.map((text) => ({ type: 'text', text })),
      ...(rendered.structured === undefined ? {} : { structuredContent: rendered.structured }),
      ...(rendered.isError ? { isError: true } : {}),
    };
  }

  /** What the session offers; all of it when its configuration cannot be read, so that a call can say why. */
  async list(): Promise<ToolListing[]> {
    const [{ toolsOf }, { toolList }, opened] = await Promise.all([
      import('../tools/registry.ts'),
      import('./tool-list.ts'),
      this.#session.open(),
    ]);
    const { tools: profile, output } =
      'session' in opened ? opened.session.config : ({ tools: 'full', output: 'text' } as const);
    return toolList(toolsOf(profile), output);
  }

  async #rendered(name: string, args: unknown, caller: Caller): Promise<Rendered> {
    this.#parts ??= loadParts();
    const { toolsOf, callTool, renderFailure, ProgressWatch } = await this.#parts;
    const opened = await this.#session.open();
    if ('failure' in opened) return renderFailure(opened.failure);
    const { session } = opened;
    const tools = toolsOf(session.config.tools);
    const tool = tools.find((known) => known.name === name);
    if (!tool) {
      return renderFailure({
        kind: 'invalid-input',
        message: `there is no tool ${JSON.stringify(name)}`,
        next: `Tools are: ${tools.map((known) => known.name).join(', ')}`,
      });
    }
    using progress = new ProgressWatch(caller.progress, session.clock);
    const { output } = session.config;
    const watch = (link: ServerLink) => progress.watch(link);
    const report = (message: string) => progress.report(message);
    return await callTool(session, { tool, tools, args, signal: caller.signal, output, watch, report });
  }
}

/** Loaded with the first call, because the handshake must be answered at once. */
async function loadParts() {
  const [registry, call, failure, progress] = await Promise.all([
    import('../tools/registry.ts'),
    import('../call-tool.ts'),
    import('../render/failure.ts'),
    import('./progress.ts'),
  ]);
  return { ...registry, ...call, ...failure, ...progress };
}
