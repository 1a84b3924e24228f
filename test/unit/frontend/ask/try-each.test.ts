import { describe, expect, it } from 'vitest';
import { tryEach } from '../../../../src/frontend/ask/try-each.ts';
import { type Failure, FailureError } from '../../../../src/shared/base/failure.ts';

const failing: Readonly<Record<string, Failure>> = {
  go: { kind: 'still-working', server: 'gopls', method: 'workspace/symbol', afterMs: 3_500 },
  rust: { kind: 'server-missing', language: 'rust', command: 'rust-analyzer', install: 'rustup' },
};

describe('the same work for several languages', () => {
  it('says of each that failed when it may be done after all', async () => {
    const { done, notDone } = await tryEach(
      ['python', 'go', 'rust'],
      (language) => language,
      async (language) => {
        const failure = failing[language];
        if (failure) throw new FailureError(failure);
        return language;
      },
    );
    expect(done).toEqual(['python']);
    expect(notDone.map(({ language, retryMs }) => [language, retryMs])).toEqual([
      ['go', 1_000],
      ['rust', undefined],
    ]);
  });
});
