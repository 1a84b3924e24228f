import { describe, expect, it } from 'vitest';
import { askEach } from '../../../../src/frontend/ask/questions.ts';
import type { ToolContext } from '../../../../src/frontend/tools/context.ts';
import { deferred } from '../../../../src/shared/base/lifetime.ts';
import type { ServerLink, ServerState } from '../../../../src/shared/link/server-link.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const READY: ServerState = { kind: 'ready', proof: 'handshake' };
const STARTING: ServerState = { kind: 'starting', sinceMs: 0 };
const PATIENCE_MS = 3_500;

describe('a question to several servers', () => {
  it('is answered by those that are ready when another one has just been started', async () => {
    const { asked, clock } = askedOf([READY, STARTING]);
    await clock.advance(PATIENCE_MS);
    const { answers, failures } = await asked;
    expect(answers).toEqual(['ready']);
    expect(failures).toMatchObject([{ language: 'made-up', isFault: true, retryMs: expect.any(Number) }]);
    expect(failures[0]?.why).toContain('a further server is still loading what workspace/symbol needs');
    expect(clock.pending).toBe(0);
  });

  it('waits for the first of them to start', async () => {
    const { asked, clock, start } = askedOf([STARTING, STARTING]);
    await clock.advance(10 * PATIENCE_MS);
    start();
    expect((await asked).answers).toEqual(['starting', 'starting']);
  });
});

function askedOf(states: readonly ServerState[]) {
  const clock = new FakeClock();
  const started = deferred<void>();
  const context = { clock, patienceMs: () => PATIENCE_MS } as unknown as ToolContext;
  const links = states.map((state) => ({ state, language: 'made-up' }) as unknown as ServerLink);
  const asked = askEach(context, links, 'workspace/symbol', async ({ state }) => {
    if (state.kind === 'starting') await started.promise;
    return state.kind;
  });
  return { asked, clock, start: () => started.resolve() };
}
