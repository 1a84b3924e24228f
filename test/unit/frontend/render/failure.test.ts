import { describe, expect, it } from 'vitest';
import {
  errorCode,
  failureSentence,
  problemOf,
  renderFailure,
} from '../../../../src/frontend/render/failure.ts';
import type { Failure } from '../../../../src/shared/base/failure.ts';

const failures: readonly Failure[] = [
  { kind: 'invalid-input', message: 'line must be >= 1', next: 'Correct line' },
  { kind: 'outside-roots', path: '/etc/passwd', roots: ['/w'] },
  { kind: 'no-such-file', path: '/w/a' },
  { kind: 'not-a-text-file', path: '/w/a', reason: 'directory' },
  { kind: 'not-a-text-file', path: '/w/a', reason: 'binary' },
  { kind: 'not-a-text-file', path: '/w/a', reason: 'too-large' },
  { kind: 'not-a-text-file', path: '/w/a', reason: 'unreadable' },
  { kind: 'unknown-language', path: 'a.xyz', known: ['go', 'rust'] },
  { kind: 'unknown-language', path: 'a.xyz', language: 'klingon', known: ['go'] },
  { kind: 'server-missing', language: 'go', command: 'gopls', install: 'go install gopls' },
  { kind: 'server-failed', server: 'gopls', reason: 'exit code 1', stderr: 'a\nb\nno licence\n' },
  { kind: 'program-failed', program: 'pyright', reason: 'it ended with code 2', output: 'no memory' },
  { kind: 'unreadable-output', program: 'pyright', output: 'hello' },
  { kind: 'server-crashed', server: 'gopls', reason: 'SIGSEGV', stderr: '' },
  {
    kind: 'server-error',
    server: 'gopls',
    method: 'textDocument/hover',
    code: -32603,
    message: 'multi\nline',
  },
  { kind: 'unsupported', server: 'gopls', method: 'textDocument/declaration' },
  { kind: 'timeout', what: 'hover', afterMs: 1_234, state: 'ready' },
  { kind: 'cancelled' },
  { kind: 'result-too-large', what: 'references', bytes: 9 },
  { kind: 'draining' },
  { kind: 'broker-unavailable', reason: 'no sockets', log: '/s/log' },
  { kind: 'connection-lost', what: 'hover' },
  { kind: 'overloaded', what: '200 calls waiting' },
  { kind: 'base-changed', path: '/w/a' },
  { kind: 'write-refused', path: '/w/.git/config', reason: 'it belongs to git' },
  { kind: 'edit-invalid', path: '/w/a', reason: 'the edits at 1:1 and 1:2 overlap' },
  { kind: 'edit-not-applied', path: '/w/a', reason: 'the disk is full', left: { state: 'untouched' } },
  {
    kind: 'edit-not-applied',
    path: '/w/a',
    reason: 'input/output error',
    left: {
      state: 'compared',
      files: 3,
      differing: [{ path: '/w/a', holds: 'both' }],
      kept: [{ path: '/w/a', kept: '/s/edits/kept-1-a', what: 'others' }],
      isUnfinished: true,
    },
  },
];

describe('a failure', () => {
  it('is always one line with at least two sentences: what is wrong, and what to do', () => {
    for (const failure of failures) {
      const sentence = failureSentence(failure);
      expect(sentence).not.toContain('\n');
      expect(sentence).toMatch(/[^.]\. [A-Za-z].*\.$/);
      expect(sentence).not.toMatch(/undefined|\[object/);
    }
  });

  it('of a missing server names the command to install it and a search that works now', () => {
    const failure: Failure = {
      kind: 'server-missing',
      language: 'go',
      command: 'gopls',
      install: 'go install gopls',
    };
    expect(failureSentence(failure, "grep -rnw 'stop' /w")).toBe(
      "gopls, the language server for go, was not found. Install it with: go install gopls. Until then: grep -rnw 'stop' /w.",
    );
  });

  it('shows the last words of a server', () => {
    const failure: Failure = {
      kind: 'server-failed',
      server: 'x',
      reason: 'exit 1',
      stderr: 'one\ntwo\nthree\nfour\n',
    };
    expect(failureSentence(failure)).toContain('(stderr: two | three | four)');
  });

  it.each([
    {
      language: 'Node',
      stderr:
        '/x/a.js:3\n  throw new TypeError("y");\n  ^\n\nTypeError: y is not a function\n    at f (/x/a.js:3:9)\n    at g (/x/b.js:1:1)\n\nNode.js v20.20.2\n',
      cause: 'TypeError: y is not a function',
    },
    {
      language: 'Python',
      stderr: 'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: no config\n',
      cause: 'ValueError: no config',
    },
    {
      language: 'Go',
      stderr:
        'panic: nil map\n\ngoroutine 1 [running]:\nmain.f(...)\n\t/x/a.go:3 +0x1d\nmain.main()\n\t/x/a.go:9 +0x1d\n',
      cause: 'panic: nil map | main.f(...)',
    },
  ])('shows the cause of a stack trace of $language, not its end', ({ stderr, cause }) => {
    const failure: Failure = { kind: 'server-crashed', server: 'x', reason: 'exit 1', stderr };
    expect(failureSentence(failure)).toContain(`(stderr: ${cause})`);
  });

  it('carries a code for programs only where data is wanted', () => {
    expect(errorCode({ kind: 'no-such-file', path: 'x' })).toBe('no_such_file');
    expect(renderFailure({ kind: 'draining' })).not.toHaveProperty('structured');
    expect(renderFailure({ kind: 'draining' }, 'json').structured).toMatchObject({
      status: 'error',
      error_code: 'draining',
      recoverable: true,
    });
  });
});

describe('the problem of a failure', () => {
  it.each(failures)('is what the sentence of %o begins with', (failure) => {
    const sentence = failureSentence(failure);
    expect(sentence.startsWith(problemOf(failure).replace(/\?$/, ''))).toBe(true);
    expect(problemOf(failure)).not.toMatch(/\.$/);
  });

  it('is whole when the server itself speaks in sentences', () => {
    const reason = 'no toolchain. Run rustup. Then again';
    expect(problemOf({ kind: 'server-failed', server: 'rust-analyzer', reason, stderr: '' })).toBe(
      `rust-analyzer cannot be used: ${reason}`,
    );
  });
});
