/** What an answer lacks, as data, and the one place where that becomes text. */
import { describe, expect, it } from 'vitest';
import {
  afterIncomplete,
  everyIncomplete,
  firstIncomplete,
  incompleteData,
  incompleteLine,
  incompleteOf,
  untilRetry,
  withoutAdvice,
} from '../../../../src/frontend/render/incomplete.ts';

const INDEXING = untilRetry(5_000, (retry) => `gopls is still indexing, ${retry}`);
const STOPPED = { reason: 'gopls was stopped' };
/** The words are the server's own. */
const QUOTED = { reason: 'gopls is degraded: INCOMPLETE: too many requests, retry in 5 s' };

describe('what an answer lacks', () => {
  it('is a line of text, and fields for programs', () => {
    expect(incompleteLine(STOPPED)).toBe('INCOMPLETE: gopls was stopped');
    expect(incompleteData(STOPPED)).toEqual({ reason: 'INCOMPLETE: gopls was stopped' });
    expect(incompleteData(undefined)).toEqual({});
  });

  it('waits as long as its sentence says', () => {
    const reason = 'INCOMPLETE: gopls is still indexing, retry in 5 s';
    expect(incompleteData(INDEXING)).toEqual({ reason, retry_after_ms: 5_000 });
  });

  it('has no time to wait because a server speaks of one', () => {
    expect(incompleteData(QUOTED)).toEqual({ reason: `INCOMPLETE: ${QUOTED.reason}` });
    expect(incompleteOf('app', [QUOTED])).toEqual({ reason: `app: ${QUOTED.reason}` });
  });

  it('brings advice behind its reason, except where tools have other names', () => {
    const advised = { ...STOPPED, advice: 'find_references asks again' };
    expect(incompleteLine(advised)).toBe('INCOMPLETE: gopls was stopped; find_references asks again');
    expect(incompleteOf('app', [advised])?.reason).toBe('app: gopls was stopped; find_references asks again');
    expect(incompleteLine(withoutAdvice({ ...INDEXING, also: [advised] }))).not.toContain('find_references');
  });

  it('is one reason where several parts lack something', () => {
    expect(firstIncomplete([{}, { incomplete: STOPPED }, { incomplete: INDEXING }])).toBe(STOPPED);
    expect(firstIncomplete([{ incomplete: undefined }])).toBeUndefined();
  });

  it('has a line for each reason where all are to be known, with the word of each', () => {
    const late = { reason: 'the build was stopped after 2 s', isTimeout: true };
    const both = everyIncomplete([late, INDEXING]);
    const reason =
      'TIMEOUT: the build was stopped after 2 s\nINCOMPLETE: gopls is still indexing, retry in 5 s';
    expect(incompleteData(both)).toEqual({ reason, retry_after_ms: 5_000 });
    expect(everyIncomplete([late])).toBe(late);
    expect(everyIncomplete([])).toBeUndefined();
  });

  it('is one line with the name of a part that lacks several things', () => {
    expect(incompleteOf('app', [STOPPED, INDEXING])).toEqual({
      reason: 'app: gopls was stopped; gopls is still indexing, retry in 5 s',
      retryMs: 5_000,
    });
    expect(incompleteOf('app', [])).toBeUndefined();
  });

  it('stands before a refusal that may be due to it', () => {
    expect(afterIncomplete(STOPPED, 'no symbol a')).toBe('INCOMPLETE: gopls was stopped; no symbol a');
    expect(afterIncomplete(undefined, 'no symbol a')).toBe('no symbol a');
  });
});
