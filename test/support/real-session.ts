/**
 * Sessions of the built program with real language servers. Answers are taken as JSON, so that places can be compared
 * with what the sources say; the texts are the business of test/tools.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { BUILT_PROGRAM, type FrontEnd, startFrontEnd, type ToolAnswer } from './mcp-client.ts';
import { createWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export interface RealSession {
  readonly frontEnd: FrontEnd;
  /** The text of an answer that must not be an error. */
  ask(tool: string, args?: Arguments): Promise<string>;
  /** The text of an answer that must be an error. */
  refused(tool: string, args?: Arguments): Promise<string>;
  /** The data of an answer that must claim to be complete, as far as its tool claims that at all. */
  data(tool: string, args?: Arguments): Promise<unknown>;
  /** Places as `file:line:column`, relative to the root and sorted. */
  places(tool: string, args: Arguments): Promise<readonly string[]>;
  /** `line code` for each problem of a file, which must be known to be about the text on disk. */
  problems(file: string): Promise<readonly string[]>;
  /** Names in the outline of a file, nested ones with their path. */
  outline(file: string): Promise<readonly string[]>;
}

export interface RealWorld extends AsyncDisposable {
  readonly workspace: Workspace;
  /** A further front end in the workspace. */
  session(...args: readonly string[]): Promise<RealSession>;
  edit(file: string, from: string, to: string): void;
  /** Closes all sessions, stops all daemons and checks that nothing is left. */
  end(): Promise<void>;
}

export function realWorld(text: string, options: WorkspaceOptions = {}): RealWorld {
  const workspace = createWorkspace(text, options);
  const sessions: RealSession[] = [];
  return {
    workspace,
    async session(...args) {
      const frontEnd = await startFrontEnd({ workspace, args: ['--output', 'json', ...args] });
      const session = sessionOver(frontEnd, workspace);
      sessions.push(session);
      return session;
    },
    edit(file, from, to) {
      const before = workspace.read(file);
      if (!before.includes(from)) throw new Error(`${file} does not contain ${from}`);
      workspace.write(file, before.replace(from, to));
    },
    async end() {
      for (const { frontEnd } of sessions) await frontEnd.close();
      await runProgram(workspace, 'daemon-stop', '--all', '--now');
      await workspace.expectNothingLeft();
    },
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}

/** What the command line says about the shared servers that run. */
export interface SharedServer {
  readonly pid: number;
  readonly language: string;
  readonly sessions: readonly unknown[];
  readonly server: { readonly pid: number; readonly instance: number };
}

export async function sharedServers(workspace: Workspace): Promise<readonly SharedServer[]> {
  const listings = JSON.parse(await runProgram(workspace, 'daemon-status', '--json')) as readonly {
    readonly kind: string;
    readonly status: SharedServer;
  }[];
  return listings.filter(({ kind }) => kind === 'running').map(({ status }) => status);
}

/** Every place where a word stands in the sources, in the same form as `places`: the truth about a unique name. */
export function occurrences(workspace: Workspace, word: string, extension: string): readonly string[] {
  const names = readdirSync(workspace.root, { recursive: true, encoding: 'utf8' });
  const sources = names.filter((name) => name.endsWith(extension) && !name.includes('node_modules'));
  const wholeWord = new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'gu');
  const places = sources.flatMap((name) =>
    readFileSync(path.join(workspace.root, name), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(wholeWord)].map((match) => `${name}:${index + 1}:${match.index + 1}`),
      ),
  );
  return places.sort(byFileAndPosition);
}

const byFileAndPosition = new Intl.Collator('en', { numeric: true }).compare;

function sessionOver(frontEnd: FrontEnd, { root }: Workspace): RealSession {
  const succeed = async (tool: string, args: Arguments = {}): Promise<ToolAnswer> => {
    const answer = await frontEnd.call(tool, args);
    if (answer.isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${answer.text}`);
    return answer;
  };
  const data = async (tool: string, args?: Arguments): Promise<unknown> => {
    const { raw, text } = await succeed(tool, args);
    const structured = raw.structuredContent as { readonly complete?: boolean; readonly data: unknown };
    if (structured.complete === false)
      throw new Error(`${tool} ${JSON.stringify(args)} is not complete: ${text}`);
    return structured.data;
  };
  return {
    frontEnd,
    data,
    ask: async (tool, args) => (await succeed(tool, args)).text,
    async refused(tool, args) {
      const { isError, text } = await frontEnd.call(tool, args);
      if (!isError) throw new Error(`${tool} ${JSON.stringify(args)} was not refused: ${text}`);
      return text;
    },
    async places(tool, args) {
      const found = (await data(tool, args)) as Place[];
      if (!Array.isArray(found)) throw new Error(`${tool} gave no places: ${JSON.stringify(found)}`);
      return found
        .map(({ file, line, column }) => `${path.relative(root, file)}:${line}:${column}`)
        .sort(byFileAndPosition);
    },
    async problems(file) {
      const { raw, text } = await succeed('get_diagnostics', { file_path: file });
      const structured = raw.structuredContent as {
        readonly fresh: boolean;
        readonly data: Readonly<Record<string, readonly Problem[]>>;
      };
      if (!structured.fresh) throw new Error(`not known to be fresh: ${text}`);
      const problems = Object.values(structured.data).flat();
      return problems.map(({ line, code }) => `${line} ${code}`);
    },
    async outline(file) {
      const tree = (await data('list_symbols', { file_path: file })) as readonly OutlineSymbol[];
      return pathsIn(tree, '');
    },
  };
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

interface Problem {
  readonly line: number;
  readonly code: string | number;
}

interface OutlineSymbol {
  readonly name: string;
  readonly children?: readonly OutlineSymbol[];
}

function pathsIn(symbols: readonly OutlineSymbol[], prefix: string): readonly string[] {
  return symbols.flatMap(({ name, children = [] }) => [
    `${prefix}${name}`,
    ...pathsIn(children, `${prefix}${name}.`),
  ]);
}

const run = promisify(execFile);

export async function runProgram(workspace: Workspace, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [BUILT_PROGRAM, ...args], {
    cwd: workspace.root,
    env: workspace.env(),
  });
  return stdout;
}
