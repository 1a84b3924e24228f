/**
 * A façade: tools with the names, parameters and words that another product made known, each answered by tools of ours.
 * It renames and re-bases, and never does the work again.
 * Decision: docs/decisions/mcp.md#facades-call-tools
 */
import type { Config } from '../../shared/config/config.ts';
import type { Outcome } from '../render/answer.ts';
import type { ToolContext } from './context.ts';
import type { Tool } from './define-tool.ts';

/** What a façade stands on. Its texts and schemas must not depend on it: they are listed before there is one. */
export interface FacadeBase {
  readonly config: Config;
  /** Runs one of our tools with its own parameters, as a part of the call that the context belongs to. */
  run(tool: string, args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<Outcome>;
}

export type MakeFacade = (base: FacadeBase) => readonly Tool[];
