import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, showsForms } from '../../../../src/frontend/mcp/elicitation.ts';
import { ClientQuestions } from '../../../../src/frontend/mcp/fast-path/client-questions.ts';
import { RoundTrips, type RunCall } from '../../../../src/frontend/mcp/round-trips.ts';
import type { CallResult } from '../../../../src/frontend/mcp/tool-calls.ts';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const CALL = { name: 'rename_symbol', args: { new_name: 'b' }, state: undefined, answers: undefined };
const ACCEPT = { consent: { action: 'accept' } };

const result = (text: string): CallResult => ({ content: [{ type: 'text', text }] });

/** A call that asks as often as it is told to, and counts how often it was begun. */
function asking(questions = 1) {
  const state = { begun: 0, heard: [] as string[] };
  const run: RunCall = async ({ askUser, signal }) => {
    state.begun += 1;
    for (let number = 1; number <= questions; number++)
      state.heard.push((await askUser?.(`question ${number}`, signal).catch(failureKind)) ?? '');
    return result(state.heard.join(' '));
  };
  return { state, run };
}

const failureKind = (error: unknown) => (failureOf(error)?.kind ?? 'unknown') as 'declined';
const caller = () => ({ signal: new AbortController().signal, progress: () => {} });

function stateOf(answer: unknown): string {
  expect(answer).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
  return String(Reflect.get(Object(answer), 'requestState'));
}

describe('questions as answers of calls', () => {
  it('ends a call that has none with its result', async () => {
    const { run } = asking(0);
    expect(await new RoundTrips().next(CALL, caller(), run)).toEqual(result(''));
  });

  it('goes on where the call stopped, question after question', async () => {
    const trips = new RoundTrips(new FakeClock());
    const { run, state } = asking(2);
    const first = await trips.next(CALL, caller(), run);
    expect(first).toMatchObject({
      inputRequests: { consent: { method: 'elicitation/create', params: { message: 'question 1' } } },
    });
    const second = await trips.next({ ...CALL, state: stateOf(first), answers: ACCEPT }, caller(), run);
    expect(second).toMatchObject({ inputRequests: { consent: { params: { message: 'question 2' } } } });
    const no = { consent: { action: 'cancel' } };
    const last = await trips.next({ ...CALL, state: stateOf(second), answers: no }, caller(), run);
    expect(last).toEqual(result('accepted declined'));
    expect(state.begun).toBe(1);
  });

  it('asks again when the client calls again without an answer', async () => {
    const trips = new RoundTrips(new FakeClock());
    const { run, state } = asking();
    const first = await trips.next(CALL, caller(), run);
    const again = await trips.next({ ...CALL, state: stateOf(first) }, caller(), run);
    expect(again).toMatchObject({ inputRequests: { consent: { params: { message: 'question 1' } } } });
    expect(await trips.next({ ...CALL, state: stateOf(again), answers: ACCEPT }, caller(), run)).toEqual(
      result('accepted'),
    );
    expect(state.begun).toBe(1);
  });

  it('takes an answer for what was asked only', async () => {
    const trips = new RoundTrips(new FakeClock());
    const { run, state } = asking();
    const asked = stateOf(await trips.next(CALL, caller(), run));
    for (const other of [
      { ...CALL, state: 'made up', answers: ACCEPT },
      { ...CALL, state: asked, args: { new_name: 'c' }, answers: ACCEPT },
      { ...CALL, state: asked, name: 'apply_edit', answers: ACCEPT },
    ])
      stateOf(await trips.next(other, caller(), run));
    expect(state.heard).toEqual([]);
    const round = { ...CALL, state: asked, answers: ACCEPT };
    expect(await trips.next(round, caller(), run)).toEqual(result('accepted'));
    // The same answer a second time is one to a question that is not open any more.
    stateOf(await trips.next(round, caller(), run));
    expect(state.heard).toEqual(['accepted']);
  });

  it('gives up what nobody answers: in time, in number, and at the end', async () => {
    const clock = new FakeClock();
    const trips = new RoundTrips(clock);
    const late = asking();
    await trips.next(CALL, caller(), late.run);
    await clock.advance(PATIENCE_MS);
    expect(late.state.heard).toEqual(['cancelled']);
    const calls = Array.from({ length: 18 }, () => asking());
    for (const { run } of calls) await trips.next(CALL, caller(), run);
    await clock.advance(0);
    expect(calls.map(({ state }) => state.heard.length)).toEqual([1, 1, ...Array(16).fill(0)]);
    trips.close();
    await clock.advance(0);
    expect(calls.every(({ state }) => state.heard[0] === 'cancelled')).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('cancels the call with the request that waits for it', async () => {
    const controller = new AbortController();
    const run: RunCall = ({ signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(result('cancelled'))));
    const waiting = new RoundTrips().next(CALL, { ...caller(), signal: controller.signal }, run);
    controller.abort();
    expect(await waiting).toEqual(result('cancelled'));
  });
});

describe('questions as requests', () => {
  function questions() {
    const sent: Record<string, unknown>[] = [];
    return { sent, asker: new ClientQuestions(async (message) => void sent.push({ ...message })) };
  }

  it('takes its own answers only', async () => {
    const { sent, asker } = questions();
    const { signal } = new AbortController();
    const answers = [asker.ask('a?', signal), asker.ask('b?', signal), asker.ask('c?', signal)];
    const [a, b, c] = sent.map(({ id }) => id);
    expect(sent[0]).toMatchObject({ method: 'elicitation/create', params: { message: 'a?' } });
    expect(asker.takes({ id: 1, result: { action: 'accept' } })).toBe(false);
    expect(asker.takes({ id: b, result: { action: 'accept' } })).toBe(true);
    expect(asker.takes({ id: a, result: { action: 'decline' } })).toBe(true);
    expect(asker.takes({ id: a, result: { action: 'accept' } })).toBe(false);
    expect(asker.takes({ id: c, error: { code: -32601, message: 'no such method' } })).toBe(true);
    expect(await Promise.all(answers)).toEqual(['declined', 'accepted', 'cannot-ask']);
  });

  it('takes the question back when the call is cancelled', async () => {
    const { sent, asker } = questions();
    const controller = new AbortController();
    const answer = asker.ask('a?', controller.signal);
    controller.abort();
    await expect(answer).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
    expect(sent[1]).toEqual({ method: 'notifications/cancelled', params: { requestId: sent[0]?.id } });
    await expect(asker.ask('b?', controller.signal)).rejects.toMatchObject({
      failure: { kind: 'cancelled' },
    });
    expect(sent).toHaveLength(2);
  });

  it('knows which clients show forms', () => {
    for (const yes of [
      { elicitation: {} },
      { elicitation: { form: {} } },
      { elicitation: { form: {}, url: {} } },
    ])
      expect(showsForms(yes)).toBe(true);
    for (const no of [undefined, {}, { elicitation: null }, { elicitation: { url: {} } }, 'elicitation'])
      expect(showsForms(no)).toBe(false);
  });
});
