/**
 * The built front end as a real MCP server in a process of its own, driven by the official client.
 * Tools are tested through this, never by calling their handlers.
 */
import path from 'node:path';
import { type CallToolResult, Client, type ClientOptions, type Progress } from '@modelcontextprotocol/client';
import packageJson from '../../package.json' with { type: 'json' };
import { toolNamed } from '../../src/frontend/features/registry.ts';
import { envelopeOf } from './envelope.ts';
import { type ProcessExit, ProcessTransport } from './mcp-transport.ts';
import type { Workspace } from './workspace.ts';

/** The file that the package installs as its command. */
export const BUILT_PROGRAM = path.resolve(import.meta.dirname, '../..', packageJson.bin['agent-lsp']);

export interface FrontEndOptions {
  readonly workspace: Pick<Workspace, 'root' | 'env'>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The workspace's root if not said. */
  readonly cwd?: string;
  /** The one that runs the tests if not said. */
  readonly node?: string;
  /** The script that is run with Node; the built program if not said. */
  readonly program?: string;
  /** For Node itself. */
  readonly nodeArgs?: readonly string[];
  /** What the client calls itself. */
  readonly name?: string;
  /** Capabilities, roots, protocol negotiation and so on of the client. */
  readonly client?: ClientOptions;
  /** Called before the client connects, e.g. to register what it answers. */
  readonly prepare?: (client: Client) => void;
  readonly startTimeoutMs?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: Progress) => void;
}

export interface ToolAnswer {
  /** All text items, joined by line ends. */
  readonly text: string;
  readonly isError: boolean;
  /** The first text item parsed as JSON, or the structured content; undefined when there is neither. */
  readonly json: unknown;
  readonly raw: CallToolResult;
}

export interface FrontEnd extends AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Lines on standard output that were no messages. */
  readonly strayOutput: readonly string[];
  stderr(): string;
  call(tool: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<ToolAnswer>;
  /** Ends the input and waits for the exit; a process that does not leave in time is killed and the test told. */
  close(timeoutMs?: number): Promise<ProcessExit>;
  kill9(): Promise<ProcessExit>;
}

/** Starts a front end and shakes hands with it. */
export async function startFrontEnd(options: FrontEndOptions): Promise<FrontEnd> {
  const transport = new ProcessTransport({
    command: options.node ?? process.execPath,
    args: [...(options.nodeArgs ?? []), options.program ?? BUILT_PROGRAM, ...(options.args ?? [])],
    cwd: options.cwd ?? options.workspace.root,
    env: options.workspace.env(options.env),
  });
  const client = new Client({ name: options.name ?? 'agent-lsp-tests', version: '1.0.0' }, options.client);
  options.prepare?.(client);
  const kill9 = () => {
    transport.child.kill('SIGKILL');
    return transport.exited;
  };
  try {
    await client.connect(transport, { timeout: options.startTimeoutMs ?? 60_000 });
  } catch (error) {
    const exit = await kill9();
    const output = [transport.stderr, ...transport.strayOutput].join('\n');
    throw new Error(`the front end did not start (${shown(exit)}): ${String(error)}\n${output}`, {
      cause: error,
    });
  }

  return {
    client,
    pid: transport.child.pid ?? 0,
    exited: transport.exited,
    strayOutput: transport.strayOutput,
    stderr: () => transport.stderr,
    call: async (tool, args = {}, { signal, timeoutMs, onProgress } = {}) => {
      const request = { name: tool, arguments: { ...args } };
      const result = await client.callTool(request, {
        ...(signal ? { signal } : {}),
        ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
        ...(onProgress ? { onprogress: onProgress } : {}),
      });
      // A façade has tools of the same names, whose shapes are those of its product.
      if (!options.args?.includes('pyright')) checkShape(tool, result);
      return answerOf(result);
    },
    close: async (timeoutMs = 40_000) => {
      let late = false;
      const killer = setTimeout(() => {
        late = true;
        void kill9();
      }, timeoutMs);
      await client.close();
      await transport.close();
      clearTimeout(killer);
      if (late) throw new Error(`the front end did not leave within ${timeoutMs} ms\n${transport.stderr}`);
      return transport.exited;
    },
    kill9,
    [Symbol.asyncDispose]: async () => void (await kill9()),
  };
}

/** Data of every answer has the one shape that its tool declares. */
function checkShape(tool: string, { structuredContent }: CallToolResult): void {
  const known = toolNamed(tool);
  if (structuredContent === undefined || !known) return;
  const { success, error } = envelopeOf(known.output).safeParse(structuredContent);
  if (!success) throw new Error(`${tool} answered in another shape than it declares: ${error.message}`);
}

function answerOf(result: CallToolResult): ToolAnswer {
  const texts = result.content.flatMap((item) => (item.type === 'text' ? [item.text] : []));
  return {
    text: texts.join('\n'),
    isError: result.isError === true,
    json: parsed(texts[0]) ?? result.structuredContent,
    raw: result,
  };
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shown({ code, signal }: ProcessExit): string {
  return signal ?? `exit code ${code}`;
}
