/** The questions that are asked about every generated workspace, and what the answers are worth. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import {
  type GeneratedName,
  type GeneratedWorkspace,
  generatedWorkspaces,
  makeGenerated,
} from '../support/generated-workspaces.ts';
import { ACROSS_TOOLS, type AcrossTool, LOOKS, lineOf, truthOf } from '../support/layout-truth.ts';
import { TYPESCRIPT_5 } from '../support/monorepo.ts';
import { type RealSession, type RealWorld, realWorld, sharedServers } from '../support/real-session.ts';
import { judged, type LayoutWorld, type Verdict } from './layout-session.ts';

export interface GeneratedRun {
  readonly verdicts: Readonly<Partial<Record<AcrossTool, Verdict>>>;
  /** Asked about from a use in the other member. */
  readonly fromUse: Verdict;
  readonly rename: Verdict;
  /** Lines with problems in the other member after the declaration has changed, and those that its compiler names. */
  readonly problems: readonly number[];
  readonly expected: readonly number[];
  readonly servers: number;
}

/** Pyright offers no implementations, which is said; see the test of that. */
const PYTHON_TOOLS = ACROSS_TOOLS.filter((tool) => tool !== 'go_to_implementation');
/** What was built is not what was written. */
const WRITTEN = { ...LOOKS.typescript, sources: /(?<!\.d)\.tsx?$/ };

export function generatedWorld(name: GeneratedName): LayoutWorld {
  const generated: GeneratedWorkspace = generatedWorkspaces[name];
  const { core, language } = generated;
  const world = realWorld(generated.text);
  makeGenerated(generated, world.workspace);
  const looks = language === 'typescript' ? WRITTEN : LOOKS[language];
  return {
    world,
    core,
    name: looks.name,
    truth: truthOf(world.workspace.root, core, looks),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

export async function runGenerated(name: GeneratedName, engine: 'auto' | 'own'): Promise<GeneratedRun> {
  await using made = generatedWorld(name);
  const generated: GeneratedWorkspace = generatedWorkspaces[name];
  const { world } = made;
  const session = await world.session('--typescript', engine);
  const tools = generated.language === 'python' ? PYTHON_TOOLS : ACROSS_TOOLS;
  const { verdicts } = await judged(made, session, tools);
  const fromUse = await askedFromUse(session, made, generated);
  const rename = await renamed(session, made);
  const { length: servers } = await sharedServers(world.workspace);
  const problems = await problemsAfterChange(session, made, generated);
  const expected = expectedProblems(world, made, generated);
  await world.end();
  return { verdicts, fromUse, rename, problems, expected, servers };
}

interface Answered {
  readonly complete?: boolean;
  readonly data: unknown;
}

async function askedFromUse(
  session: RealSession,
  { world, core, name, truth }: LayoutWorld,
  { user }: GeneratedWorkspace,
): Promise<Verdict> {
  const use = { file_path: user, position_pattern: `return @@${name}(2)`, include_declaration: true };
  const { raw, text, isError } = await session.frontEnd.call('find_references', use);
  if (isError) throw new Error(text);
  const { complete, data } = raw.structuredContent as unknown as Answered;
  if (complete !== true) return 'INCOMPLETE';
  const { root } = world.workspace;
  const places = (data as readonly { file: string; line: number }[]).map(
    ({ file, line }) => `${path.relative(root, file)}:${line}`,
  );
  const lacks = truth.find_references.map(lineOf).filter((line) => !places.includes(line));
  const isDeclared = places.some((place) => place.startsWith(`${core}:`));
  return lacks.length === 0 && isDeclared ? 'exact' : `silently lacks ${lacks.join(' ')} or its declaration`;
}

interface Preview {
  readonly files: readonly { readonly file: string; readonly edits: number }[];
}

async function renamed(session: RealSession, { world, core, name, truth }: LayoutWorld): Promise<Verdict> {
  const args = { file_path: core, symbol: name, new_name: `${name}Again`, dry_run: true, trial_ms: 30_000 };
  const { raw, text, isError } = await session.frontEnd.call('rename_symbol', args);
  if (isError) throw new Error(text);
  const { complete, data } = raw.structuredContent as unknown as Answered;
  if (complete !== true) return 'INCOMPLETE';
  const { root } = world.workspace;
  const edits = (data as Preview).files.map(
    ({ file, edits: count }) => `${path.relative(root, file)} ${count}`,
  );
  const files = [...truth.find_references.map(fileOf), core];
  const expected = [...new Set(files)].map(
    (file) => `${file} ${files.filter((each) => each === file).length}`,
  );
  const same = edits.sort().join() === expected.sort().join();
  return same ? 'exact' : `changes ${edits.join(', ')} where there are ${expected.join(', ')}`;
}

function fileOf(place: string): string {
  return place.replace(/:\d+:\d+$/, '');
}

const CHANGES = {
  typescript: { from: 'amount: number', to: 'amount: string' },
  python: { from: 'amount: int', to: 'amount: str' },
} as const;

/** The other member was looked at before, so that what is then known of it is known to be out of date. */
async function problemsAfterChange(
  session: RealSession,
  { world, core }: LayoutWorld,
  { user, language }: GeneratedWorkspace,
): Promise<readonly number[]> {
  await session.problems(user);
  const { from, to } = CHANGES[language];
  world.edit(core, from, to);
  const found = await session.problems(user);
  return found.map((problem) => Number.parseInt(problem, 10));
}

/** By the compiler that the workspace has; of Python each call is wrong, or the import where nothing is installed. */
function expectedProblems(
  { workspace }: RealWorld,
  { name }: LayoutWorld,
  { user, config, installed }: GeneratedWorkspace,
): readonly number[] {
  if (config === undefined && installed === undefined) return [1];
  if (config === undefined)
    return workspace
      .read(user)
      .split('\n')
      .flatMap((line, index) =>
        line
          .split(`${name}(`)
          .slice(1)
          .map(() => index + 1),
      );
  const compiler = path.join(TYPESCRIPT_5, 'bin/tsc');
  const args = [compiler, config.isBuilt ? '-b' : '-p', config.file, '--pretty', 'false'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: workspace.root, encoding: 'utf8' });
  return [...stdout.matchAll(/^(.+?)\((\d+),\d+\): error /gm)]
    .filter(([, file]) => file === user)
    .map(([, , line]) => Number(line));
}
