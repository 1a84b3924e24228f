import { describe, expect, it } from 'vitest';
import { Listeners } from '../../../../src/shared/base/lifetime.ts';

describe('listeners', () => {
  it('are all told, also when one of them fails, and its error is not lost', () => {
    const heard: string[] = [];
    const listeners = new Listeners<string>();
    listeners.add(() => {
      throw new Error('the first one fails');
    });
    listeners.add((value) => heard.push(value));
    expect(() => listeners.emit('news')).toThrow('the first one fails');
    expect(heard).toEqual(['news']);
  });

  it('have all their errors told when several fail', () => {
    const listeners = new Listeners<void>();
    for (const name of ['one', 'two'])
      listeners.add(() => {
        throw new Error(name);
      });
    expect(() => listeners.emit()).toThrow('2 listeners failed');
  });
});
