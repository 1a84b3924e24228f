/** The questions that are asked about every layout, and what the answers are worth. */
import path from 'node:path';
import {
  ACROSS_TOOLS,
  type AcrossTool,
  inOrder,
  LOOKS,
  lineOf,
  type Truth,
  truthOf,
} from '../support/layout-truth.ts';
import { type LayoutName, layouts } from '../support/layouts.ts';
import {
  type Arguments,
  type RealSession,
  type RealWorld,
  realWorld,
  sharedServers,
} from '../support/real-session.ts';

/** `exact`: all of it and nothing else. `INCOMPLETE`: it says what it lacks. Anything else is a fault, in words. */
export type Verdict = string;

export interface LayoutWorld extends AsyncDisposable {
  readonly world: RealWorld;
  /** Declares the function and `Shape`. */
  readonly core: string;
  /** What the function is called. */
  readonly name: string;
  readonly truth: Truth;
}

export interface Judged {
  readonly verdicts: Readonly<Record<AcrossTool, Verdict>>;
  /** Why an answer may lack something, by tool. */
  readonly reasons: Readonly<Partial<Record<AcrossTool, string>>>;
  /** What was found, also where it is not all. */
  readonly found: Readonly<Partial<Record<AcrossTool, readonly string[]>>>;
}

export function layoutWorld(layout: LayoutName): LayoutWorld {
  const world = realWorld('');
  const { root } = world.workspace;
  const core = layouts[layout](root);
  return {
    world,
    core,
    name: LOOKS.typescript.name,
    truth: truthOf(root, core),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Asks everything once, `find_references` first: the first question to a server is the one that lacks most. */
export async function judged(
  made: LayoutWorld,
  session: RealSession,
  tools: readonly AcrossTool[] = ACROSS_TOOLS,
): Promise<Judged> {
  const { world, truth } = made;
  const verdicts: Partial<Record<AcrossTool, Verdict>> = {};
  const reasons: Partial<Record<AcrossTool, string>> = {};
  const found: Partial<Record<AcrossTool, readonly string[]>> = {};
  for (const tool of tools) {
    const { places, reason } = await placesOf(session, world.workspace.root, tool, questionOf(tool, made));
    verdicts[tool] = reason === undefined ? compared(places, truth[tool]) : 'INCOMPLETE';
    if (reason !== undefined) reasons[tool] = reason;
    found[tool] = places;
  }
  // Whoever asks some tools only looks at those.
  return { verdicts: verdicts as Record<AcrossTool, Verdict>, reasons, found };
}

function questionOf(tool: AcrossTool, { core, name }: LayoutWorld): Arguments {
  switch (tool) {
    case 'find_references':
      return { file_path: core, symbol: name, limit: 200 };
    case 'find_callers':
      return { file_path: core, symbol: name, direction: 'incoming', limit: 200 };
    case 'go_to_implementation':
      return { file_path: core, symbol: 'Shape', limit: 200 };
    case 'find_symbol':
      return { query: 'Shape', limit: 200 };
  }
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

interface Callers {
  readonly incoming: readonly {
    readonly file: string;
    readonly call_sites: readonly {
      readonly file?: string;
      readonly line: number;
      readonly column: number;
    }[];
  }[];
}

async function placesOf(
  session: RealSession,
  root: string,
  tool: AcrossTool,
  args: Arguments,
): Promise<{ places: readonly string[]; reason?: string }> {
  const { raw, text, isError } = await session.frontEnd.call(tool, args);
  const answer = raw.structuredContent as {
    complete?: boolean;
    reason?: string;
    next_cursor?: string;
    data: unknown;
  };
  if (isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${text}`);
  const found: readonly Place[] =
    tool === 'find_callers'
      ? (answer.data as Callers).incoming.flatMap(({ file, call_sites }) =>
          call_sites.map((site) => ({ file, ...site })),
        )
      : (answer.data as readonly Place[]);
  const places = inOrder(
    found
      .map(({ file, line, column }) => `${path.relative(root, file)}:${line}:${column}`)
      .map((place) => (tool === 'find_symbol' ? lineOf(place) : place)),
  );
  const { next_cursor: cursor } = answer;
  const rest = cursor === undefined ? [] : (await placesOf(session, root, tool, { ...args, cursor })).places;
  const all = inOrder([...places, ...rest]);
  return answer.complete === true ? { places: all } : { places: all, reason: answer.reason ?? text };
}

function compared(found: readonly string[], truth: readonly string[]): Verdict {
  const missing = truth.filter((place) => !found.includes(place));
  // Declarations that were built of it are its declarations as well.
  const wrong = found.filter((place) => !truth.includes(place) && !/\.d\.ts:/.test(place));
  if (missing.length + wrong.length === 0) return 'exact';
  return `silently lacks ${missing.join(' ') || 'nothing'}, and has ${wrong.join(' ') || 'nothing'} too much`;
}

type Verdicts = Judged['verdicts'];

export const EXACT: Verdicts = {
  find_references: 'exact',
  find_callers: 'exact',
  go_to_implementation: 'exact',
  find_symbol: 'exact',
};

const NOTHING_EXACT: Verdicts = {
  find_references: 'INCOMPLETE',
  find_callers: 'INCOMPLETE',
  go_to_implementation: 'INCOMPLETE',
  find_symbol: 'INCOMPLETE',
};

/** Where imports lead nowhere, or elsewhere, names are still declared where they are. */
export const ONLY_SYMBOLS_EXACT: Verdicts = { ...NOTHING_EXACT, find_symbol: 'exact' };

export interface LayoutRun {
  readonly first: Judged;
  /** The same questions once more. */
  readonly second: Judged;
  /** How many servers run after them. */
  readonly servers: number;
}

export async function runLayout(layout: LayoutName, engine: 'auto' | 'own'): Promise<LayoutRun> {
  await using made = layoutWorld(layout);
  const session = await made.world.session('--typescript', engine);
  const first = await judged(made, session);
  const second = await judged(made, session);
  const { length: servers } = await sharedServers(made.world.workspace);
  await made.world.end();
  return { first, second, servers };
}
