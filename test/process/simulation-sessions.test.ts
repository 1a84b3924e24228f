/** Speculative sessions of several front ends on one server; `npm run soak:simulation` does the same with real servers and more of them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BARRIER_METHOD } from '../../src/shared/host/protocol/barrier.ts';
import type { Journal } from '../support/events.ts';
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
    const result = await storm(workspace, [FAKE], { sessions: 60, seed: 1, args: ['--config', config] });
    const { windows, leaks } = windowsIn(server.journal);
    expect(windows).toBeGreaterThanOrEqual(result.evaluations);
    expect(leaks).toEqual([]);
    expect(result).toMatchObject({ sessions: 60, wrong: [], unknown: 0, diskChanged: [], leftInServer: [] });
    // One for all of them, and one more that was asked for at the end.
    expect(server.journal.received('initialize')).toHaveLength(2);
    expect(server.journal.violations()).toEqual([]);
    await workspace.expectNothingLeft();
  });
});

interface Sent {
  readonly textDocument: { readonly uri: string; readonly text?: string };
  readonly contentChanges?: readonly { readonly text: string }[];
}

/**
 * What the server was sent, once more: in each window texts of one session, behind it the disk's. What is there for a
 * moment only, or in a file that nobody asks about just then, need not show in any answer.
 */
function windowsIn(journal: Journal): { windows: number; leaks: readonly string[] } {
  const texts = new Map<string, string | undefined>();
  const leaks: string[] = [];
  let windows = 0;
  for (const { event, method, message } of journal.entries()) {
    if (event !== 'received') continue;
    const { textDocument, contentChanges } = (message?.params ?? {}) as Sent;
    if (method === 'initialize') texts.clear();
    if (method === 'textDocument/didOpen') texts.set(textDocument.uri, textDocument.text);
    if (method === 'textDocument/didChange') texts.set(textDocument.uri, contentChanges?.at(-1)?.text);
    if (method === 'textDocument/didClose') texts.delete(textDocument.uri);
    const tried = new Set([...texts.values()].flatMap((text = '') => FAKE.mark.exec(text)?.[1] ?? []));
    if (tried.size > 1) leaks.push(`${[...tried].join(' and ')} together in window ${windows + 1}`);
    if (method !== BARRIER_METHOD) continue;
    windows++;
    for (const [uri, text] of texts)
      if (text !== readFileSync(fileURLToPath(uri), 'utf8')) leaks.push(`${uri} behind window ${windows}`);
  }
  return { windows, leaks };
}
