import { describe, expect, it } from 'vitest';
import { nameInCommand, nameInPattern } from '../../../../../src/frontend/features/hooks/searched-name.ts';

describe('the name in a search', () => {
  it.each([
    ['loadConfig', 'loadConfig'],
    ['load_config', 'load_config'],
    ['\\bparse\\b', 'parse'],
    ['class Order', 'Order'],
    ['function\\s+total', 'total'],
    ['def total\\(', 'total'],
    ['todo', undefined],
    ['not found in', undefined],
    ['foo.*bar', undefined],
    ['ab', undefined],
    ['', undefined],
  ])('of %s is %s', (pattern, name) => {
    expect(nameInPattern(pattern)).toBe(name);
  });

  it.each([
    ["rg -n 'loadConfig' src", 'loadConfig'],
    ['grep -rn --include "*.ts" loadConfig .', 'loadConfig'],
    ['cd src && git grep -e loadConfig', 'loadConfig'],
    ['npm test 2>&1 | grep FAILED_TEST', undefined],
    ['cat loadConfig.ts', undefined],
    ['rg', undefined],
  ])('in the command %s is %s', (command, name) => {
    expect(nameInCommand(command)).toBe(name);
  });
});
