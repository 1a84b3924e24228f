/**
 * Files written behind the product's back, and real servers asked at once: no answer is about the files as they were.
 * Each language has the same small project, in which `main` needs a module that comes and goes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  DiagnosticSeverity,
  HoverRequest,
  type Location,
  type Position,
  ReferencesRequest,
} from 'vscode-languageserver-protocol';
import { pathToUri, uriToPath } from '../../src/shared/base/paths.ts';
import { createHost } from '../../src/shared/host/create-host.ts';
import { currentEnvironment } from '../../src/shared/languages/environment.ts';
import { makePlan } from '../../src/shared/languages/plan.ts';
import { languageTable } from '../../src/shared/languages/table.ts';
import { describeWith } from '../support/requirements.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const PACKAGE_ROOT = path.resolve(import.meta.dirname, '../..');
const ROUNDS = 3;
/** Servers need their time for thousands of files, and more on a machine that does other things as well. */
const LONG = { timeout: 180_000 };

interface Project {
  readonly family: string;
  readonly serverId: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Declares `sharedName`. */
  readonly library: readonly [file: string, text: string];
  /** Assigns `extra` to a number. */
  readonly main: readonly [file: string, text: string];
  readonly extra: { readonly file: string; readonly number: string; readonly text: string };
  /** A file that uses `sharedName` so many times. */
  user(name: string, uses: number): readonly [file: string, text: string];
  prepare?(workspace: Workspace): void;
}

function times(count: number, line: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => `${line(n)}\n`).join('');
}

const typescript: Project = {
  family: 'typescript',
  serverId: 'typescript-7',
  settings: {
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","target":"es2022"},"include":["src"]}',
  },
  library: ['src/library.ts', 'export function sharedName(): number {\n  return 1;\n}\n'],
  main: ['src/main.ts', "import { extra } from './extra';\nexport const value: number = extra;\n"],
  extra: {
    file: 'src/extra.ts',
    number: 'export const extra: number = 1;\n',
    text: "export const extra: string = 'a';\n",
  },
  user: (name, uses) => [
    `src/${name}.ts`,
    `import { sharedName } from './library';\n${times(uses, (n) => `export const v${n} = sharedName();`)}`,
  ],
};

const typescript5: Project = {
  ...typescript,
  serverId: 'typescript-language-server',
  prepare(workspace) {
    mkdirSync(workspace.file('node_modules'));
    symlinkSync(
      path.join(PACKAGE_ROOT, 'node_modules/typescript5'),
      workspace.file('node_modules/typescript'),
    );
  },
};

const python: Project = {
  family: 'python',
  serverId: 'pyright',
  settings: { 'pyproject.toml': '[project]\nname = "shop"\nversion = "0.1.0"\n' },
  library: ['library.py', 'def sharedName() -> int:\n    return 1\n'],
  main: ['main.py', 'from extra import extra\nvalue: int = extra\n'],
  extra: { file: 'extra.py', number: 'extra: int = 1\n', text: 'extra: str = "a"\n' },
  user: (name, uses) => [
    `${name}.py`,
    `from library import sharedName\n${times(uses, (n) => `v${n} = sharedName()`)}`,
  ],
};

const go: Project = {
  family: 'go',
  serverId: 'gopls',
  settings: { 'go.mod': 'module example.com/shop\n\ngo 1.21\n' },
  library: ['library.go', 'package shop\n\nfunc sharedName() int { return 1 }\n'],
  main: ['main.go', 'package shop\n\nvar value int = extra\n'],
  extra: {
    file: 'extra.go',
    number: 'package shop\n\nvar extra int = 1\n',
    text: 'package shop\n\nvar extra string = "a"\n',
  },
  user: (name, uses) => [
    `${name}.go`,
    `package shop\n\n${times(uses, (n) => `var ${name}${n} = sharedName()`)}`,
  ],
};

const rust: Project = {
  family: 'rust',
  serverId: 'rust-analyzer',
  settings: { 'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n' },
  library: ['src/lib.rs', 'pub fn sharedName() -> i32 { 1 }\npub mod base;\npub mod one;\npub mod two;\n'],
  main: ['src/main.rs', 'fn main() {}\n'],
  extra: { file: 'src/extra.rs', number: '', text: '' },
  user: (name, uses) => [
    `src/${name}.rs`,
    times(uses, (n) => `pub fn v${n}() -> i32 { crate::sharedName() }`),
  ],
};

interface Asking extends AsyncDisposable {
  readonly workspace: Workspace;
  put(file: readonly [name: string, text: string]): void;
  /** How often `sharedName` is used, imports and the declaration not counted. */
  uses(): Promise<number>;
  /** How many errors there are in `main`. */
  errors(): Promise<number>;
  /** What is said about `extra` where it is used. */
  hover(): Promise<string>;
}

async function asking(project: Project): Promise<Asking> {
  const workspace = createWorkspace();
  const { library, main } = project;
  for (const [name, text] of Object.entries(project.settings)) workspace.write(name, text);
  for (const [name, text] of [library, main, project.user('base', 1)]) workspace.write(name, text);
  project.prepare?.(workspace);
  const family = languageTable.find(({ id }) => id === project.family);
  if (!family) throw new Error(`no such family: ${project.family}`);
  const environment = { ...currentEnvironment(PACKAGE_ROOT), env: workspace.env() };
  const config = { overrides: new Map(), stateDir: workspace.stateDir };
  const plan = await makePlan({ family, root: workspace.root, config, environment, role: 'types' });
  expect(plan.serverId).toBe(project.serverId);
  if (plan.server.kind !== 'spawn') throw new Error('the server is spawned');
  const host = createHost({ ...plan, server: { ...plan.server, env: workspace.env(plan.server.env) } });
  const [libraryFile, mainFile] = [workspace.file(library[0]), workspace.file(main[0])];
  return {
    workspace,
    put: ([name, text]) => void workspace.write(name, text),
    async uses() {
      const params = {
        textDocument: { uri: pathToUri(libraryFile) },
        position: place(library[1], 'sharedName'),
        context: { includeDeclaration: false },
      };
      const options = { documents: [libraryFile], whenReady: true };
      const found = (await host.request(ReferencesRequest.method, params, options)) as Location[] | null;
      return (found ?? []).filter((location) => !isImport(location)).length;
    },
    async errors() {
      const report = await host.diagnostics(mainFile);
      expect(['exact', 'inferred']).toContain(report.freshness.kind);
      return report.diagnostics.filter(({ severity }) => severity === DiagnosticSeverity.Error).length;
    },
    async hover() {
      const position = place(main[1], 'extra', main[1].indexOf('value'));
      const params = { textDocument: { uri: pathToUri(mainFile) }, position };
      return JSON.stringify(await host.request(HoverRequest.method, params, { documents: [mainFile] }));
    },
    async [Symbol.asyncDispose]() {
      await host.stop();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

function place(text: string, word: string, from = 0): Position {
  const before = text.slice(0, text.indexOf(word, from)).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

/** Reading the file fails, as it should, when a reference leads to one that is gone. */
function isImport({ uri, range }: Location): boolean {
  const text = readFileSync(uriToPath(uri) ?? uri, 'utf8');
  return text.split('\n')[range.start.line]?.includes('import') ?? false;
}

function knowsTheDisk(project: Project): void {
  it(
    'knows of files that were created, changed, renamed and deleted right before it is asked',
    LONG,
    async () => {
      await using here = await asking(project);
      const { workspace, put } = here;
      const { extra, user } = project;
      expect(await here.uses()).toBe(1);
      for (let round = 0; round < ROUNDS; round++) {
        put(user('one', 1));
        expect(await here.uses()).toBe(2);
        put(user('one', 3));
        expect(await here.uses()).toBe(4);
        expect(await here.errors()).toBe(1);
        put([extra.file, extra.number]);
        expect(await here.errors()).toBe(0);
        expect(await here.hover()).toMatch(/number|int/);
        put([extra.file, extra.text]);
        expect(await here.hover()).toMatch(/str/);
        expect(await here.errors()).toBe(1);
        put([extra.file, extra.number]);
        expect(await here.errors()).toBe(0);
        renameSync(workspace.file(user('one', 0)[0]), workspace.file(user('two', 0)[0]));
        expect(await here.uses()).toBe(4);
        workspace.remove(extra.file);
        expect(await here.errors()).toBe(1);
        workspace.remove(user('two', 0)[0]);
        expect(await here.uses()).toBe(1);
      }
    },
  );
}

/** The same without diagnostics, of which this server leaves a part to the compiler. */
function knowsTheFiles(project: Project): void {
  it(
    'knows of files that were created, changed, renamed and deleted right before it is asked',
    LONG,
    async () => {
      await using here = await asking(project);
      const { workspace, put } = here;
      const { user } = project;
      expect(await here.uses()).toBe(1);
      put(user('one', 1));
      expect(await here.uses()).toBe(2);
      put(user('one', 3));
      expect(await here.uses()).toBe(4);
      renameSync(workspace.file(user('one', 0)[0]), workspace.file(user('two', 0)[0]));
      expect(await here.uses()).toBe(4);
      workspace.remove(user('two', 0)[0]);
      expect(await here.uses()).toBe(1);
    },
  );
}

function knowsTheBranch(project: Project, git: string): void {
  it('knows of a branch with 2,000 more files right after the switch', LONG, async () => {
    await using here = await asking(project);
    const { workspace } = here;
    const run = (...args: readonly string[]) =>
      execFileSync(git, ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
        cwd: workspace.root,
        env: workspace.env(),
        stdio: 'pipe',
      });
    workspace.write('.gitignore', 'node_modules\n');
    run('init', '--quiet', '--initial-branch', 'few');
    run('add', '--all');
    run('commit', '--quiet', '--message', 'few');
    run('checkout', '--quiet', '-b', 'many');
    for (let n = 0; n < 2000; n++) here.put(project.user(`user${n}x`, 1));
    run('add', '--all');
    run('commit', '--quiet', '--message', 'many');
    expect(await here.uses()).toBe(2001);
    run('checkout', '--quiet', 'few');
    expect(await here.uses()).toBe(1);
    run('checkout', '--quiet', 'many');
    expect(await here.uses()).toBe(2001);
  });
}

describe('edits from outside with the embedded TypeScript', () => knowsTheDisk(typescript));
describe('edits from outside with the TypeScript of the project', () => knowsTheDisk(typescript5));
describe('edits from outside with pyright', () => knowsTheDisk(python));
describeWith(['gopls', 'go'], 'edits from outside with gopls', () => knowsTheDisk(go));
describeWith('rust-analyzer', 'edits from outside with rust-analyzer', () => knowsTheFiles(rust));

for (const project of [typescript, typescript5, python])
  describeWith('git', `a switch of branches with ${project.serverId}`, ({ git }) =>
    knowsTheBranch(project, git),
  );
describeWith(['git', 'gopls', 'go'], 'a switch of branches with gopls', ({ git }) => knowsTheBranch(go, git));
