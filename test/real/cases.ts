/**
 * Every tool that reads, asked of a real server in each way that a call can go: the ordinary case, nothing to find,
 * a server that lacks what is needed, a server that has just been started, and input that makes no sense. A language
 * brings its table of rows; what is the same for all languages stands in cases-shared.ts.
 */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isReaching } from '../../src/frontend/access/effect.ts';
import { tools } from '../../src/frontend/features/registry.ts';
import { type FrontEnd, startFrontEnd, type ToolAnswer } from '../support/mcp-client.ts';
import type { Arguments } from '../support/real-session.ts';
import { createWorkspace, type Workspace, type WorkspaceOptions } from '../support/workspace.ts';
import { badInput, nothingFound } from './cases-shared.ts';

export interface Case {
  readonly args?: Arguments | ((workspace: Workspace) => Arguments);
  /** A meaningful part of the answer. */
  readonly says: string | RegExp;
}

/** Why a tool cannot have a case, said where a reader looks for it. */
export interface Never {
  readonly never: string;
}

export interface Language {
  readonly fixture: NonNullable<WorkspaceOptions['fixture']>;
  /** Beside the fixture: among them `empty`, with the comment "Nothing but a comment." */
  readonly files: string;
  /** A change that git sees, made after all files were committed. */
  readonly change: { readonly file: string; readonly from: string; readonly to: string };
  /** A file that is well, with the name of something in it. */
  readonly file: string;
  readonly symbol: string;
  readonly empty: string;
  readonly untested: string;
  /** A function that nothing uses. */
  readonly lonely: { readonly file_path: string; readonly symbol: string };
  /** A directory that uses what is in another one. */
  readonly consumer: string;
  /** Where members can be completed. */
  readonly members: Arguments;
  prepare?(workspace: Workspace): void;
  /** The ordinary case of each tool that the server supports. */
  readonly ordinary: Readonly<Record<string, Case>>;
  /** Where nothing is to be found, if not as in all languages. */
  readonly nothing?: Readonly<Record<string, Case>>;
  /** Tools that answer by other means, saying so, because the server lacks the method. */
  readonly byOtherMeans: Readonly<Record<string, Case>>;
  /** Tools that cannot answer because the server lacks the method. */
  readonly refused: Readonly<Record<string, Case>>;
}

/** Their cases stand in type-checks.test.ts, health.test.ts and phases.test.ts of test/tools. */
const ASKS_NO_SERVER: ReadonlySet<string> = new Set([
  'check_types',
  'health_check',
  'activate_skill',
  'deactivate_skill',
  'get_skill_phase',
]);

/** Tools that change files have their own tests; whoever adds one need not add rows here. */
const READING = tools
  .filter(({ name }) => !ASKS_NO_SERVER.has(name))
  .filter(({ name, effect }) => effect === 'read' || (isReaching(effect) && name !== 'execute_command'))
  .map(({ name }) => name);
const CHANGING_THE_SESSION = new Set(
  tools.filter(({ effect, changesSession }) => changesSession || isReaching(effect)).map(({ name }) => name),
);

interface Session {
  readonly workspace: Workspace;
  readonly frontEnd: FrontEnd;
  call(tool: string, { args }: Pick<Case, 'args'>): Promise<ToolAnswer>;
}

export function describeCases(name: string, language: Language): void {
  describe(name, () => {
    it('has a row for every tool that reads', () => {
      const rows = [...Object.keys(language.ordinary), ...Object.keys(language.refused)];
      expect(rows.sort()).toEqual([...READING].sort());
    });
    describeCold(language);
    describeWarm(language);
  });
}

/** The same sentence is no promise when the server has only begun: each answer is whole, or says that it is not. */
function describeCold(language: Language): void {
  describe('asked at once of a server that nobody started', () => {
    const session = opened(language, 'json');
    const cold = new Map<string, ToolAnswer>();
    const supported = Object.entries(language.ordinary);

    beforeAll(async () => {
      for (const [tool, row] of supported.filter(([tool]) => CHANGING_THE_SESSION.has(tool)))
        if (!RUNS_COMMANDS.has(tool) && tool !== 'start_lsp') cold.set(tool, await session().call(tool, row));
      const asking = supported.filter(([tool]) => !CHANGING_THE_SESSION.has(tool) || tool === 'start_lsp');
      await Promise.all(asking.map(async ([tool, row]) => cold.set(tool, await session().call(tool, row))));
    });

    it.each(supported.filter(([tool]) => !RUNS_COMMANDS.has(tool)))('%s', async (tool, row) => {
      const first = cold.get(tool);
      expect(first?.isError, first?.text).toBe(false);
      expect(first?.text).toContain(BEFORE_A_SERVER[tool] ?? '');
      if (CHANGING_THE_SESSION.has(tool) || KEEPS_FILES.has(tool)) return;
      const { complete, data, reason } = envelopeOf(first);
      // Some answers claim no completeness; without a reason to doubt them they are whole all the same.
      if (complete ?? reason === undefined)
        expect(essence(data)).toEqual(essence(envelopeOf(await session().call(tool, row)).data));
      else expect(reason).toMatch(/^(INCOMPLETE: .*retry in \d+ s|TIMEOUT: )/);
    });
  });
}

/** They need no server at all, and take their time. */
const RUNS_COMMANDS: ReadonlySet<string> = new Set(['run_build', 'run_tests']);
/** What they answer depends on which was called before. */
const KEEPS_FILES: ReadonlySet<string> = new Set(['open_document', 'close_document']);
const BEFORE_A_SERVER: Readonly<Record<string, string>> = {
  restart_lsp_server: 'No such LSP server was running in this session; the next tool call starts or joins it',
  did_change_watched_files: 'No server is running that these files belong to',
};

interface Envelope {
  readonly complete: boolean;
  readonly data: unknown;
  readonly reason?: string;
}

/** The names of what places are inside of are a comfort that no answer waits for; ids are new each time. */
const BESIDE_THE_POINT: ReadonlySet<string> = new Set(['container', 'edit_id', 'id']);

function essence(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data, (key, value) => (BESIDE_THE_POINT.has(key) ? undefined : value)));
}

function envelopeOf(answer: ToolAnswer | undefined): Envelope {
  return answer?.raw.structuredContent as unknown as Envelope;
}

function describeWarm(language: Language): void {
  const session = opened(language, 'text');

  async function expectAnswer(tool: string, row: Case, isError: boolean): Promise<string> {
    const { text, isError: wasError } = await session().call(tool, row);
    expect(wasError, text).toBe(isError);
    if (typeof row.says === 'string') expect(text).toContain(row.says);
    else expect(text).toMatch(row.says);
    expect(text).not.toContain('file://');
    return text;
  }

  describe('the ordinary case', () => {
    it.each(Object.entries(language.ordinary))('%s', async (tool, row) => {
      await expectAnswer(tool, row, false);
    });
  });

  describe('nothing to find', () => {
    it.each(Object.keys(language.ordinary))('%s', async (tool) => {
      const row = language.nothing?.[tool] ?? nothingFound(tool, language);
      if ('never' in row) expect(row.never).not.toBe('');
      else await expectAnswer(tool, row, false);
    });
  });

  describe('what the server lacks', () => {
    let support: { fallback_tools: string[]; supported_tools: string[] };
    beforeAll(async () => {
      const { workspace } = session();
      await using asking = await startFrontEnd({
        workspace,
        args: ['--daemon', 'never', '--output', 'json'],
      });
      const { json } = await asking.call('get_server_capabilities', { file_path: language.file });
      support = json as typeof support;
      await asking.close();
    });

    it.each(READING)('%s', async (tool) => {
      const { [tool]: refused } = language.refused;
      const { [tool]: otherwise } = language.byOtherMeans;
      expect(support.supported_tools.includes(tool)).toBe(refused === undefined);
      expect(support.fallback_tools.includes(tool)).toBe(otherwise !== undefined);
      if (otherwise) await expectAnswer(tool, otherwise, false);
      if (!refused) return;
      const text = await expectAnswer(tool, refused, true);
      expect(text).toMatch(
        / does not support .*\. get_server_capabilities lists the tools that work here\.$/,
      );
    });
  });

  describe('input that makes no sense', () => {
    it.each(READING)('%s', async (tool) => {
      const text = await expectAnswer(tool, badInput(tool, language), true);
      expect(text).toMatch(/^[^\n]+\. [^\n]+[.?]$/);
      const next = await session().call('list_symbols', { args: { file_path: language.file } });
      expect(next.isError, next.text).toBe(false);
    });
  });
}

function opened(language: Language, output: 'text' | 'json'): () => Session {
  let session: Session | undefined;
  const given = () => {
    if (!session) throw new Error('the session is opened before the tests');
    return session;
  };
  beforeAll(async () => {
    const workspace = createWorkspace(language.files, { fixture: language.fixture });
    prepared(workspace, language);
    const frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never', '--output', output] });
    session = {
      workspace,
      frontEnd,
      call: (tool, { args = {} }) => frontEnd.call(tool, typeof args === 'function' ? args(workspace) : args),
    };
  });
  afterAll(async () => {
    const { frontEnd, workspace } = given();
    await frontEnd.close();
    await workspace.expectNothingLeft();
    await workspace[Symbol.asyncDispose]();
  });
  return given;
}

function prepared(workspace: Workspace, { change, prepare }: Language): void {
  prepare?.(workspace);
  workspace.write('notes/readme.md', 'No source.\n');
  workspace.write(`${workspace.scratch}/elsewhere/readme.md`, 'Another folder.\n');
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: workspace.root, env: workspace.env() });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'one');
  workspace.write(change.file, workspace.read(change.file).replace(change.from, change.to));
}
