import { describe, expect, it } from 'vitest';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';
import {
  LONGEST_QUIET_MS,
  PublishingHabits,
} from '../../../../../src/shared/host/diagnostics/publishing-habits.ts';

const A = absolutePath('/a');
const B = absolutePath('/b');

function habits(): PublishingHabits {
  return new PublishingHabits({ settleMs: 500, dependentsMs: 600, secondStageMs: 0, pauseMs: 0 });
}

/** Changes A at each time and publishes it after these delays. */
function rounds(learned: PublishingHabits, count: number, delays: readonly number[], from = 0): number {
  let now = from;
  for (let round = 0; round < count; round++, now += 10_000) {
    learned.textSent(A, now);
    for (const delay of delays) learned.published(A, now + delay);
  }
  return now;
}

describe('how long a silence must be', () => {
  it('begins with what is known about the server', () => {
    const learned = habits();
    learned.textSent(A, 0);
    learned.published(A, 10);
    expect(learned.followWindow(A)).toBe(500);
    expect(learned.dependentsWindow).toBe(600);
    expect(learned.silentWindow('text')).toBe(LONGEST_QUIET_MS);
  });

  it('shrinks for a server that publishes once for a change', () => {
    const learned = habits();
    const now = rounds(learned, 4, [10]);
    learned.textSent(A, now);
    learned.published(A, now + 10);
    expect(learned.followWindow(A)).toBe(50);
  });

  it('shrinks only after the last of several publications', () => {
    const learned = habits();
    const now = rounds(learned, 4, [10, 210]);
    learned.textSent(A, now);
    learned.published(A, now + 10);
    expect(learned.followWindow(A)).toBe(270);
    learned.published(A, now + 210);
    expect(learned.followWindow(A)).toBe(50);
  });

  it('grows with a second publication that came too late, at most to two seconds', () => {
    const learned = habits();
    const now = rounds(learned, 4, [10]);
    rounds(learned, 1, [10, 910], now);
    learned.textSent(A, now + 10_000);
    learned.published(A, now + 10_010);
    expect(learned.followWindow(A)).toBe(1145);
    rounds(learned, 1, [10, 1_910], now + 20_000);
    learned.textSent(A, now + 30_000);
    learned.published(A, now + 30_010);
    expect(learned.followWindow(A)).toBe(LONGEST_QUIET_MS);
  });

  it('grows with a publication about the text before that comes when the next one was sent', () => {
    const learned = habits();
    const now = rounds(learned, 4, [10]);
    learned.textSent(A, now);
    learned.published(A, now + 10);
    learned.textSent(A, now + 80);
    learned.publishedLate(A, now + 210);
    learned.published(A, now + 220);
    expect(learned.followWindow(A)).toBe(270);
  });

  it('does not grow with what another change has caused', () => {
    const learned = habits();
    const now = rounds(learned, 4, [10]);
    learned.textSent(B, now);
    learned.published(A, now + 300);
    learned.textSent(A, now + 5_000);
    learned.published(A, now + 5_010);
    expect(learned.followWindow(A)).toBe(50);
  });

  it('is learned for other files only from publications about other files', () => {
    const learned = habits();
    const now = rounds(learned, 6, [10]);
    expect(learned.dependentsWindow).toBe(600);
    for (let round = 0; round < 3; round++) {
      learned.textSent(A, now + round * 10_000);
      learned.published(A, now + round * 10_000 + 10);
      learned.published(B, now + round * 10_000 + 110);
    }
    expect(learned.dependentsWindow).toBe(145);
  });

  it('is never less than a stage that begins after a pause', () => {
    const learned = new PublishingHabits({
      settleMs: 500,
      dependentsMs: 500,
      secondStageMs: 1_300,
      pauseMs: 0,
    });
    rounds(learned, 6, [10]);
    expect(learned.followWindow(A)).toBe(1_300);
  });
});

describe('a change', () => {
  it('finds the server at rest when the silence was long enough or somebody saw that it rests', () => {
    const learned = habits();
    learned.textSent(A, 0);
    expect(learned.isClean).toBe(true);
    learned.published(A, 10);
    learned.textSent(A, 200);
    expect(learned.isClean).toBe(false);
    learned.settled();
    learned.textSent(A, 300);
    expect(learned.isClean).toBe(true);
  });

  it('counts with those that are sent along with it', () => {
    const learned = habits();
    learned.textSent(A, 0);
    learned.textSent(B, 2);
    expect(learned.isClean).toBe(true);
  });
});
