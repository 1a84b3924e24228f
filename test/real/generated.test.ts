/**
 * Workspaces as Lerna, Nx, Turborepo, uv and Poetry lay them out: one server for all members, whose answers are exact or
 * say what was not searched, and which knows in one member what has changed in the other.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { GeneratedName } from '../support/generated-workspaces.ts';
import { type GeneratedRun, generatedWorld, runGenerated } from './generated-session.ts';
import { EXACT, ONLY_SYMBOLS_EXACT } from './layout-session.ts';

const ALL_EXACT = { verdicts: EXACT, fromUse: 'exact', rename: 'exact' };
const { go_to_implementation: _, ...OF_PYTHON } = EXACT;
const PYTHON_EXACT = { ...ALL_EXACT, verdicts: OF_PYTHON };
const NOT_FOLLOWED = { verdicts: ONLY_SYMBOLS_EXACT, fromUse: 'INCOMPLETE', rename: 'INCOMPLETE' };
const PYTHON_NOT_FOLLOWED = {
  ...NOT_FOLLOWED,
  verdicts: { find_references: 'INCOMPLETE', find_callers: 'INCOMPLETE', find_symbol: 'exact' },
};

interface Case {
  readonly workspace: GeneratedName;
  readonly engine: 'auto' | 'own';
  readonly expected: Pick<GeneratedRun, 'verdicts' | 'fromUse' | 'rename'>;
  /** Before anybody is asked what is wrong: that is the business of a second one where the versions differ. */
  readonly servers: number;
}

const CASES: readonly Case[] = [
  { workspace: 'lerna, linked and not built', engine: 'auto', expected: NOT_FOLLOWED, servers: 1 },
  { workspace: 'lerna, linked and built without maps', engine: 'auto', expected: NOT_FOLLOWED, servers: 1 },
  { workspace: 'lerna, linked and built', engine: 'own', expected: ALL_EXACT, servers: 1 },
  { workspace: 'lerna, linked, with references', engine: 'auto', expected: ALL_EXACT, servers: 1 },
  { workspace: 'lerna in npm workspaces', engine: 'own', expected: ALL_EXACT, servers: 1 },
  { workspace: 'nx without packages', engine: 'auto', expected: ALL_EXACT, servers: 1 },
  { workspace: 'nx without packages', engine: 'own', expected: ALL_EXACT, servers: 1 },
  { workspace: 'nx without packages, as it was', engine: 'auto', expected: ALL_EXACT, servers: 1 },
  { workspace: 'turbo in npm workspaces', engine: 'own', expected: ALL_EXACT, servers: 1 },
  { workspace: 'turbo in a pnpm workspace', engine: 'auto', expected: ALL_EXACT, servers: 1 },
  { workspace: 'uv workspace', engine: 'auto', expected: PYTHON_EXACT, servers: 1 },
  { workspace: 'uv workspace, not synced', engine: 'auto', expected: PYTHON_NOT_FOLLOWED, servers: 1 },
  { workspace: 'uv workspace with checks in a member', engine: 'auto', expected: PYTHON_EXACT, servers: 2 },
  { workspace: 'poetry by a path behind a path', engine: 'auto', expected: PYTHON_EXACT, servers: 1 },
  { workspace: 'poetry without a project at the top', engine: 'auto', expected: PYTHON_EXACT, servers: 2 },
  { workspace: 'poetry by paths', engine: 'auto', expected: PYTHON_EXACT, servers: 1 },
];

describe.each(CASES)('$workspace, --typescript $engine', ({ workspace, engine, expected, servers }) => {
  let run: GeneratedRun;
  beforeAll(async () => {
    run = await runGenerated(workspace, engine);
  });

  it('is answered exactly, or with what was not searched', () => {
    expect(run).toMatchObject(expected);
  });

  it('has its members in one server', () => {
    expect(run.servers).toBe(servers);
  });

  it('has the problems that a change in one member brings to the other', () => {
    expect(run.problems).toEqual(run.expected);
  });
});

// Pyright takes the other project for a library, which it looks at again only some seconds after a change.
it('a project knows at once what has changed in another one that is installed in its environment', async () => {
  await using made = generatedWorld('poetry without a project at the top');
  const { world, core } = made;
  const session = await world.session();
  const user = 'apps/app/shop_app/main.py';
  expect(await session.problems(user)).toEqual([]);
  world.edit(core, 'amount: int', 'amount: str');
  const wrong = 'reportArgumentType';
  expect(await session.problems(user)).toEqual([`6 ${wrong}`, `9 ${wrong}`, `9 ${wrong}`]);
  await world.end();
});

it('pyright offers no implementations, which is said', async () => {
  await using made = generatedWorld('uv workspace');
  const session = await made.world.session();
  const refusal = await session.refused('go_to_implementation', { file_path: made.core, symbol: 'Shape' });
  expect(refusal).toContain('pyright does not support textDocument/implementation');
  await made.world.end();
});
