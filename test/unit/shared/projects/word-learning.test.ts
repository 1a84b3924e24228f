/** When the words of all files are learned: not while somebody asks, and soon for who asks again and again. */
import { describe, expect, it } from 'vitest';
import type { AbsPath } from '../../../../src/shared/base/brand.ts';
import { MentionIndex } from '../../../../src/shared/projects/mention-index.ts';
import { WordLearning } from '../../../../src/shared/projects/word-learning.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const TEXT = `
//- a.ts
export const price = 1;
`;

describe('the words of all files', () => {
  it('are learned a second after the last of a few questions', async () => {
    await using asking = askingAbout('a.ts');
    asking.ask();
    await asking.clock.advance(600);
    asking.ask();
    await asking.clock.advance(950);
    expect(asking.isLearned()).toBe(false);
    await asking.clock.advance(100);
    expect(asking.isLearned()).toBe(true);
  });

  it('are learned in the next pause of who has looked through them several times', async () => {
    await using asking = askingAbout('a.ts');
    for (let question = 0; question < 3; question++) {
      expect(asking.isLearned()).toBe(false);
      asking.ask();
      await asking.clock.advance(40);
    }
    await asking.clock.advance(100);
    expect(asking.isLearned()).toBe(true);
  });

  it('wait as long as before for a new server', async () => {
    await using asking = askingAbout('a.ts');
    for (let question = 0; question < 3; question++) asking.ask();
    asking.follow();
    asking.ask();
    await asking.clock.advance(950);
    expect(asking.isLearned()).toBe(false);
  });
});

function askingAbout(name: string) {
  const workspace = createWorkspace(TEXT, { cursor: '<no cursor>' });
  const clock = new FakeClock();
  const index = new MentionIndex();
  const learning = new WordLearning(index, clock);
  let end = new AbortController();
  const follow = () => {
    end.abort();
    end = new AbortController();
    learning.follow(end.signal);
  };
  follow();
  const files = { projectOf: new Map([[workspace.file(name), undefined]]), others: new Set<AbsPath>() };
  return {
    clock,
    follow,
    ask: () => learning.asked(files),
    isLearned: () => index.numberOf('price') !== undefined,
    async [Symbol.asyncDispose]() {
      end.abort();
      await workspace[Symbol.asyncDispose]();
    },
  };
}
