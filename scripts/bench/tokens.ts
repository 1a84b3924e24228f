/**
 * What typical questions cost in tokens: with these tools, and with text search and reading. Symbols are drawn from public
 * sources by a rule (at even distances over all files with exports), not chosen. On both sides the question is paid for
 * as well as the answer, and lists are read to their end; three readers of text are counted (`test/support/text-search.ts`).
 * None of them pays for line numbers in what it reads, opens a wrong file, or reads anything twice.
 */
import { readdirSync } from 'node:fs';
import { messageOf } from '../../src/shared/base/failure.ts';
import { median } from '../../test/support/quantile.ts';
import {
  changedLines,
  declarationsAround,
  type Exchange,
  type Exported,
  exportsOf,
  hitsOf,
  lineEdits,
  listing,
  type TextFile,
  type TextHit,
  textFiles,
  wholeFiles,
} from '../../test/support/text-search.ts';
import { tokensIn } from '../../test/support/tokens.ts';
import type { Row } from './figures.ts';
import type { McpProcess } from './mcp-process.ts';
import type { Place } from './place.ts';
import { sourcesWorkspace } from './workspaces.ts';

interface Asked extends Exported {
  readonly file: TextFile;
}

interface Sides {
  readonly tools: readonly Exchange[];
  /** The reader who believes the hits; nothing where no search is needed. */
  readonly hits: readonly Exchange[];
  /** What is read or written besides, by those who look at the declarations around the hits, or at the files. */
  readonly declarations?: readonly Exchange[];
  readonly files: readonly Exchange[];
}

interface Question {
  readonly what: string;
  readonly isAbout?: (asked: Asked) => boolean;
  ask(asked: Asked, hits: readonly TextHit[], session: McpProcess): Promise<Sides>;
}

/** As many entries as one answer can have. */
const MOST = 200;

const QUESTIONS: readonly Question[] = [
  {
    what: 'who uses it (find_references)',
    ask: async ({ name, file }, hits, session) => ({
      tools: await answers(session, 'find_references', { file_path: file.name, symbol: name, limit: MOST }),
      hits: [listing(name, hits)],
      declarations: declarationsAround(hits),
      files: wholeFiles(hits),
    }),
  },
  {
    what: 'which functions call it (callers)',
    isAbout: ({ isFunction }) => isFunction,
    ask: async ({ name, file }, hits, session) => ({
      tools: await answers(session, 'callers', { file_path: file.name, symbol: name, limit: MOST }),
      hits: [listing(name, hits)],
      declarations: declarationsAround(hits),
      files: wholeFiles(hits),
    }),
  },
  {
    what: 'its source, the file not known (get_symbol_source)',
    ask: async ({ name, file }, hits, session) => {
      const declared = hitsOf(
        [...new Set(hits.map((hit) => hit.file))],
        name,
        '\\b(?:function|class|interface|type|const)\\s+',
      );
      const first = await answers(session, 'get_symbol_source', { symbol: name });
      const isOne = !first[0]?.answered.startsWith('AMBIGUOUS');
      const here = { file_path: file.name, symbol: name };
      const second = isOne ? [] : await answers(session, 'get_symbol_source', here);
      // Of several declarations of the name, the reader of text knows at once which is meant.
      const meant = declared.filter((hit) => hit.file === file);
      return {
        tools: [...first, ...second],
        hits: [listing(name, declared)],
        declarations: declarationsAround(meant),
        files: wholeFiles(meant),
      };
    },
  },
  {
    what: 'what is in its file (list_symbols)',
    ask: async ({ file }, _hits, session) => ({
      tools: await answers(session, 'list_symbols', { file_path: file.name, limit: MOST }),
      hits: [],
      files: [{ asked: `read ${file.name}`, answered: file.text }],
    }),
  },
  {
    what: 'rename it, shown before it is written (rename_symbol)',
    ask: async ({ name, file }, hits, session) => {
      const newName = `${name}Renamed`;
      const args = { file_path: file.name, symbol: name, new_name: newName, dry_run: true };
      const tools = await answers(session, 'rename_symbol', args);
      // The reader of text edits no line too many, though the hits do not tell which name means the symbol.
      const changed = changedLines(tools.map(({ answered }) => answered).join('\n'));
      const meant = hits.filter((hit) => changed.has(`${hit.file.name}:${hit.line}`));
      return {
        tools,
        hits: [listing(name, hits), ...lineEdits(meant, name, newName)],
        declarations: declarationsAround(hits),
        files: wholeFiles(hits),
      };
    },
  },
];

export interface TokensWanted {
  readonly packages: readonly string[];
  /** How many symbols of each package. */
  readonly symbols: number;
  readonly say: (text: string) => void;
}

export async function tokensOfQuestions(
  place: Place,
  root: string,
  { packages, symbols, say }: TokensWanted,
): Promise<Row[]> {
  sourcesWorkspace(root, packages);
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const files = textFiles(root, names.filter((name) => name.endsWith('.ts')).toSorted());
  const drawn = packages.flatMap((name) => drawnFrom(files, `${name}/`, symbols));
  const stateDir = place.stateDir();
  const session = atFixedPlace(await place.session(root, stateDir, '--daemon', 'always'), root);
  await session.call('start_lsp', { language_id: 'typescript', ready_timeout_seconds: 60 });
  const rows: Row[] = [];
  for (const question of QUESTIONS) {
    say(`tokens: ${question.what}`);
    rows.push(await rowOf(question, drawn, files, { session, workspace: packages.join(', ') }));
  }
  rows.push(await listRow(place, root, session));
  await session.close();
  await place.stopDaemons(stateDir);
  return rows;
}

/** At even distances over the files that export something, each with another of its exports. */
function drawnFrom(files: readonly TextFile[], folder: string, most: number): readonly Asked[] {
  const candidates = files
    .filter(({ name }) => name.startsWith(folder))
    .flatMap((file) => {
      const exported = exportsOf(file);
      return exported.length === 0 ? [] : [{ file, exported }];
    });
  const count = Math.min(most, candidates.length);
  return Array.from({ length: count }, (_, index) => {
    const at = candidates[Math.floor(((index + 0.5) * candidates.length) / count)];
    const exported = at?.exported[index % at.exported.length];
    if (!at || !exported) throw new Error(`nothing is exported below ${folder}`);
    return { ...exported, file: at.file };
  });
}

async function rowOf(
  { what, isAbout = () => true, ask }: Question,
  drawn: readonly Asked[],
  files: readonly TextFile[],
  { session, workspace }: { readonly session: McpProcess; readonly workspace: string },
): Promise<Row> {
  const costs: { tools: number; hits: number; declarations: number; files: number }[] = [];
  let leftOut = 0;
  let again = 0;
  for (const asked of drawn.filter(isAbout)) {
    const sides = await ask(asked, hitsOf(files, asked.name), session);
    again += sides.tools.slice(0, -1).filter(lacksSomething).length;
    if (lacksSomething(sides.tools.at(-1))) {
      leftOut += 1;
      continue;
    }
    const [tools, hits, wholeFileCost] = [sides.tools, sides.hits, sides.files].map(costOf);
    const read = sides.declarations === undefined ? wholeFileCost : costOf(sides.declarations);
    costs.push({
      tools: tools ?? 0,
      hits: hits ?? 0,
      declarations: (hits ?? 0) + (read ?? 0),
      files: (hits ?? 0) + (wholeFileCost ?? 0),
    });
  }
  const of = (side: keyof (typeof costs)[number]) => costs.map((cost) => cost[side]);
  return {
    what,
    workspace,
    parts: {
      questions: costs.length,
      'left out': leftOut,
      'asked again': again,
      'tools tokens': median(of('tools')),
      'hits tokens': median(of('hits')),
      'hits and declarations tokens': median(of('declarations')),
      'hits and files tokens': median(of('files')),
    },
    figure: median(costs.map(({ tools, declarations }) => declarations / tools)),
    unit: 'x as many by hits and declarations',
  };
}

/** Paid for once in each session, before any question. */
async function listRow(place: Place, root: string, full: McpProcess): Promise<Row> {
  const core = await place.session(root, place.stateDir(), '--tools', 'core');
  const [all, few] = [tokensIn(await full.list()), tokensIn(await core.list())];
  await core.close();
  return {
    what: 'the list of tools, once in a session',
    workspace: '',
    parts: { 'full tokens': all, 'core tokens': few },
    figure: few,
    unit: 'tokens with --tools core',
  };
}

/**
 * The directory has a random name, which costs now more and now fewer tokens. A call that failed has been paid for like
 * any other.
 */
function atFixedPlace(session: McpProcess, root: string): McpProcess {
  const call = async (tool: string, args: object) => {
    const answered = await session.call(tool, args).catch((error: unknown) => `FAILED: ${messageOf(error)}`);
    return answered.replaceAll(root, '/home/me/project');
  };
  return { ...session, call };
}

/**
 * A list is followed to its end, and an answer that lacks something is asked for again; all of that is paid for. Where
 * it still lacks something the question is left out of the figures, since an answer with less in it is cheaper.
 */
async function answers(session: McpProcess, tool: string, args: object): Promise<readonly Exchange[]> {
  const found: Exchange[] = [];
  let again = MOST_TRIES;
  for (let cursor: string | undefined; ; ) {
    const asked = { ...args, ...(cursor === undefined ? {} : { cursor }) };
    const answered = await session.call(tool, asked);
    const exchange = { asked: JSON.stringify({ name: tool, arguments: asked }), answered };
    found.push(exchange);
    if (lacksSomething(exchange) && again > 0) {
      again -= 1;
      continue;
    }
    cursor = /pass cursor:"([^"]+)"/.exec(answered)?.[1];
    if (cursor === undefined || lacksSomething(exchange)) return found;
  }
}

const MOST_TRIES = 3;

function lacksSomething(exchange: Exchange | undefined): boolean {
  return exchange === undefined || /^(?:INCOMPLETE|TIMEOUT|FAILED)/.test(exchange.answered);
}

function costOf(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((sum, { asked, answered }) => sum + countOf(asked) + countOf(answered), 0);
}

/** The same files are read for many questions, and counting takes longer than asking. */
const counts = new Map<string, number>();

function countOf(text: string): number {
  const count = counts.get(text) ?? tokensIn(text);
  counts.set(text, count);
  return count;
}
