import { describe, expect, it } from 'vitest';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';
import { VersionHonesty } from '../../../../../src/shared/host/protocol/version-honesty.ts';

const A = absolutePath('/a');
const B = absolutePath('/b');

describe('the versions in publications', () => {
  it('prove something once two different ones have followed ours', () => {
    const honesty = new VersionHonesty();
    honesty.sent(A, 1);
    expect(honesty.heard(A, 1)).toBe('current');
    expect(honesty.proves(1)).toBe(false);
    honesty.sent(A, 2);
    expect(honesty.heard(A, 2)).toBe('current');
    expect(honesty.verdict).toBe('exact');
    honesty.sent(B, 1);
    expect(honesty.heard(B, 1)).toBe('current');
    expect(honesty.proves(1)).toBe(true);
  });

  it('prove something before that if no constant could have met ours', () => {
    const honesty = new VersionHonesty();
    honesty.sent(A, 1);
    honesty.sent(A, 2);
    honesty.heard(A, 2);
    expect(honesty.proves(2)).toBe(true);
  });

  it('are about an older text when they name one that was sent before', () => {
    const honesty = new VersionHonesty();
    honesty.sent(A, 1);
    honesty.sent(A, 2);
    expect(honesty.heard(A, 1)).toBe('older');
  });

  it.each([0, 7])('mean nothing when they name what was never sent, such as %i', (version) => {
    const honesty = new VersionHonesty();
    honesty.sent(A, 1);
    expect(honesty.heard(A, version)).toBe('nothing');
    expect(honesty.verdict).toBe('bogus');
    honesty.sent(A, 2);
    expect(honesty.heard(A, 2)).toBe('nothing');
    expect(honesty.proves(2)).toBe(false);
  });

  it('mean nothing when a server at rest still names the first one', () => {
    const honesty = new VersionHonesty();
    honesty.sent(A, 1);
    honesty.heard(A, 1);
    honesty.sent(A, 2);
    honesty.heard(A, 1);
    expect(honesty.contradicted()).toBe(true);
    expect(honesty.heard(A, 1)).toBe('nothing');
  });

  it('stay believed after they once were honest, whatever comes late', () => {
    const honesty = new VersionHonesty();
    for (const version of [1, 2]) {
      honesty.sent(A, version);
      honesty.heard(A, version);
    }
    honesty.sent(A, 3);
    honesty.heard(A, 2);
    expect(honesty.contradicted()).toBe(false);
    expect(honesty.heard(A, 99)).toBe('older');
  });

  it('are none where none is named, until one is', () => {
    const honesty = new VersionHonesty();
    honesty.sent(A, 1);
    expect(honesty.heard(A, undefined)).toBe('nothing');
    expect(honesty.verdict).toBe('none');
  });
});
