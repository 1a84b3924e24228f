import { describe, expect, it } from 'vitest';
import { baseText } from '../../../../../src/frontend/features/edits/plan/edit-plan.ts';
import {
  confidenceIn,
  type Grounds,
  hasTimedOut,
} from '../../../../../src/frontend/features/simulation/confidence.ts';
import type {
  SimulatedFile,
  SimulationSession,
} from '../../../../../src/frontend/features/simulation/session.ts';
import { Simulations } from '../../../../../src/frontend/features/simulation/simulations.ts';
import { type Failure, FailureError, failureOf } from '../../../../../src/shared/base/failure.ts';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';
import type { DiagnosticReport, Freshness } from '../../../../../src/shared/link/server-link.ts';

const FILE = absolutePath('/w/a.ts');
const { signal } = new AbortController();

function file(text: string, version = 1): SimulatedFile {
  return { path: FILE, base: baseText('before', { bom: false, mode: 0o644 }), text, version };
}

function newSession(simulations = new Simulations()): SimulationSession {
  return simulations.create({ root: absolutePath('/w'), language: undefined });
}

/** What is refused, with the sentence that says why. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    const failure = failureOf(error);
    if (failure?.kind === 'invalid-input') return `${failure.message}. ${failure.next}`;
    throw error;
  }
  throw new Error('it was not refused');
}

async function failing(session: SimulationSession, failure: Failure): Promise<void> {
  await expect(session.evaluate(() => Promise.reject(new FailureError(failure)))).rejects.toThrow(
    failure.kind,
  );
}

describe('a speculative session', () => {
  it('goes from created over mutated and evaluating to evaluated, and back with the next edit', async () => {
    const session = newSession();
    expect(session.id).toMatch(/^[0-9a-f]{32}$/);
    expect(session.state.kind).toBe('created');
    session.put([file('one')]);
    expect(session.state.kind).toBe('mutated');
    await session.evaluate(async () => expect(session.state.kind).toBe('evaluating'));
    expect(session.state.kind).toBe('evaluated');
    session.put([file('two', 2)]);
    expect(session.state.kind).toBe('mutated');
    expect(session.files).toEqual([file('two', 2)]);
  });

  it('is not evaluated or committed before it has an edit', async () => {
    const session = newSession();
    await expect(session.evaluate(async () => {})).rejects.toThrow('cannot be evaluated: it is created');
    await expect(session.commit(async () => ({ isOver: true }))).rejects.toThrow('simulate_edit');
  });

  it.each(['committed', 'discarded'] as const)('refuses everything once it is %s', async (end) => {
    const session = newSession();
    session.put([file('one')]);
    if (end === 'discarded') session.discard();
    else await session.commit(async () => ({ isOver: true }));
    expect(session.state.kind).toBe(end);
    expect(session.files).toEqual([]);
    expect(refusal(() => session.put([file('two')]))).toBe(
      `session ${session.id} cannot be edited: it is ${end}. Begin a new one with create_simulation_session`,
    );
    await expect(session.evaluate(async () => {})).rejects.toThrow(`it is ${end}`);
    expect(refusal(() => session.discard())).toContain(`it is ${end}`);
  });

  it('stays as it is when a commit has not written', async () => {
    const session = newSession();
    session.put([file('one')]);
    await session.commit(async () => ({ isOver: false }));
    expect(session.state.kind).toBe('mutated');
  });

  it('W11: is dirty after a failure of a server or the disk, and can still be discarded', async () => {
    const session = newSession();
    session.put([file('one')]);
    await failing(session, { kind: 'base-changed', path: '/w/a.ts' });
    expect(session.state).toEqual({ kind: 'dirty', reason: '/w/a.ts has changed since' });
    await expect(session.evaluate(async () => {})).rejects.toThrow('it is dirty (/w/a.ts has changed since)');
    session.discard();
    expect(session.state.kind).toBe('discarded');
  });

  it.each<Failure>([
    { kind: 'cancelled' },
    { kind: 'timeout', what: 'evaluate', afterMs: 1, state: 'ready' },
    { kind: 'speculation-refused', server: 'gopls', reason: 'shared' },
  ])('may be tried again after $kind', async (failure) => {
    const session = newSession();
    session.put([file('one')]);
    await failing(session, failure);
    expect(session.state.kind).toBe('mutated');
  });

  it('does one thing at a time', async () => {
    const session = newSession();
    const done: string[] = [];
    let go = () => {};
    const first = session.inTurn(signal, async () => {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      done.push('first');
    });
    const second = session.inTurn(signal, async () => void done.push('second'));
    await Promise.resolve();
    go();
    await Promise.all([first, second]);
    expect(done).toEqual(['first', 'second']);
  });
});

describe('the sessions of a front end', () => {
  it('are limited in number; those that are over make room', () => {
    const simulations = new Simulations({ sessions: 2, chars: 1_000 });
    const [first, second] = [newSession(simulations), newSession(simulations)];
    expect(refusal(() => newSession(simulations))).toContain(`the oldest is ${first.id}`);
    second.discard();
    const third = newSession(simulations);
    expect(simulations.named(third.id)).toBe(third);
    expect(refusal(() => simulations.named(second.id))).toContain('there is no session');
    expect(simulations.named(first.id)).toBe(first);
  });

  it('are limited in size', () => {
    const simulations = new Simulations({ sessions: 2, chars: 20 });
    newSession(simulations).put([file('0123456789')]);
    simulations.checkRoom(4);
    expect(refusal(() => simulations.checkRoom(5))).toContain('too large');
  });

  it('are forgotten once, and it is no error to do it again', () => {
    const simulations = new Simulations();
    const { id } = newSession(simulations);
    expect([simulations.destroy(id), simulations.destroy(id)]).toEqual([true, false]);
  });
});

describe('confidence', () => {
  const grounds = (freshness: Freshness, more: Partial<Grounds> = {}): Grounds => {
    const report: DiagnosticReport = { file: FILE, version: 1, freshness, diagnostics: [] };
    return { reports: [report], expected: 1, coverage: 'full', state: 'ready', isShort: false, ...more };
  };
  const exact: Freshness = { kind: 'exact', proof: 'pull' };
  const late: Freshness = { kind: 'timeout', afterMs: 5 };

  it.each<{ readonly confidence: string; readonly ground: Grounds }>([
    { confidence: 'high', ground: grounds(exact) },
    { confidence: 'eventual', ground: grounds({ kind: 'inferred', proof: 'quiet' }) },
    { confidence: 'partial', ground: grounds({ kind: 'inferred', proof: 'watch' }) },
    { confidence: 'partial', ground: grounds(exact, { coverage: 'analysis' }) },
    { confidence: 'partial', ground: grounds(exact, { isShort: true }) },
    { confidence: 'partial', ground: grounds(exact, { state: 'degraded' }) },
    { confidence: 'low', ground: grounds(exact, { state: 'indexing' }) },
    { confidence: 'low', ground: grounds({ kind: 'restarted' }) },
    { confidence: 'low', ground: grounds(late) },
    { confidence: 'low', ground: grounds(exact, { expected: 2 }) },
  ])('is $confidence', ({ confidence, ground }) => {
    expect(confidenceIn([ground])).toBe(confidence);
    expect(confidenceIn([grounds(exact), ground])).toBe(confidence);
  });

  it('is low where nothing was looked at, and a report that did not come is a timeout', () => {
    expect(confidenceIn([])).toBe('low');
    expect(
      [grounds(exact), grounds(late), grounds(exact, { expected: 2 })].map((each) => hasTimedOut([each])),
    ).toEqual([false, true, true]);
  });
});
