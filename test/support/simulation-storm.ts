/**
 * Many speculative sessions at once, from several front ends, on the same few files with texts that contradict each
 * other. Each text has a mistake with a name of its own, so that whoever sees another's text gives itself away.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type FrontEnd, startFrontEnd } from './mcp-client.ts';
import { runProgram } from './real-session.ts';
import { type Random, seeded } from './truth/model.ts';
import type { Workspace } from './workspace.ts';

/** A project of two files in one language: the second uses the first. */
export interface StormProject {
  readonly language: string;
  readonly library: string;
  readonly main: string;
  /** Stands once in the library. */
  readonly anchor: string;
  /** A line with an error that names the number, or the same without. */
  line(number: number, isWrong: boolean): string;
  /** What an error of such a line speaks of, and of nothing else. */
  readonly mark: RegExp;
  /** In place of the anchor: breaks the other file. */
  readonly breaking: string;
}

export interface StormOptions {
  readonly sessions: number;
  readonly seed: number;
  readonly frontEnds?: number;
  readonly args?: readonly string[];
}

export interface StormResult {
  readonly sessions: number;
  readonly evaluations: number;
  /** What a session saw and should not have, or did not see. */
  readonly wrong: readonly string[];
  /** Answers that did not claim to know. */
  readonly unknown: number;
  readonly confidences: Readonly<Record<string, number>>;
  readonly diskChanged: readonly string[];
  /** What the server says of a file at the end and not when it was started anew. */
  readonly leftInServer: readonly string[];
  readonly ms: number;
  readonly evaluationMs: readonly number[];
}

const AT_ONCE = 5;

interface Evaluation {
  readonly errors_introduced: readonly { readonly file: string; readonly message: string }[];
  readonly errors_resolved: readonly unknown[];
  readonly confidence: string;
  readonly timeout: boolean;
}

export async function storm(
  workspace: Workspace,
  projects: readonly StormProject[],
  { sessions, seed, frontEnds: count = 4, args = [] }: StormOptions,
): Promise<StormResult> {
  const began = performance.now();
  const before = hashesIn(workspace.root);
  const frontEnds = await Promise.all(
    Array.from({ length: count }, () =>
      startFrontEnd({ workspace, args: ['--output', 'json', '--daemon', 'always', ...args] }),
    ),
  );
  const wrong: string[] = [];
  const confidences: Record<string, number> = {};
  const evaluationMs: number[] = [];
  let unknown = 0;
  const evaluated = async (frontEnd: FrontEnd, trial: Trial, id: string): Promise<void> => {
    const asked = performance.now();
    const found = await asking<Evaluation>(frontEnd, 'evaluate_session', {
      session_id: id,
      scope: trial.scope,
    });
    evaluationMs.push(performance.now() - asked);
    confidences[found.confidence] = (confidences[found.confidence] ?? 0) + 1;
    if (found.timeout || found.confidence === 'low') unknown += 1;
    else wrong.push(...faultsOf(trial, found));
  };
  const numbers = Array.from({ length: sessions }, (_, number) => number).values();
  const worker = async (frontEnd: FrontEnd) => {
    for (const number of numbers) {
      const project = projects[number % projects.length];
      if (!project) throw new Error('no project');
      // By its number, so that a trial is the same whoever comes to it.
      const random = seeded(seed * 10_007 + number);
      const trial = trialOf(project, number, random);
      const { session_id: id } = await asking<{ session_id: string }>(frontEnd, 'create_simulation_session', {
        language: project.language,
      });
      for (const edit of trial.edits) await asking(frontEnd, 'simulate_edit', { session_id: id, ...edit });
      await evaluated(frontEnd, trial, id);
      if (random() < 0.2) await evaluated(frontEnd, trial, id);
      await asking(frontEnd, trial.end, { session_id: id });
    }
  };
  try {
    await Promise.all(
      frontEnds.flatMap((frontEnd) => Array.from({ length: AT_ONCE }, () => worker(frontEnd))),
    );
    const after = hashesIn(workspace.root);
    const [first] = frontEnds;
    return {
      sessions,
      evaluations: evaluationMs.length,
      wrong,
      unknown,
      confidences,
      diskChanged: [...after].filter(([name, hash]) => before.get(name) !== hash).map(([name]) => name),
      leftInServer: first ? await leftBehind(first, projects) : [],
      ms: Math.round(performance.now() - began),
      evaluationMs,
    };
  } finally {
    await Promise.all(frontEnds.map((frontEnd) => frontEnd.close()));
    await runProgram(workspace, 'daemon-stop', '--all', '--now');
  }
}

interface Trial {
  readonly number: number;
  readonly project: StormProject;
  readonly scope: 'file' | 'workspace';
  readonly edits: readonly object[];
  readonly isWrong: boolean;
  readonly isBreaking: boolean;
  readonly end: 'discard_session' | 'destroy_session' | 'commit_session';
}

function trialOf(project: StormProject, number: number, random: Random): Trial {
  const isWrong = random() < 0.7;
  const isBreaking = random() < 0.3;
  const { library, main, anchor, breaking } = project;
  const line = project.line(number, isWrong);
  const inLibrary = isBreaking || random() < 0.5;
  // What was wrong in the files before moves down; that must not make it new.
  const file_path = inLibrary ? library : main;
  const edits = [
    { file_path, start_line: 1, start_column: 1, end_column: 1, new_text: line },
    ...(isBreaking ? [{ file_path: library, old_text: anchor, new_text: breaking }] : []),
  ];
  const ends = ['discard_session', 'destroy_session', 'commit_session'] as const;
  return {
    number,
    project,
    scope: isBreaking ? 'workspace' : 'file',
    edits,
    isWrong,
    isBreaking,
    end: ends[Math.floor(random() * ends.length)] ?? 'discard_session',
  };
}

function faultsOf({ number, project, isWrong, isBreaking }: Trial, found: Evaluation): string[] {
  const marks = found.errors_introduced.map(({ message }) => project.mark.exec(message)?.[1]);
  const others = marks.filter((mark) => mark !== undefined && Number(mark) !== number);
  const own = marks.filter((mark) => Number(mark) === number).length;
  const broken = found.errors_introduced.some(
    ({ file, message }) => file.endsWith(project.main) && !project.mark.test(message),
  );
  const unmarked = marks.filter((mark) => mark === undefined).length;
  return [
    ...(others.length > 0 ? [`${number} saw the text of ${others.join(', ')}`] : []),
    ...(own > 0 !== isWrong
      ? [`${number} ${isWrong ? 'did not see its own mistake' : 'saw a mistake'}`]
      : []),
    ...(broken !== isBreaking ? [`${number}: the other file is ${broken ? '' : 'not '}broken`] : []),
    ...(!isBreaking && unmarked > 0 ? [`${number}: ${JSON.stringify(found.errors_introduced)}`] : []),
    ...(found.errors_resolved.length > 0 ? [`${number} mended something`] : []),
  ];
}

/** What the servers say about all files, now and after a new start, from the disk alone. */
async function leftBehind(frontEnd: FrontEnd, projects: readonly StormProject[]): Promise<string[]> {
  const files = projects.flatMap(({ library, main }) => [library, main]);
  const say = () =>
    Promise.all(
      files.map(async (file) => ({
        file,
        diagnostics: await asking(frontEnd, 'get_diagnostics', { file_path: file }),
        symbols: await asking(frontEnd, 'list_symbols', { file_path: file }),
      })),
    );
  const now = await say();
  for (const { language } of projects)
    await asking(frontEnd, 'restart_lsp_server', { language_id: language });
  const anew = await say();
  return files.filter((_, index) => JSON.stringify(now[index]) !== JSON.stringify(anew[index]));
}

async function asking<T>(frontEnd: FrontEnd, tool: string, args: object): Promise<T> {
  const { json, isError, text } = await frontEnd.call(tool, { ...args }, { timeoutMs: 120_000 });
  if (isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${text}`);
  return json as T;
}

function hashesIn(root: string): ReadonlyMap<string, string> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [file, createHash('sha1').update(readFileSync(file)).digest('hex')];
    }),
  );
}
