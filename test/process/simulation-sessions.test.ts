/** Speculative sessions of several front ends on one server; `npm run soak:simulation` does the same with real servers and more of them. */
import { describe, expect, it } from 'vitest';
import { fakeServer } from '../support/fake-server.ts';
import { type StormProject, storm } from '../support/simulation-storm.ts';
import { createWorkspace } from '../support/workspace.ts';
import { writeFakeConfig } from '../tools/fake-session.ts';

const FAKE: StormProject = {
  language: 'fake',
  library: 'lib.fake',
  main: 'main.fake',
  anchor: 'return 1',
  breaking: 'return BROKEN',
  line: (number, isWrong) => `${isWrong ? 'ERROR' : 'fine'} m${number}\n`,
  mark: /\bm(\d+)\b/,
};

const FILES = `
//- lib.fake
function price
  return 1;
const old = ERROR 1;
//- main.fake
const total = price; // NEEDS lib.fake
`;

describe('speculative sessions of four front ends on one server', () => {
  it('each see only their own text, and leave disk and server as they were', {
    timeout: 120_000,
  }, async () => {
    await using workspace = createWorkspace(FILES);
    const server = fakeServer(workspace.scratch, { diagnostics: { profile: 'pull' } });
    const config = writeFakeConfig(workspace, server);
    const result = await storm(workspace, [FAKE], { sessions: 40, seed: 1, args: ['--config', config] });
    expect(result).toMatchObject({ sessions: 40, wrong: [], unknown: 0, diskChanged: [], leftInServer: [] });
    // One for all of them, and one more that was asked for at the end.
    expect(server.journal.received('initialize')).toHaveLength(2);
    expect(server.journal.violations()).toEqual([]);
    await workspace.expectNothingLeft();
  });
});
