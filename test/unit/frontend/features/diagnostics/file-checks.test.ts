import { describe, expect, it } from 'vitest';
import type { FileCheck } from '../../../../../src/frontend/features/diagnostics/check-files.ts';
import { findingLine, findingsOf } from '../../../../../src/frontend/features/diagnostics/diagnostics.ts';
import {
  checkData,
  checkLines,
  checkStates,
} from '../../../../../src/frontend/features/diagnostics/file-checks.ts';
import { statusOf } from '../../../../../src/frontend/features/diagnostics/file-status.ts';
import { renderAnswer } from '../../../../../src/frontend/render/answer.ts';
import { renderCandidates } from '../../../../../src/frontend/targets/candidates.ts';
import { Roots } from '../../../../../src/frontend/workspace/roots.ts';
import type { AbsPath } from '../../../../../src/shared/base/brand.ts';
import type { Failure } from '../../../../../src/shared/base/failure.ts';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';
import { TextLines } from '../../../../../src/shared/base/positions.ts';
import type { Freshness } from '../../../../../src/shared/link/server-link.ts';

const FRESH: Freshness = { kind: 'exact', proof: 'version' };

function checked(name: string, freshness: Freshness, ...messages: string[]): FileCheck {
  const file = absolutePath(`/w/${name}`);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const diagnostics = messages.map((message) => ({ range, message, severity: 1 as const, code: 'c' }));
  const report = { file, version: name.length, freshness, diagnostics };
  return { kind: 'checked', shown: name, found: findingsOf(report, 'srv', new TextLines('x'), 'utf-16') };
}

function unchecked(name: string, failure: Failure): FileCheck {
  return { kind: 'unchecked', shown: name, file: `/w/${name}`, failure };
}

function findings(checks: readonly FileCheck[]) {
  return checks.flatMap((check) => (check.kind === 'checked' ? check.found.findings : []));
}

function shown(checks: readonly FileCheck[]): readonly string[] {
  const below = (file: AbsPath) =>
    findings(checks)
      .filter((each) => each.file === file)
      .map(findingLine);
  return checkLines(checks, { below, folderOf: () => absolutePath('/w') });
}

describe('files that were checked together', () => {
  const timeout = { kind: 'timeout', what: 'x', afterMs: 1000, state: 'ready' } as const;
  const checks = [
    checked('clean.ts', FRESH),
    checked('bad.ts', FRESH, 'wrong'),
    checked('late.ts', { kind: 'timeout', afterMs: 3000, lastKnownAgeMs: 8000 }, 'old'),
    checked('silent.ts', { kind: 'timeout', afterMs: 3000 }),
    checked('restarted.ts', { kind: 'restarted' }, 'old'),
    unchecked('gone.ts', { kind: 'no-such-file', path: '/w/gone.ts' }),
    unchecked('slow.ts', timeout),
    unchecked('crash.ts', { kind: 'server-crashed', server: 's', reason: 'r', stderr: '' }),
  ];

  it('have a state each', () => {
    expect(checks.map(statusOf)).toEqual([
      'fresh',
      'fresh',
      'timeout',
      'timeout',
      'stale',
      'missing',
      'timeout',
      'failed',
    ]);
  });

  it('are shown with what is uncertain first, and are never called clean then', () => {
    expect(shown(checks)).toEqual([
      'TIMEOUT: srv did not report on late.ts within 3 s; STALE, from 8 s ago: 1 error; call again',
      '  E 1:1 c old',
      'TIMEOUT: srv did not report on silent.ts within 3 s; nothing is known, this is not "clean"; call again',
      'STALE: srv was restarted while checking restarted.ts; last known: 1 error; call again',
      '  E 1:1 c old',
      'MISSING: gone.ts: /w/gone.ts does not exist. Check the path; relative paths start at the root.',
      'TIMEOUT: slow.ts: x took longer than 1 s (server: ready). Call again: the server goes on working meanwhile.',
      'FAILED: crash.ts: s crashed during this call: r. It starts again by itself: call again.',
      'clean.ts: clean; fresh (version 8, srv)',
      'bad.ts: 1 error; fresh (version 6, srv)',
      '  E 1:1 c wrong',
    ]);
  });

  it('share a line when they are clean by the same proof', () => {
    const pulled: Freshness = { kind: 'exact', proof: 'pull' };
    const many = [...['a.ts', 'bb.ts', 'c.ts'].map((name) => checked(name, FRESH)), checked('d.ts', pulled)];
    expect(shown(many)).toEqual([
      'd.ts: clean; fresh (pull, srv)',
      'clean; fresh (version, srv): a.ts, bb.ts, c.ts',
    ]);
  });

  it('are null as data where nothing is known that holds now, with what was known beside', () => {
    const data = checkData(checks, findings(checks), () => true);
    expect(data).toMatchObject({
      '/w/bad.ts': [{ message: 'wrong' }],
      '/w/late.ts': null,
      '/w/gone.ts': null,
    });
    expect(Object.values(data).filter((value) => value === null)).toHaveLength(6);
    expect(checkStates(checks)).toMatchObject([
      { status: 'fresh', basis: 'exact', proof: 'version', errors: 0 },
      { status: 'fresh', errors: 1 },
      { status: 'timeout', last_known_age_ms: 8000, last_known: [{ message: 'old' }] },
      { status: 'timeout' },
      { status: 'stale', last_known: [{ message: 'old' }] },
      { status: 'missing', error_code: 'no_such_file' },
      { status: 'timeout', error_code: 'timeout' },
      { status: 'failed', error_code: 'server_crashed' },
    ]);
  });

  it('are left out as data when their findings are on another page', () => {
    const [, bad] = checks;
    expect(checkData(bad ? [bad] : [], [], () => true)).toEqual({});
    expect(checkData(bad ? [bad] : [], [], () => false)).toEqual({ '/w/bad.ts': [] });
  });
});

describe('an answer for programs', () => {
  const roots = new Roots({ given: ['/w'], cwd: '/w', alsoAllowed: [] });
  const candidate = { file: absolutePath('/w/a.ts'), at: { line: 1, column: 1 }, name: 'a' };
  const candidates = [{ ...candidate, kind: undefined, symbol: undefined }];

  it('does not claim to be complete when the question was ambiguous', () => {
    const { structured } = renderAnswer(renderCandidates('a', candidates, roots), 'json');
    expect(structured).toMatchObject({ status: 'ambiguous', complete: false, total: 1 });
    expect(structured).not.toHaveProperty('data');
  });

  it('says when there may be more places than were found', () => {
    const answer = renderCandidates('a', candidates, roots, { reason: 'still indexing' });
    expect(renderAnswer(answer, 'json').structured).toMatchObject({ reason: 'INCOMPLETE: still indexing' });
    expect(renderAnswer(answer, 'text').texts[0]).toMatch(/^INCOMPLETE: still indexing\nAMBIGUOUS: /);
  });

  it('does not claim to be complete when diagnostics are not fresh', () => {
    const { structured } = renderAnswer({ text: '', data: {}, fresh: false, details: { files: [] } }, 'json');
    expect(structured).toEqual({ status: 'incomplete', data: {}, complete: false, fresh: false, files: [] });
  });
});
