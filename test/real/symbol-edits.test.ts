/** Edits by symbol on awkward code of real languages: the ranges are those of real servers, and the result parses. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as awkward from '../support/awkward-code.ts';
import { type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';
import { describeWith, requirement, toolchainEnvironment } from '../support/requirements.ts';

/** What a parser says against a text; empty when it takes it. */
type Parse = (text: string) => string;

interface EditAnswer {
  readonly applied: boolean;
  readonly summary: string;
  readonly diff?: string;
}

function suite(code: awkward.AwkwardCode, parse: Parse): void {
  let world: RealWorld;
  let session: RealSession;
  let original: string;
  const { file } = code;
  const bodies = [...code.functions, ...(code.overloaded === undefined ? [] : [code.overloaded])];

  beforeAll(async () => {
    world = realWorld(code.workspace);
    session = await world.session('--daemon', 'never', '--permission', 'write');
    original = world.workspace.read(file);
    expect(parse(original)).toBe('');
  });
  afterAll(async () => {
    await world.end();
    await world[Symbol.asyncDispose]();
  });

  const edit = (tool: string, symbol: string, args: object = {}) =>
    session.data(tool, { file_path: file, symbol_path: symbol, ...args }) as Promise<EditAnswer>;
  /** The text that an edit would give, which must parse. */
  const shown = async (tool: string, symbol: string, args: object = {}): Promise<string> => {
    const { applied, diff = '' } = await edit(tool, symbol, { ...args, dry_run: true });
    expect(applied).toBe(false);
    const text = patched(original, diff);
    expect(`${tool} ${symbol}: ${parse(text)}${parse(text) && text}`).toBe(`${tool} ${symbol}: `);
    return text;
  };

  it('takes a new body for every function, and the result parses', async () => {
    const [first = ''] = code.body.split('\n');
    for (const symbol of bodies) {
      const text = await shown('replace_symbol_body', symbol, { new_body: code.body });
      expect([symbol, text.split(first).length]).toEqual([symbol, 2]);
    }
  });

  it('takes back the source of a symbol as it is, and changes nothing', async () => {
    // Only these tools see all of several functions of one name.
    for (const symbol of code.functions.filter((each) => !each.includes('#'))) {
      const answer = (await session.data('get_symbol_source', { file_path: file, symbol })) as {
        readonly symbols: readonly { readonly source: string }[];
      };
      const { summary, diff } = await edit('replace_symbol_body', symbol, {
        new_body: answer.symbols[0]?.source,
        dry_run: true,
      });
      expect(`${summary}${diff ?? ''}`).toMatch(/nothing to change$/);
    }
  });

  it('inserts before and after, and the result parses', async () => {
    for (const [symbol, added] of code.insertions)
      for (const tool of ['insert_before_symbol', 'insert_after_symbol']) {
        const text = await shown(tool, symbol, { code: added });
        const left = text.split('\n').map(withoutComma);
        // What was there is there, in the same order.
        const lines = original.split('\n').map(withoutComma);
        let at = 0;
        for (const line of left) if (line === lines[at]) at += 1;
        expect([symbol, at]).toEqual([symbol, lines.length]);
      }
  });

  it('deletes only what nothing uses, and the result parses', async () => {
    const refusal = await session.refused('safe_delete_symbol', { file_path: file, symbol_path: code.used });
    expect(refusal).toMatch(/is used in \d+ places?/);
    for (const symbol of code.unused) await shown('safe_delete_symbol', symbol);
  });

  it('refuses what has no body of its own', async () => {
    for (const symbol of code.bodiless) {
      const args = { file_path: file, symbol_path: symbol, new_body: 'return 1' };
      expect(await session.refused('replace_symbol_body', args)).toMatch(
        /has no body to replace|shares line/,
      );
    }
  });

  it('writes what it has shown, and says that no error is new', async () => {
    const [symbol = ''] = code.unused;
    const text = await shown('safe_delete_symbol', symbol);
    expect(await edit('safe_delete_symbol', symbol)).toMatchObject({
      applied: true,
      diagnostics: { introduced: [] },
    });
    expect(world.workspace.read(file)).toBe(text);
  });
}

function withoutComma(line: string): string {
  return line.replace(/,$/, '');
}

/** A unified diff of one file applied to the text that it was made for. */
function patched(text: string, diff: string): string {
  const lines = text.split('\n');
  const result: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(2)) {
    const from = /^@@ -(\d+)(?:,(\d+))?/.exec(line);
    if (from) {
      const begin = Number(from[1]) - (from[2] === '0' ? 0 : 1);
      result.push(...lines.slice(at, begin));
      at = begin;
    } else if (line.startsWith('+')) result.push(line.slice(1));
    else if (!line.startsWith('\\')) {
      if (line.startsWith(' ')) result.push(line.slice(1));
      if (line !== '') expect(lines[at]).toBe(line.slice(1));
      at += line === '' ? 0 : 1;
    }
  }
  return [...result, ...lines.slice(at)].join('\n');
}

/** A program that reads a text and fails when it cannot parse it; without it nothing is said, and that is printed. */
function parser(executable: string | undefined, args: readonly string[], what: string): Parse {
  if (executable === undefined || !existsSync(executable)) {
    process.stderr.write(`skipped: parsing the result: ${what} is not installed\n`);
    return () => '';
  }
  return (input) => {
    const { status, stderr } = spawnSync(executable, args, {
      input,
      encoding: 'utf8',
      env: toolchainEnvironment(),
    });
    return status === 0 ? '' : stderr || `exit ${status}`;
  };
}

function beside(file: string, name: string): string {
  return path.join(path.dirname(file), name);
}

describe('TypeScript, edited by symbol', () => {
  suite(awkward.typescript, (text) => {
    const { diagnostics = [] } = ts.transpileModule(text, {
      reportDiagnostics: true,
      fileName: 'awkward.ts',
    });
    return diagnostics
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
      .join('\n');
  });
});

describe('Python, edited by symbol', () => {
  const python = requirement('python3');
  const executable = python.kind === 'found' ? python.path : undefined;
  suite(
    awkward.python,
    parser(executable, ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], 'python3'),
  );
});

describeWith(['gopls', 'go'], 'Go, edited by symbol', ({ go }) => {
  suite(awkward.go, parser(beside(go, 'gofmt'), ['-e'], 'gofmt'));
});

describeWith(['clangd', 'cc'], 'C++, edited by symbol', ({ cc }) => {
  suite(awkward.cpp, parser(cc, ['-x', 'c++', '-std=c++20', '-fsyntax-only', '-w', '-'], 'cc'));
});

describeWith(['rust-analyzer', 'cargo'], 'Rust, edited by symbol', ({ cargo }) => {
  suite(awkward.rust, parser(beside(cargo, 'rustfmt'), ['--edition', '2021', '--emit', 'stdout'], 'rustfmt'));
});
