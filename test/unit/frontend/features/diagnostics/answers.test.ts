import { describe, expect, it } from 'vitest';
import { findingsOf, headerLine } from '../../../../../src/frontend/features/diagnostics/diagnostics.ts';
import { compactHover, hoverText } from '../../../../../src/frontend/features/documentation/hover-text.ts';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';
import { TextLines } from '../../../../../src/shared/base/positions.ts';
import type { Freshness } from '../../../../../src/shared/link/server-link.ts';

describe('diagnostics', () => {
  const header = (freshness: Freshness, count = 0) => {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    const diagnostics = Array.from({ length: count }, () => ({
      range,
      message: 'm',
      code: 2304,
      source: 'ts',
    }));
    const report = { file: absolutePath('/w/a.ts'), version: 7, freshness, diagnostics };
    return headerLine(findingsOf(report, 'tsserver', new TextLines('x'), 'utf-16'), 'a.ts');
  };

  it('state how it is known that they are fresh', () => {
    expect(header({ kind: 'exact', proof: 'pull' })).toBe('a.ts: clean; fresh (pull, tsserver)');
    expect(header({ kind: 'exact', proof: 'version' }, 2)).toBe(
      'a.ts: 2 errors; fresh (version 7, tsserver)',
    );
    expect(header({ kind: 'inferred', proof: 'quiet' })).toBe(
      'a.ts: clean; inferred (quiet after the change, tsserver)',
    );
    expect(header({ kind: 'inferred', proof: 'idle' }, 1)).toBe(
      'a.ts: 1 error; inferred (idle after the change, tsserver)',
    );
  });

  it('never call a file clean that was not checked', () => {
    expect(header({ kind: 'timeout', afterMs: 25_000 })).toMatch(
      /^TIMEOUT: .* 25 s; nothing is known, this is not "clean"/,
    );
    expect(header({ kind: 'timeout', afterMs: 2_000, lastKnownAgeMs: 9_000 }, 1)).toBe(
      'TIMEOUT: tsserver did not report on a.ts within 2 s; STALE, from 9 s ago: 1 error; call again',
    );
    expect(header({ kind: 'restarted' })).toMatch(/^STALE: /);
  });

  it('take a missing severity for an error and write codes as compilers do', () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    const report = {
      file: absolutePath('/w/a.ts'),
      version: 1,
      freshness: { kind: 'restarted' } as const,
      diagnostics: [{ range, message: 'm', code: 2304, source: 'ts' }],
    };
    const { findings } = findingsOf(report, 's', new TextLines('x'), 'utf-16');
    expect(findings[0]).toMatchObject({ severity: 1, code: 'TS2304' });
  });
});

describe('hovers', () => {
  it('are read in all their shapes', () => {
    expect(hoverText(null)).toBe('');
    expect(hoverText({ contents: 'plain' })).toBe('plain');
    expect(hoverText({ contents: { kind: 'markdown', value: '**x**' } })).toBe('**x**');
    expect(hoverText({ contents: [{ language: 'go', value: 'func F()' }, 'doc', ''] })).toBe(
      '```go\nfunc F()\n```\n\ndoc',
    );
  });

  it('are shown signature first, without fences and rules', () => {
    const text = '```go\nfunc F()\n```\n\n---\n\nDoes F.\n```go\nF()\n```\n';
    expect(compactHover(text, false)).toEqual({
      signature: 'func F()',
      documentation: ['Does F.', 'F()'],
      hidden: 0,
    });
    expect(compactHover('one\ntwo', false)).toEqual({ signature: 'one', documentation: ['two'], hidden: 0 });
  });

  it.each([
    {
      server: 'clangd writes it last',
      text: '### function `total`\n\n---\n\u2192 `int`\n\nParameters:\n\n- `int each`\n\nThe price.\n\n---\n```cpp\n// In namespace shop\nint total(int each)\n```',
      expected: { signature: 'int total(int each)', documentation: ['The price.'], hidden: 0 },
    },
    {
      server: 'rust-analyzer behind the module',
      text: '```rust\nshop::pricing\n```\n\n```rust\npub fn total(each: u32) -> u32\n```\n\n---\n\nThe price.',
      expected: { signature: 'pub fn total(each: u32) -> u32', documentation: ['The price.'], hidden: 0 },
    },
    {
      server: 'gopls with a link behind it',
      text: '```go\nfunc Take()\n```\n\n---\n\n[`stock.Take` on pkg.go.dev](https://pkg.go.dev/stock#Take)',
      expected: { signature: 'func Take()', documentation: [], hidden: 0 },
    },
  ])('have the signature where the server puts it: $server', ({ text, expected }) => {
    expect(compactHover(text, false)).toEqual(expected);
  });
});
