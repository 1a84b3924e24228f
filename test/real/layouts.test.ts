/**
 * Workspaces as real repositories cut them, with TypeScript 5 installed: TypeScript 7 navigates what it accepts, and one
 * server serves the whole workspace. Answers are exact, or say what was not searched.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { LayoutName } from '../support/layouts.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { sharedServers } from '../support/real-session.ts';
import { EXACT, type LayoutRun, layoutWorld, ONLY_SYMBOLS_EXACT, runLayout } from './layout-session.ts';

/** Where the second in which occurrences are looked at can be over before all were. */
const isSaid = expect.stringMatching(/^(?:exact|INCOMPLETE)$/);
const EITHER = {
  find_references: isSaid,
  find_callers: isSaid,
  go_to_implementation: isSaid,
  find_symbol: isSaid,
};
const EXPECTED = [
  { layout: 'packages apart', expected: EXACT },
  { layout: 'solution of references', expected: EXACT },
  { layout: 'specs in a project of their own', expected: EXACT },
  { layout: 'paths to sources', expected: EXACT },
  { layout: 'a condition for sources', expected: EXACT },
  { layout: 'packages that are not built', expected: ONLY_SYMBOLS_EXACT },
  { layout: 'dropped options without effect', expected: EXACT },
  { layout: 'baseUrl that imports need', expected: EXACT },
  { layout: 'one package that needs baseUrl', expected: ONLY_SYMBOLS_EXACT },
  { layout: 'a few loose files', expected: EXACT },
  { layout: 'many loose files', expected: EITHER },
  { layout: 'JavaScript without configuration', expected: EXACT },
  { layout: 'a source that is a link', expected: ONLY_SYMBOLS_EXACT },
  { layout: 'sources in hidden directories', expected: EXACT },
  { layout: 'an example installed by itself', expected: EXACT },
] as const satisfies readonly { readonly layout: LayoutName; readonly expected: unknown }[];

describe.each(EXPECTED)('TypeScript 7 asked about $layout', ({ layout, expected }) => {
  let run: LayoutRun;
  beforeAll(async () => {
    run = await runLayout(layout, 'auto');
  });

  it('finds exactly what is there, or says what it has not searched', () => {
    expect(run.first.verdicts).toEqual(expected);
  });

  it('answers the same when it is asked again', () => {
    expect(run.second).toEqual(run.first);
  });

  it('is one server for the whole workspace', () => {
    expect(run.servers).toBe(1);
  });
});

/** What the line with the readiness of the server says, for a reader. */
async function referencesAsText(layout: LayoutName, env: Record<string, string> = {}): Promise<string> {
  await using made = layoutWorld(layout);
  const { workspace } = made.world;
  const frontEnd = await startFrontEnd({ workspace, env });
  const { text } = await frontEnd.call('find_references', { file_path: made.core, symbol: 'netPrice' });
  await frontEnd.close();
  await made.world.end();
  return text;
}

describe('which TypeScript navigates', () => {
  it('is version 7 where dropped options make no difference to imports', async () => {
    expect(await referencesAsText('dropped options without effect')).toMatch(
      /^6 references .*; typescript-go ready, complete;/,
    );
  });

  it('is the own one where imports need an option that version 7 has dropped', async () => {
    expect(await referencesAsText('baseUrl that imports need')).toMatch(
      /^6 references .*; typescript-language-server ready, complete;/,
    );
  });

  it('names a file of another package that version 7 would misread', async () => {
    expect(await referencesAsText('one package that needs baseUrl')).toMatch(
      /^INCOMPLETE: typescript-go does not accept .* such as packages\/based\/src\/main\.ts/,
    );
  });

  // Only other projects are looked at for what was misread, and not the one that is asked about.
  it('says what it has misread of the project itself when it is told to be version 7', async () => {
    expect(await referencesAsText('baseUrl that imports need', { AGENT_LSP_TYPESCRIPT: '7' })).toMatch(
      /^INCOMPLETE: .*src\/(?:alpha|beta)\/index\.ts/,
    );
  });

  it('names the file and the package where an import leads to what is not built', async () => {
    expect(await referencesAsText('packages that are not built')).toMatch(
      /^INCOMPLETE: 2 files .* import @mono\/core, not built here, .* such as packages\/alpha\/src\/index\.ts/,
    );
  });

  it('accounts for more loose files than are opened before the question', async () => {
    expect(await referencesAsText('many loose files')).toMatch(
      /213 references .* in 71 files; 214 of 214 occurrences accounted for; .* complete|^INCOMPLETE: /,
    );
  });

  it('names the link through which a source is imported', async () => {
    expect(await referencesAsText('a source that is a link')).toMatch(
      /^INCOMPLETE: .* such as src\/alias\.ts/,
    );
  });
});

// The command line takes the 7 for a number, which is none of its choices.
it('--typescript 7 is accepted as AGENT_LSP_TYPESCRIPT=7 is', async () => {
  await using made = layoutWorld('packages apart');
  const session = await made.world.session('--typescript', '7');
  await session.frontEnd.close();
  await made.world.end();
});

describe('how many servers run', () => {
  it('is one more when the own version is first asked for problems', async () => {
    await using made = layoutWorld('packages apart');
    const { world, core } = made;
    const session = await world.session();
    await session.ask('find_references', { file_path: core, symbol: 'netPrice' });
    expect(await sharedServers(world.workspace)).toHaveLength(1);
    world.edit(core, 'return amount - 1;', "return 'wrong';");
    expect(await session.problems(core)).toEqual(['14 TS2322']);
    expect(await session.problems('packages/p3/src/m0.ts')).toEqual([]);
    expect(await sharedServers(world.workspace)).toHaveLength(2);
    await world.end();
  });

  it.each(['own', '7'])('is one for everything when %s is chosen', async (AGENT_LSP_TYPESCRIPT) => {
    await using made = layoutWorld('packages apart');
    const { world, core } = made;
    const { workspace } = world;
    const frontEnd = await startFrontEnd({ workspace, env: { AGENT_LSP_TYPESCRIPT } });
    await frontEnd.call('find_references', { file_path: core, symbol: 'netPrice' });
    world.edit(core, 'return amount - 1;', "return 'wrong';");
    expect((await frontEnd.call('get_diagnostics', { file_path: core })).text).toContain('TS2322');
    expect(await sharedServers(workspace)).toHaveLength(1);
    await frontEnd.close();
    await world.end();
  });

  it('is one for each version that navigates', async () => {
    await using made = layoutWorld('one package that needs baseUrl');
    const { world, core } = made;
    const session = await world.session();
    await session.ask('find_references', { file_path: core, symbol: 'netPrice' });
    expect(await sharedServers(world.workspace)).toHaveLength(1);
    const use = { file_path: 'packages/based/src/main.ts', position_pattern: 'return @@netPrice(1)' };
    expect(await session.places('go_to_definition', use)).toEqual([`${core}:13:17`]);
    expect(await sharedServers(world.workspace)).toHaveLength(2);
    await world.end();
  });

  it('is two where an example beside the workspace is installed by itself', async () => {
    await using made = layoutWorld('an example installed by itself');
    const { world, core } = made;
    const session = await world.session();
    const use = { file_path: 'example/src/main.ts', position_pattern: 'return @@netPrice(1)' };
    expect(await session.places('go_to_definition', use)).toEqual([`${core}:13:17`]);
    expect(await sharedServers(world.workspace)).toHaveLength(1);
    await session.ask('find_references', { file_path: core, symbol: 'netPrice' });
    expect(await sharedServers(world.workspace)).toHaveLength(2);
    await world.end();
  });
});
