/** Text that is tried out through the tools, with real servers: one session per language, over a project of two files. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

interface Project {
  readonly settings: Readonly<Record<string, string>>;
  /** With an error of its own in a line with `old`, and a line with an emoji before `after`. Written with CRLF. */
  readonly library: readonly [file: string, text: string];
  readonly main?: readonly [file: string, text: string];
  readonly comment: string;
  /** Changes what the library promises, so that the main file breaks. */
  readonly breaking: readonly [from: string, to: string];
  readonly mended: readonly [from: string, to: string];
  /** Without a list of all its files. */
  readonly isDegraded?: true;
}

const typescript: Project = {
  settings: {
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","target":"es2022"}}',
  },
  library: [
    'library.ts',
    'export function price(): number {\n  return 1;\n}\nexport const old: string = 5;\nexport const smile = "😀", after = 1;\n',
  ],
  main: ['main.ts', "import { price } from './library';\nexport const total: number = price();\n"],
  comment: '// more\n',
  breaking: ['price(): number', 'price(): string'],
  mended: ['string = 5', 'string = "5"'],
};

const python: Project = {
  settings: { 'pyproject.toml': '[tool.pyright]\n' },
  library: ['library.py', 'def price() -> int:\n    return 1\n\nold: str = 5\nsmile = "😀"; after = 1\n'],
  main: ['main.py', 'from library import price\n\ntotal: int = price()\n'],
  comment: '# more\n',
  breaking: ['price() -> int', 'price() -> str'],
  mended: ['str = 5', 'str = "5"'],
};

const go: Project = {
  settings: { 'go.mod': 'module example.org/shop\n\ngo 1.20\n' },
  library: [
    'library.go',
    'package shop\n\nfunc price() int {\n\treturn 1\n}\n\nvar old string = 5\nvar smile, after = "😀", 1\n',
  ],
  main: ['main.go', 'package shop\n\nvar total int = price()\n'],
  comment: '// more\n',
  breaking: ['price() int', 'price() string'],
  mended: ['string = 5', 'string = "5"'],
};

const cpp: Project = {
  settings: { 'compile_flags.txt': '-std=c++17\n' },
  library: [
    'library.cpp',
    'int price() {\n  return 1;\n}\nconst char *old = 5;\nconst char *smile = "😀"; int after = 1;\n',
  ],
  comment: '// more\n',
  breaking: ['int price()', 'const char *price()'],
  mended: ['*old = 5', '*old = "5"'],
  isDegraded: true,
};

interface Evaluation {
  readonly net_delta: number;
  readonly errors_introduced: readonly { file: string; line: number; column: number; message: string }[];
  readonly errors_resolved: readonly { file: string; line: number }[];
  readonly confidence: string;
  readonly timeout: boolean;
}

const LONG = 180_000;

function triesOut(project: Project): void {
  const [library, text] = project.library;
  const lines = text.split('\n');
  const oldLine = lines.findIndex((line) => /\bold\b/.test(line)) + 1;
  const afterLine = lines.findIndex((line) => line.includes('after')) + 1;
  /** Of the number behind `after`, in UTF-16. */
  const column = (lines[afterLine - 1] ?? '').lastIndexOf('1') + 1;
  let world: RealWorld;
  let session: RealSession;
  const file = () => world.workspace.file(library);
  const tried = (tool: string, args: object) => session.data(tool, { ...args }) as Promise<Evaluation>;
  const begin = async () => {
    const { session_id } = (await session.data('create_simulation_session')) as { session_id: string };
    return { session_id };
  };
  const preview = (old_text: string, new_text: string, more: object = {}) =>
    tried('preview_edit', { file_path: library, old_text, new_text, ...more });
  /** The number behind `after` replaced by a name that there is not. */
  const mistake = (moved: number) => ({
    file_path: library,
    start_line: afterLine + moved,
    start_column: column,
    end_line: afterLine + moved,
    end_column: column + 1,
    new_text: 'missing',
  });
  const comment = {
    file_path: library,
    start_line: 1,
    start_column: 1,
    end_column: 1,
    new_text: project.comment,
  };

  beforeAll(async () => {
    world = realWorld('');
    const { main, settings } = project;
    for (const [name, content] of [...Object.entries(settings), project.library, ...(main ? [main] : [])])
      world.workspace.write(name, name === library ? content.replaceAll('\n', '\r\n') : content);
    session = await world.session();
  }, LONG);
  afterAll(async () => {
    await world.end();
    await world[Symbol.asyncDispose]();
  }, LONG);

  it('W12, W14: neither what was wrong before nor what only moved is new', async () => {
    const found = await tried('preview_edit', comment);
    expect(found).toMatchObject({ net_delta: 0, errors_introduced: [], errors_resolved: [], timeout: false });
    expect(project.isDegraded ? ['partial'] : ['high', 'eventual']).toContain(found.confidence);
  });

  it('says where an error would be, behind an emoji, in a file with CRLF, in the text as it would be', async () => {
    const id = await begin();
    await session.data('simulate_edit', { ...id, ...comment });
    await session.data('simulate_edit', { ...id, ...mistake(1) });
    const found = await tried('evaluate_session', id);
    expect(found).toMatchObject({
      net_delta: 1,
      errors_introduced: [{ file: file(), line: afterLine + 1, column }],
      errors_resolved: [],
    });
    expect(found.errors_introduced[0]?.message).toContain('missing');
    const committed = (await session.data('commit_session', id)) as { patch: string };
    expect(committed.patch).toContain('+++ b/');
    expect(committed.patch).toMatch(/missing;?\r/);
  });

  it('says which errors would be gone, where they are now', async () => {
    expect(await preview(...project.mended)).toMatchObject({
      net_delta: -1,
      errors_introduced: [],
      errors_resolved: [{ file: file(), line: oldLine }],
    });
  });

  const [main] = project.main ?? [];
  if (main !== undefined)
    it('looks at files that depend on the text, if asked to', async () => {
      const found = await preview(...project.breaking, { scope: 'workspace' });
      const files = found.errors_introduced.map((each) => each.file);
      expect(files).toContain(world.workspace.file(main));
      expect(files).toContain(file());
    });

  it('W14: keeps sessions on one file apart, and a chain is safe up to its first mistake', async () => {
    const [wrong, right] = [await begin(), await begin()];
    await session.data('simulate_edit', { ...wrong, ...mistake(0) });
    await session.data('simulate_edit', { ...right, ...comment });
    const found = await Promise.all([wrong, right, wrong].map((id) => tried('evaluate_session', id)));
    expect(found.map(({ net_delta }) => net_delta)).toEqual([1, 0, 1]);
    const repaired = { file_path: library, old_text: 'missing', new_text: '2' };
    const edits = [comment, mistake(1), repaired];
    expect(await session.data('simulate_chain', { ...(await begin()), edits })).toMatchObject({
      steps: [{ net_delta: 0 }, { net_delta: 1 }, { net_delta: 0 }],
      safe_to_apply_through_step: 1,
      cumulative_delta: 0,
    });
  });

  it('W13: calls nothing safe that the server had no time for', async () => {
    await tried('preview_edit', comment);
    const { raw } = await session.frontEnd.call('preview_edit', { ...mistake(0), timeout_ms: 1 });
    const answer = raw.structuredContent as { status?: string; data: Evaluation };
    // On a busy machine the server may not even have been reached, or have answered before the time was noticed.
    const { data } = answer;
    if (answer.status === 'error') expect(answer).toMatchObject({ error_code: 'timeout', recoverable: true });
    else if (data.timeout) expect(answer).toMatchObject({ data: { confidence: 'low' }, fresh: false });
    else expect(data).toMatchObject({ net_delta: 1 });
  });

  it('W11: leaves disk and server as they were, and makes an edit only without new errors', async () => {
    expect((await session.problems(library)).map((problem) => Number.parseInt(problem, 10))).toContain(
      oldLine,
    );
    expect((await session.problems(library)).length).toBe(1);
    expect(world.workspace.read(library)).toBe(text.replaceAll('\n', '\r\n'));
    // Who depends on a file is not known where not all files are.
    const made = async (args: object) => (await session.frontEnd.call('safe_apply_edit', { ...args })).json;
    const refused = { file_path: library, old_text: lines[afterLine - 1], new_text: 'missing' };
    expect(await made(refused)).toMatchObject({ applied: false });
    expect(world.workspace.read(library)).toBe(text.replaceAll('\n', '\r\n'));
    const [from, to] = project.mended;
    expect(await made({ file_path: library, old_text: from, new_text: to })).toMatchObject({
      applied: true,
      evaluation: { net_delta: -1 },
    });
    expect(await session.problems(library)).toEqual([]);
  });
}

describe.each([
  { server: 'TypeScript 7', project: typescript },
  { server: 'pyright', project: python },
])('text that is tried out with $server', { timeout: LONG }, ({ project }) => triesOut(project));

describeWith(['gopls', 'go'], 'text that is tried out with gopls', () => triesOut(go));

describeWith('clangd', 'text that is tried out with clangd', () => triesOut(cpp));

const HEADERS = `
//- shop.hpp
#pragma once
#define FEE 1
int price();
//- shop.cpp
#include "shop.hpp"
int price() { return 1; }
//- main.cpp
#include "shop.hpp"
int main() { return price(); }
//- fee.cpp
#include "shop.hpp"
static_assert(FEE == 1, "fee");
`;

describeWith('clangd', 'a header that is tried out with clangd', ({ clangd }) => {
  let world: RealWorld;
  let session: RealSession;
  const parameter = { file_path: 'shop.hpp', old_text: 'int price();', new_text: 'int price(int count);' };
  const fee = { file_path: 'shop.hpp', old_text: 'FEE 1', new_text: 'FEE 2', scope: 'workspace' };
  const brokenBy = async (edit: object, from = session) => {
    const found = (await from.data('preview_edit', { ...edit })) as Evaluation;
    const files = found.errors_introduced.map(({ file }) => file);
    return { ...found, files: files.sort() };
  };

  beforeAll(async () => {
    world = realWorld(HEADERS);
    const { root, file } = world.workspace;
    const commands = ['shop.cpp', 'main.cpp', 'fee.cpp'].map((name) => ({
      directory: root,
      file: file(name),
      arguments: ['c++', '-c', name],
    }));
    world.workspace.write('compile_commands.json', JSON.stringify(commands));
    session = await world.session();
  }, LONG);
  afterAll(async () => {
    await world.end();
    await world[Symbol.asyncDispose]();
  }, LONG);

  it('breaks files that include it, also those that are open, and leaves nothing in them', async () => {
    const hover = () => session.ask('inspect_symbol', { file_path: 'main.cpp', line: 2, column: 21 });
    const before = await hover();
    expect(before).toContain('price()');
    expect(await session.problems('main.cpp')).toEqual([]);
    const { files } = await brokenBy({ ...parameter, scope: 'workspace' });
    expect(files).toEqual([world.workspace.file('main.cpp')]);
    expect(await hover()).toBe(before);
    expect(await session.problems('main.cpp')).toEqual([]);
    const { json } = await session.frontEnd.call('safe_apply_edit', parameter);
    expect(json).toMatchObject({ applied: false });
  });

  it('breaks files that use none of its names', async () => {
    expect((await brokenBy(fee)).files).toEqual([world.workspace.file('fee.cpp')]);
  });

  it('is never called safe with high confidence for itself alone', async () => {
    const { raw, text } = await session.frontEnd.call('preview_edit', parameter);
    expect(raw.structuredContent).toMatchObject({ data: { confidence: 'partial', errors_introduced: [] } });
    expect(JSON.stringify(raw) + text).toContain('files that include shop.hpp were not looked at');
  });

  it('is partial with a server that reads headers from the disk', async () => {
    const servers = [{ language_id: 'cpp', extensions: ['cpp', 'hpp'], command: [clangd] }];
    const config = world.workspace.write(
      `${world.workspace.scratch}/plain.json`,
      JSON.stringify({ servers }),
    );
    const plain = await world.session('--config', config);
    expect(await brokenBy(fee, plain)).toMatchObject({ confidence: 'partial', files: [] });
  });
});

const CRATE = `
//- Cargo.toml
[package]
name = "shop"
version = "0.1.0"
edition = "2021"
//- src/lib.rs
pub fn price() -> i32 {
    1
}
pub fn old() -> String {
    5
}
//- src/main.rs
fn main() {
    let total: i32 = shop::price();
    println!("{total}");
}
`;

describeWith(['rust-analyzer', 'cargo'], 'text that is tried out with rust-analyzer', () => {
  let world: RealWorld;
  let session: RealSession;
  beforeAll(async () => {
    world = realWorld(CRATE);
    session = await world.session();
  }, LONG);
  afterAll(async () => {
    await world.end();
    await world[Symbol.asyncDispose]();
  }, LONG);

  it('breaks files that depend on it, and does not wait for the compiler, which reads the disk', async () => {
    const before = await session.problems('src/lib.rs');
    const edit = { file_path: 'src/lib.rs', old_text: 'price() -> i32', new_text: 'price() -> String' };
    const found = (await session.data('preview_edit', { ...edit, scope: 'workspace' })) as Evaluation;
    expect(found).toMatchObject({ confidence: 'partial', timeout: false, errors_resolved: [] });
    const files = found.errors_introduced.map(({ file }) => file);
    expect(files).toContain(world.workspace.file('src/main.rs'));
    expect(files).toContain(world.workspace.file('src/lib.rs'));
    // Also what the compiler has said is known again.
    expect(await session.problems('src/lib.rs')).toEqual(before);
  });

  it('is not called safe where only the compiler finds the mistake, and taken back once it has', async () => {
    const edit = { file_path: 'src/lib.rs', old_text: '    1', new_text: '    missing' };
    const answer = await session.frontEnd.call('preview_edit', edit);
    expect(answer.raw.structuredContent).toMatchObject({ data: { confidence: 'partial' } });
    expect(JSON.stringify(answer.raw)).toContain('what they find shows once it is applied');
    expect(JSON.stringify(answer.raw)).not.toContain('safe: ');
    const before = readFileSync(world.workspace.file('src/lib.rs'), 'utf8');
    const made = await session.data('safe_apply_edit', edit);
    expect(made).toMatchObject({ applied: false, summary: expect.stringContaining('taken back') });
    expect(readFileSync(world.workspace.file('src/lib.rs'), 'utf8')).toBe(before);
  });
});
