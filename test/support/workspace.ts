/**
 * A place of its own for each test: a workspace made from text, a state directory, a home and an environment,
 * all below one temporary directory, and all gone afterwards together with every process started in it.
 *
 *   await using workspace = createWorkspace(`
 *   //- src/a.ts
 *   export function he$0llo() {}
 *   `);
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { absolutePath } from '../../src/shared/base/paths.ts';
import type { Point } from '../../src/shared/base/positions.ts';
import { expectNothingLeft, killAllOfTest, newTestId, TEST_ID_VARIABLE } from './processes.ts';
import { toolchainEnvironment } from './requirements.ts';

export interface WorkspaceOptions {
  /** The marker of the cursor in the text; `$0` if not said. */
  readonly cursor?: string;
  /** A folder of test/fixtures that is copied in first. */
  readonly fixture?: 'typescript' | 'python' | 'go' | 'cpp';
}

export interface Cursor extends Point {
  readonly file: AbsPath;
}

export interface Workspace extends AsyncDisposable {
  readonly root: AbsPath;
  readonly stateDir: AbsPath;
  readonly home: AbsPath;
  /** For journals, gates and scenarios: not inside the root, not inside the state directory. */
  readonly scratch: AbsPath;
  readonly testId: string;
  file(name: string): AbsPath;
  read(name: string): string;
  /** Makes the directories that are missing. */
  write(name: string, text: string | Uint8Array): AbsPath;
  remove(name: string): void;
  /** The only cursor of the text, or the one in the named file. */
  cursor(name?: string): Cursor;
  /** A clean environment for child processes: own home and state, no settings of the person who runs the tests. */
  env(extra?: Readonly<Record<string, string>>): Record<string, string>;
  /** Waits until no process of this test is left, then checks for sockets and temporary files. */
  expectNothingLeft(timeoutMs?: number): Promise<void>;
}

export function createWorkspace(text = '', options: WorkspaceOptions = {}): Workspace {
  // A short name, because socket paths below it are limited to about 100 bytes.
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'al-')));
  const place = (name: string) => absolutePath(path.join(base, name));
  const [root, stateDir, home, scratch] = [place('work'), place('state'), place('home'), place('scratch')];
  for (const directory of [root, stateDir, home, scratch]) mkdirSync(directory, { mode: 0o700 });
  if (options.fixture !== undefined) cpSync(path.join(FIXTURES, options.fixture), root, { recursive: true });

  const testId = newTestId();
  const file = (name: string) => absolutePath(name, root);
  const write = (name: string, content: string | Uint8Array): AbsPath => {
    mkdirSync(path.dirname(file(name)), { recursive: true });
    writeFileSync(file(name), content);
    return file(name);
  };
  const cursors = new Map<string, Point>();
  for (const section of parseSections(text)) {
    const { text: clean, point } = takeCursor(section.text, options.cursor ?? '$0');
    if (point) cursors.set(section.name, point);
    write(section.name, clean);
  }

  return {
    root,
    stateDir,
    home,
    scratch,
    testId,
    file,
    read: (name) => readFileSync(file(name), 'utf8'),
    write,
    remove: (name) => rmSync(file(name), { recursive: true, force: true }),
    cursor: (name) => onlyCursor(cursors, name, file),
    env: (extra) => ({
      ...toolchainEnvironment(),
      HOME: home,
      AGENT_LSP_STATE_DIR: stateDir,
      // A busy machine takes its time; tests of what happens then say so.
      AGENT_LSP_PATIENCE_MS: '60000',
      [TEST_ID_VARIABLE]: testId,
      ...extra,
    }),
    expectNothingLeft: (timeoutMs) => expectNothingLeft(testId, stateDir, timeoutMs),
    [Symbol.asyncDispose]: async () => {
      await killAllOfTest(testId);
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Cuts `//- path` sections apart; text before the first one must be blank. */
export function parseSections(text: string): readonly { readonly name: string; readonly text: string }[] {
  const [before = '', ...parts] = text.split(/^[ \t]*\/\/- +(.+?)[ \t]*\r?\n/m);
  if (before.trim() !== '')
    throw new Error(`fixture text before the first "//- path" line: ${before.trim()}`);
  return Array.from({ length: parts.length / 2 }, (_, index) => ({
    name: parts[index * 2] ?? '',
    text: unindent(parts[index * 2 + 1] ?? ''),
  }));
}

/** Takes the marker out of the text and says where it was; without one the point is undefined. */
export function takeCursor(
  text: string,
  marker = '$0',
): { readonly text: string; readonly point: Point | undefined } {
  const offset = text.indexOf(marker);
  if (offset < 0) return { text, point: undefined };
  if (text.includes(marker, offset + marker.length))
    throw new Error(`more than one ${marker} in the fixture text`);
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return { text: before + text.slice(offset + marker.length), point: { line, column } };
}

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures');

function onlyCursor(
  cursors: ReadonlyMap<string, Point>,
  name: string | undefined,
  file: (name: string) => AbsPath,
): Cursor {
  const found = [...cursors].filter(([each]) => name === undefined || each === name);
  const [first] = found;
  if (!first || found.length > 1) throw new Error(`${found.length} cursors in ${name ?? 'the workspace'}`);
  return { file: file(first[0]), ...first[1] };
}

/** Fixture text may be indented with the test around it. */
function unindent(text: string): string {
  const lines = text.split('\n');
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const common = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => (line.trim() === '' ? line.trimStart() : line.slice(common))).join('\n');
}
