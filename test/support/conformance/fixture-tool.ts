import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import type { ChangeSink } from '../../../src/frontend/mcp/change-sink.ts';
import type { ClientConnection } from '../../../src/frontend/mcp/client-connection.ts';

export interface FixtureCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ServerContext;
  readonly connection: ClientConnection;
  readonly changes: ChangeSink;
}

/** A tool that a scenario of the conformance suite asks for by its name. */
export interface FixtureTool {
  readonly name: string;
  readonly description: string;
  /** None of its arguments are checked: scenarios send what they should. */
  readonly inputSchema?: { readonly type: 'object'; readonly [keyword: string]: unknown };
  run(
    call: FixtureCall,
  ): CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;
}
