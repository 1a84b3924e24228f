import { describe, expect, it } from 'vitest';
import { argumentsOfNew } from '../../../../src/frontend/lexical/arguments-of-new.ts';

describe('the arguments of new', () => {
  it.each([
    'new Engine(!{ ^cache: 1 })',
    'new Engine(!first, [{ fix, ^cache: 1 }])',
    'new nested.Engine<Some<string>>(!{ of: { ^cache() {} } })',
    'new Engine(!({ ^cache: 1 }))',
    'new Engine(!given ?? { ^cache: 1 })',
    'run(() => new Engine(!{ use: make(1), ^cache: 1 }))',
  ])('are found from a key in %s', (marked) => {
    expect(found(marked)).toBe(marked.indexOf('!') - 1);
  });

  it.each([
    'make({ ^cache: 1 })',
    'new Engine(make({ ^cache: 1 }))',
    'new Engine(() => { const of = { ^cache: 1 }; })',
    'new Engine(() => { ^cache: for (;;) {} })',
    'new Engine(function () { return { ^cache: 1 }; })',
    'new Engine(^cache)',
    'new Engine(); const of = { ^cache: 1 }',
    'class Engine { ^cache: boolean }',
    'renew({ ^cache: 1 })',
  ])('are not what a key is in here: %s', (marked) => {
    expect(found(marked)).toBeUndefined();
  });
});

/** `^` marks the key, `!` what comes behind the bracket. */
function found(marked: string): number | undefined {
  const text = marked.replace('!', '');
  return argumentsOfNew(text.replace('^', ''), text.indexOf('^'));
}
