import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LogFile } from '../../../../src/frontend/mcp/log-file.ts';
import { SessionLog } from '../../../../src/frontend/mcp/session-log.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

test('a full log file is put aside under a number, and only so many are kept', async () => {
  await using workspace = createWorkspace();
  const directory = path.join(workspace.scratch, 'logs');
  const file = new LogFile(directory, at(0), { mostBytes: 100, kept: 2, sessions: 5 });
  for (const word of ['one', 'two', 'three', 'four']) file.write(`${word} ${'x'.repeat(84)}\n`);
  const name = readlinkSync(path.join(directory, 'current.log'));
  expect(name).toMatch(/^agent-lsp-20260101T000000-\d+\.log$/);
  expect(readdirSync(directory).sort()).toEqual([name, `${name}.1`, `${name}.2`, 'current.log'].sort());
  expect(readFileSync(path.join(directory, name), 'utf8')).toMatch(/^four x+\n$/);
  expect(readFileSync(path.join(directory, `${name}.2`), 'utf8')).toMatch(/^two x+\n$/);
});

test('the files of old sessions go', async () => {
  await using workspace = createWorkspace();
  const directory = path.join(workspace.scratch, 'logs');
  for (const second of [1, 2, 3])
    new LogFile(directory, at(second), { mostBytes: 100, kept: 2, sessions: 2 });
  const kept = readdirSync(directory).filter((name) => name !== 'current.log');
  expect(kept.map((name) => name.slice(0, 25)).sort()).toEqual([
    'agent-lsp-20260101T000002',
    'agent-lsp-20260101T000003',
  ]);
});

test.each([
  { instead: true, expected: ['agent-lsp error broken\n'] },
  { instead: false, expected: ['agent-lsp info begun\n', 'agent-lsp error broken\n'] },
])(
  'a file gets all of the log; instead of standard error ($instead) errors still get there',
  ({ instead, expected }) => {
    const [stderr, file]: [string[], string[]] = [[], []];
    const log = new SessionLog((line) => stderr.push(line), 'info');
    log.toFile({ write: (line) => file.push(line), format: 'text' }, { instead });
    log.debug('hidden');
    log.info('begun');
    log.error('broken');
    expect(file).toEqual([
      expect.stringMatching(/^\d{4}-\S+Z agent-lsp info begun\n$/),
      expect.stringMatching(/^\d{4}-\S+Z agent-lsp error broken\n$/),
    ]);
    expect(stderr).toEqual(expected);
  },
);
