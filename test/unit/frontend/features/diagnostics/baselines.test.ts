import { describe, expect, it } from 'vitest';
import { Baselines, compareFindings } from '../../../../../src/frontend/features/diagnostics/baselines.ts';
import type { Finding } from '../../../../../src/frontend/features/diagnostics/diagnostics.ts';
import { failureOf } from '../../../../../src/shared/base/failure.ts';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';

const file = absolutePath('/w/a.ts');

function finding(message: string, at: number, line = message): Finding {
  const [start, end] = [at, at].map((row) => ({ line: row, column: 1 }));
  if (!start || !end) throw new Error('two points');
  return { file, start, end, severity: 1, code: 'c', source: 's', message, line };
}

describe('findings compared with a baseline', () => {
  it('are the same when only their lines moved', () => {
    const compared = compareFindings(
      [finding('one', 1), finding('two', 2)],
      [finding('two', 9), finding('one', 8)],
    );
    expect(compared).toEqual({ added: [], gone: [] });
  });

  it('are new when there is one more of them than before, and then the one on another line', () => {
    const old = finding('unused', 1, 'let a');
    const added = finding('unused', 1, 'let b');
    const moved = finding('unused', 2, 'let a');
    expect(compareFindings([old], [added, moved])).toEqual({ added: [added], gone: [] });
    expect(compareFindings([added, moved], [old])).toEqual({ added: [], gone: [added] });
  });

  it('are the same when the line around them was edited', () => {
    const compared = compareFindings([finding('one', 1, 'f(1)')], [finding('one', 1, 'f(1, 2)')]);
    expect(compared).toEqual({ added: [], gone: [] });
  });

  it('are new with another severity or code', () => {
    const before = finding('one', 1);
    const now = { ...before, severity: 2 as const };
    expect(compareFindings([before], [now])).toEqual({ added: [now], gone: [before] });
  });
});

describe('baselines', () => {
  it('are kept under their names until there are many newer ones', () => {
    const baselines = new Baselines();
    const { id } = baselines.keep(new Map([[file, [finding('one', 1)]]]));
    expect(baselines.named(id).files.get(file)).toHaveLength(1);
    for (let count = 0; count < 32; count++) baselines.keep(new Map());
    expect(() => baselines.named(id)).toThrow();
    expect(baselines.named('b33').files.size).toBe(0);
  });

  it('that do not exist are refused with what to do', () => {
    const refused = () => {
      try {
        return new Baselines().named('b1');
      } catch (error) {
        return failureOf(error);
      }
    };
    expect(refused()).toMatchObject({ kind: 'invalid-input', next: 'Call with baseline:true first' });
  });
});
