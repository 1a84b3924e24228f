/** The built product as an agent drives it: one MCP session, all pages of every answer, places relative to the repository. */
import path from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { ProcessTransport } from '../mcp-transport.ts';
import type { ProductAnswer } from './compare.ts';
import { joined, newNameFor, readAnswer, retryIn } from './read-answer.ts';
import type { Question, Tool } from './truth.ts';

export type Asked = { readonly ms: number; readonly retryMs: number | undefined } & (
  | { readonly kind: 'answer'; readonly pages: number; readonly answer: ProductAnswer }
  | { readonly kind: 'failed'; readonly why: string }
);

export interface Product {
  readonly pid: number;
  ask(question: Question): Promise<Asked>;
  close(): Promise<void>;
  /** Ends it in the middle of a call. */
  kill(): Promise<void>;
}

/** The installed command, and the environment for a state directory of its own. */
interface Installed {
  readonly command: string;
  env(stateDir: string): NodeJS.ProcessEnv;
}

export interface ProductOptions {
  readonly root: string;
  readonly stateDir: string;
  readonly typescript: string | undefined;
  readonly timeoutMs: number;
}

const PER_PAGE = 200;
const MOST_PAGES = 100;

export async function startProduct(
  installed: Installed,
  { root, stateDir, typescript, timeoutMs }: ProductOptions,
): Promise<Product> {
  const transport = new ProcessTransport({
    command: process.execPath,
    args: [
      installed.command,
      '-r',
      root,
      '--output',
      'json',
      ...(typescript === undefined ? [] : ['--typescript', typescript]),
    ],
    cwd: root,
    env: Object.fromEntries(
      Object.entries(installed.env(stateDir)).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
  });
  const client = new Client({ name: 'agent-lsp-judge', version: '1.0.0' });
  try {
    await client.connect(transport, { timeout: 60_000 });
  } catch (error) {
    transport.child.kill('SIGKILL');
    throw new Error(`the product did not start: ${String(error)}\n${transport.stderr}`, { cause: error });
  }
  const call = (name: string, args: Record<string, unknown>) =>
    client.callTool({ name, arguments: args }, { timeout: timeoutMs });
  return {
    pid: transport.child.pid ?? 0,
    ask: (question) => askAll(root, question, call),
    async close() {
      await client.close();
      await transport.close();
      await transport.exited;
    },
    async kill() {
      transport.child.kill('SIGKILL');
      await transport.exited;
    },
  };
}

type Call = (name: string, args: Record<string, unknown>) => Promise<CallToolResult>;

/** The time is that of the first page: that is the answer, and the others repeat its search. */
async function askAll(root: string, question: Question, call: Call): Promise<Asked> {
  const { name, args } = requestOf(root, question);
  const began = performance.now();
  let ms: number | undefined;
  let retryMs: number | undefined;
  let cursor: string | undefined;
  let pages = 0;
  const parts: ProductAnswer[] = [];
  try {
    do {
      const result = await call(name, { ...args, ...(cursor === undefined ? {} : { cursor }) });
      ms ??= performance.now() - began;
      retryMs ??= retryIn(result);
      const read = readAnswer(root, question, result);
      if (typeof read === 'string') return { kind: 'failed', ms, retryMs, why: read };
      parts.push(read.answer);
      cursor = read.cursor;
      pages += 1;
    } while (cursor !== undefined && pages < MOST_PAGES);
  } catch (error) {
    return { kind: 'failed', ms: performance.now() - began, retryMs: undefined, why: String(error) };
  }
  return { kind: 'answer', ms, retryMs, pages, answer: joined(parts) };
}

const TOOL_NAMES: Readonly<Record<Tool, string>> = {
  references: 'find_references',
  callers: 'find_callers',
  implementations: 'go_to_implementation',
  rename: 'rename_symbol',
  symbols: 'find_symbol',
  definition: 'go_to_definition',
};

function requestOf(
  root: string,
  { tool, name, at }: Question,
): { name: string; args: Record<string, unknown> } {
  const place = { file_path: path.join(root, at.file), line: at.line, column: at.column };
  const args = {
    references: { ...place, include_hidden: true, limit: PER_PAGE },
    callers: { ...place, direction: 'incoming', limit: PER_PAGE },
    implementations: { ...place, limit: PER_PAGE },
    // Never applied: the repository is not ours to change.
    rename: { ...place, new_name: newNameFor(name), dry_run: true },
    symbols: { query: name, limit: PER_PAGE },
    definition: place,
  };
  return { name: TOOL_NAMES[tool], args: args[tool] };
}
