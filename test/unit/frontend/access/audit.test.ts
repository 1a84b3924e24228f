import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { AuditFacts } from '../../../../src/frontend/access/audit-facts.ts';
import { appendLines } from '../../../../src/frontend/access/audit-file.ts';
import { AuditLog } from '../../../../src/frontend/access/audit-log.ts';
import { type AuditedCall, auditLine } from '../../../../src/frontend/access/audit-record.ts';
import { type Deferred, deferred } from '../../../../src/shared/base/lifetime.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { createWorkspace } from '../../../support/workspace.ts';

function call(args: unknown = {}, facts: AuditFacts = {}, error?: string): AuditedCall {
  const endedAt = new Date('2026-01-02T03:04:05.678Z');
  return { tool: 'a_tool', args, root: '/r', facts, error, endedAt, durationMs: 12.4 };
}

const parsed = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('a record', () => {
  it('has what is known of every call', () => {
    expect(JSON.parse(auditLine(call({ file_path: 'a.ts', line: 3 })))).toEqual({
      timestamp: '2026-01-02T03:04:05.678Z',
      tool: 'a_tool',
      files: ['/r/a.ts'],
      success: true,
      duration_ms: 12,
    });
    expect(JSON.parse(auditLine(call({}, {}, 'no such file')))).toMatchObject({
      success: false,
      error_message: 'no such file',
    });
  });

  it('names the files of the arguments once and by their full path', () => {
    const files = (args: unknown, more?: readonly string[]) =>
      JSON.parse(auditLine(call(args, more ? { files: more } : {}))).files;
    expect(files({ file_path: 'a.ts', new_path: '/x/b.ts' })).toEqual(['/r/a.ts', '/x/b.ts']);
    expect(files({ changed_files: ['a.ts', 'b.ts'], text: 'c.ts' }, ['/r/b.ts', '/r/d.ts'])).toEqual([
      '/r/a.ts',
      '/r/b.ts',
      '/r/d.ts',
    ]);
    expect(files({ file_path: 'file:///x/a%20b.ts' })).toEqual(['/x/a b.ts']);
    for (const args of [undefined, null, 'a.ts', [], { file_path: 7 }]) expect(files(args)).toEqual([]);
  });

  it('has the edit, the beginnings of its texts, and what became of the diagnostics', () => {
    const record = JSON.parse(
      auditLine(
        call(
          { session_id: 's1' },
          {
            edit: { mode: 'rename', oldName: 'a', newName: 'b', newText: '😀'.repeat(150), apply: true },
            before: { errors: 3, warnings: 0, files: ['/r/a.ts'] },
            after: { errors: 1, warnings: 2, files: ['/r/a.ts'] },
          },
        ),
      ),
    );
    expect(record).toMatchObject({
      session_id: 's1',
      edit_summary: { mode: 'rename', old_name: 'a', new_name: 'b', apply: true },
      diagnostics_before: { error_count: 3, warning_count: 0, files_checked: ['/r/a.ts'] },
      diagnostics_after: { error_count: 1, warning_count: 2 },
      net_delta: { errors: -2, warnings: 2 },
    });
    expect(record.edit_summary.new_text_preview).toBe('😀'.repeat(100));
    const odd = auditLine(call({}, { edit: { mode: 'format', newText: `x${'😀'.repeat(150)}` } }));
    expect(JSON.parse(odd).edit_summary.new_text_preview).toBe(`x${'😀'.repeat(99)}`);
  });
});

/** An audit whose file takes as long as the test says. */
function heldLog() {
  const clock = new FakeClock();
  const batches: { readonly lines: string; readonly written: Deferred<void> }[] = [];
  const warnings: unknown[] = [];
  const log = new AuditLog('/r/audit.jsonl', {
    clock,
    log: { warn: (event, fields) => void warnings.push({ event, ...fields }) },
    append: (_file, lines) => {
      const written = deferred<void>();
      batches.push({ lines, written });
      return written.promise;
    },
  });
  return { clock, batches, warnings, log };
}

describe('the audit', () => {
  it('gathers records for a moment and writes them at once', async () => {
    const { clock, batches, log } = heldLog();
    for (let count = 0; count < 3; count++) log.record(call());
    await turn();
    expect(batches).toEqual([]);
    await clock.advance(100);
    expect(batches.map(({ lines }) => parsed(lines).length)).toEqual([3]);
  });

  it('does not wait for more when there are many, or when something was edited', async () => {
    const { batches, log } = heldLog();
    for (let count = 0; count < 64; count++) log.record(call());
    await turn();
    expect(parsed(batches[0]?.lines ?? '')).toHaveLength(64);
    batches[0]?.written.resolve();
    await turn();
    log.record(call({}, { edit: { mode: 'format' } }));
    await turn();
    expect(batches).toHaveLength(2);
  });

  it('drops what a slow file leaves no room for, and says how much as soon as there is room', async () => {
    const { clock, batches, log } = heldLog();
    log.record(call());
    await clock.advance(100);
    for (let count = 0; count < 300; count++) log.record(call({ count }));
    await clock.advance(1_000);
    expect(batches).toHaveLength(1);
    batches[0]?.written.resolve();
    await turn();
    await turn();
    const records = parsed(batches[1]?.lines ?? '');
    expect(records).toHaveLength(257);
    expect(records.at(-1)).toMatchObject({
      tool: 'audit',
      success: false,
      dropped: 44,
      error_message: '44 calls were not recorded: the file could not be written fast enough',
    });
    batches[1]?.written.resolve();
    log.record(call());
    await clock.advance(100);
    expect(parsed(batches[2]?.lines ?? '')).toHaveLength(1);
  });

  it('writes what is waiting when it is closed, and leaves a file that takes too long', async () => {
    const { clock, batches, log } = heldLog();
    log.record(call());
    const closing = log.close();
    await turn();
    expect(batches).toHaveLength(1);
    batches[0]?.written.resolve();
    await closing;
    expect(clock.pending).toBe(0);
    log.record(call());
    await clock.advance(1_000);
    expect(batches).toHaveLength(1);

    const slow = heldLog();
    slow.log.record(call());
    const given = slow.log.close();
    await slow.clock.advance(1_000);
    await given;
  });

  it('is switched off by a file that cannot be written, and says so once', async () => {
    const { clock, batches, warnings, log } = heldLog();
    log.record(call());
    await clock.advance(100);
    log.record(call());
    batches[0]?.written.reject(new Error('read-only file system'));
    await clock.advance(1_000);
    log.record(call());
    await clock.advance(1_000);
    await log.close();
    expect(batches).toHaveLength(1);
    expect(warnings).toEqual([
      {
        event: 'calls are not recorded any more: the audit file cannot be written',
        file: '/r/audit.jsonl',
        error: 'read-only file system',
      },
    ]);
  });

  it('records nothing without a file', async () => {
    const clock = new FakeClock();
    const log = new AuditLog(undefined, { clock, log: { warn: () => {} } });
    log.record(call());
    expect(clock.pending).toBe(0);
    await log.close();
  });
});

describe('the audit file', () => {
  const small = { maxBytes: 100, maxFiles: 3 };
  const line = (text: string) => `${JSON.stringify({ text }).padEnd(49)}\n`;

  it('is made with its directory, for the user alone', async () => {
    await using workspace = createWorkspace();
    const file = `${workspace.scratch}/new/place/audit.jsonl`;
    await appendLines(file, line('a'), small);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${workspace.scratch}/new`).mode & 0o777).toBe(0o700);
  });

  it('is put aside when it is full, and the oldest is given up', async () => {
    await using workspace = createWorkspace();
    const file = `${workspace.scratch}/audit.jsonl`;
    for (const text of ['1', '2', '3', '4', '5', '6', '7']) await appendLines(file, line(text), small);
    const texts = (name: string) => parsed(readFileSync(name, 'utf8')).map(({ text }) => text);
    expect(texts(file)).toEqual(['7']);
    expect(texts(`${file}.1`)).toEqual(['5', '6']);
    expect(texts(`${file}.2`)).toEqual(['3', '4']);
    expect(readdirSync(workspace.scratch).filter((name) => name.startsWith('audit'))).toHaveLength(3);
  });

  it('loses no line when several put it aside at the same time', async () => {
    await using workspace = createWorkspace();
    const file = `${workspace.scratch}/audit.jsonl`;
    const many = { maxBytes: 1_000, maxFiles: 100 };
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let count = 0; count < 25; count++) await appendLines(file, line(`${writer}-${count}`), many);
    });
    await Promise.all(writers);
    const names = readdirSync(workspace.scratch).filter((name) => name.startsWith('audit'));
    expect(names).not.toContain('audit.jsonl.lock');
    const all = names.flatMap((name) => parsed(readFileSync(`${workspace.scratch}/${name}`, 'utf8')));
    expect(new Set(all.map(({ text }) => text)).size).toBe(200);
    expect(all).toHaveLength(200);
  });

  it('outlives somebody who was killed while he put it aside', async () => {
    await using workspace = createWorkspace();
    const file = `${workspace.scratch}/audit.jsonl`;
    for (const text of ['1', '2']) await appendLines(file, line(text), small);
    writeFileSync(`${file}.lock`, '');
    await appendLines(file, line('3'), small);
    expect(parsed(readFileSync(file, 'utf8'))).toHaveLength(3);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(`${file}.lock`, longAgo, longAgo);
    await appendLines(file, line('4'), small);
    await appendLines(file, line('5'), small);
    expect(parsed(readFileSync(file, 'utf8')).map(({ text }) => text)).toEqual(['5']);
  });

  it('fails where it cannot be', async () => {
    await using workspace = createWorkspace();
    const directory = `${workspace.scratch}/directory`;
    mkdirSync(directory);
    await expect(appendLines(directory, line('a'), small)).rejects.toThrow('EISDIR');
    const file = workspace.write('plain', 'x');
    chmodSync(file, 0o600);
    await expect(appendLines(`${file}/audit.jsonl`, line('a'), small)).rejects.toThrow('ENOTDIR');
  });
});
