import { describe, expect, it } from 'vitest';
import { deferred } from '../../../../../src/shared/base/lifetime.ts';
import { SharedQuestions } from '../../../../../src/shared/host/calls/shared-questions.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';

const subject = { question: 'who uses it', told: 1 };

/** A question that its caller has left with the server, and what the next caller gets. */
async function left(worksInOrder: boolean) {
  const clock = new FakeClock();
  const questions = new SharedQuestions();
  const signal = new AbortController().signal;
  await questions.ask({ question: 'the first', told: 1 }, signal, async () => 'ready');
  const sent: PromiseWithResolvers[] = [];
  const send = () => {
    const answer = deferred<unknown>();
    sent.push(answer);
    return answer.promise;
  };
  const patience = { ms: 10, clock, failure: () => new Error('still working') };
  const early = questions.ask(subject, signal, send, patience).catch((error: unknown) => String(error));
  await clock.advance(11);
  expect(await early).toContain('still working');
  questions.heard({ worksInOrder });
  const again = questions.ask(subject, signal, send, patience);
  for (const [index, { resolve }] of sent.entries()) resolve(`answer ${index + 1}`);
  return again;
}

interface PromiseWithResolvers {
  resolve(value: unknown): void;
}

describe('a question that is left with a server which says something meanwhile', () => {
  it('is the same question to one that works in order', async () => {
    expect(await left(true)).toBe('answer 1');
  });

  it('is asked anew of others, which may know more now', async () => {
    expect(await left(false)).toBe('answer 2');
  });
});

it('waits no longer for a question that its server works on, however often it is asked', async () => {
  const clock = new FakeClock();
  const questions = new SharedQuestions();
  const signal = new AbortController().signal;
  await questions.ask({ question: 'the first', told: 1 }, signal, async () => 'ready');
  const answer = deferred<unknown>();
  let sent = 0;
  const ask = () =>
    questions.ask(
      subject,
      signal,
      () => {
        sent++;
        return answer.promise;
      },
      { ms: 10, clock, failure: () => new Error('still working') },
    );
  for (let attempt = 0; attempt < 8; attempt++) {
    const early = ask().catch((error: unknown) => String(error));
    await clock.advance(11);
    expect(await early).toContain('still working');
  }
  answer.resolve('found');
  expect(await ask()).toBe('found');
  expect(sent).toBe(1);
});
