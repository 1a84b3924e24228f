import { describe, expect, it } from 'vitest';
import { nameInCommand, nameInPattern } from '../../../../../src/frontend/features/hooks/searched-name.ts';

describe('the name in a search', () => {
  it.each([
    { pattern: 'loadConfig', name: 'loadConfig' },
    { pattern: 'load_config', name: 'load_config' },
    { pattern: '\\bparse\\b', name: 'parse' },
    { pattern: 'class Order', name: 'Order' },
    { pattern: 'function\\s+total', name: 'total' },
    { pattern: 'def total\\(', name: 'total' },
    { pattern: 'todo', name: undefined },
    { pattern: 'not found in', name: undefined },
    { pattern: 'foo.*bar', name: undefined },
    { pattern: 'ab', name: undefined },
    { pattern: '', name: undefined },
  ])('of $pattern is $name', ({ pattern, name }) => {
    expect(nameInPattern(pattern)).toBe(name);
  });

  it.each([
    { command: "rg -n 'loadConfig' src", name: 'loadConfig' },
    { command: 'grep -rn --include "*.ts" loadConfig .', name: 'loadConfig' },
    { command: 'cd src && git grep -e loadConfig', name: 'loadConfig' },
    { command: 'npm test 2>&1 | grep FAILED_TEST', name: undefined },
    { command: 'cat loadConfig.ts', name: undefined },
    { command: 'rg', name: undefined },
  ])('in the command $command is $name', ({ command, name }) => {
    expect(nameInCommand(command)).toBe(name);
  });
});
