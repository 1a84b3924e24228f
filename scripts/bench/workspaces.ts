/**
 * Workspaces of real sources that npm has brought along: TypeScript packages, and pyright's own typeshed. It brings no
 * Go and no workspace of many packages, so these are generated.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeMonorepo } from '../../test/support/monorepo.ts';

export interface BenchWorkspace {
  readonly name: 'typescript' | 'typescript-5' | 'python' | 'go' | 'monorepo' | 'python-3000';
  readonly language: 'typescript' | 'python' | 'go';
  readonly root: string;
  readonly files: number;
  /** A symbol that is used in many files, and where it is declared. */
  readonly target: { readonly file: string; readonly line: number; readonly column: number };
  /** What is renamed: used in at least 200 files. */
  readonly renamed: BenchWorkspace['target'] & { readonly what: string };
  /** A file whose documentSymbol answer has some 200 KB. */
  readonly large: string;
}

/** Packages that are published with their sources. */
export const TYPESCRIPT_SOURCES = ['rxjs', 'effect', 'zod'] as const;
const PACKAGES = path.resolve(import.meta.dirname, '../../node_modules');
/** Typeshed stubs beyond the standard library, enough for a workspace of some 1,500 files. */
const STUBS =
  /^(boltons|docutils|gevent|greenlet|networkx|openpyxl|protobuf|psycopg2|pygit2|pywin32|reportlab|setuptools|shapely|tensorflow)$/;

/** The TypeScript sources of some packages, as one project. */
export function sourcesWorkspace(root: string, packages: readonly string[]): void {
  for (const name of packages)
    cpSync(path.join(PACKAGES, name, 'src'), path.join(root, name), { recursive: true });
  writeFileSync(path.join(root, 'package.json'), '{ "name": "bench", "private": true, "type": "module" }\n');
  const compilerOptions = {
    target: 'esnext',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  writeFileSync(
    path.join(root, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['**/*.ts'] }, null, 2),
  );
}

export function typescriptWorkspace(root: string): BenchWorkspace {
  sourcesWorkspace(root, TYPESCRIPT_SOURCES);
  return {
    name: 'typescript',
    language: 'typescript',
    root,
    files: countFiles(root, '.ts'),
    target: locate(root, 'rxjs/internal/Observable.ts', /export class (Observable)</),
    renamed: {
      what: 'the interface Effect of effect',
      ...locate(root, 'effect/Effect.ts', /export interface (Effect)</),
    },
    large: path.join(root, 'effect/SchemaAST.ts'),
  };
}

/** The same with a TypeScript of its own, which typescript-language-server serves. */
export function typescript5Workspace(root: string): BenchWorkspace {
  const workspace = typescriptWorkspace(root);
  mkdirSync(path.join(root, 'node_modules'));
  symlinkSync(path.join(PACKAGES, 'typescript5'), path.join(root, 'node_modules/typescript'));
  return { ...workspace, name: 'typescript-5' };
}

export function pythonWorkspace(root: string): BenchWorkspace {
  const typeshed = path.join(PACKAGES, 'pyright/dist/typeshed-fallback');
  mkdirSync(root, { recursive: true });
  for (const name of readdirSync(path.join(typeshed, 'stubs'))) {
    if (STUBS.test(name))
      cpSync(path.join(typeshed, 'stubs', name), path.join(root, name.toLowerCase()), { recursive: true });
  }
  cpSync(path.join(typeshed, 'stdlib'), path.join(root, 'stdlib'), { recursive: true });
  writeFileSync(path.join(root, 'pyproject.toml'), '[project]\nname = "bench"\nversion = "0"\n');
  mkdirSync(path.join(root, 'app'));
  writeFileSync(path.join(root, 'app/__init__.py'), '');
  writeFileSync(
    path.join(root, 'app/core.py'),
    'class Ledger:\n    def post(self, amount: int) -> int:\n        return amount\n',
  );
  for (let index = 0; index < 300; index++) {
    const text = `from app.core import Ledger\n\n\ndef use_${index}(ledger: Ledger) -> int:\n    return ledger.post(${index})\n`;
    writeFileSync(path.join(root, `app/user_${index}.py`), text);
  }
  return {
    name: 'python',
    language: 'python',
    root,
    files: countFiles(root, '.py', '.pyi'),
    target: locate(root, 'app/core.py', /def (post)\(/),
    renamed: { what: 'a method of a generated class', ...locate(root, 'app/core.py', /def (post)\(/) },
    large: path.join(root, 'stdlib/ast.pyi'),
  };
}

/** Fifty packages that use one. */
export function goWorkspace(root: string): BenchWorkspace {
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  write('go.mod', 'module example.com/bench\n\ngo 1.21\n');
  write(
    'core/core.go',
    'package core\n\ntype Ledger struct{ total int }\n\nfunc (l *Ledger) Post(amount int) int {\n\tl.total += amount\n\treturn l.total\n}\n',
  );
  for (let index = 0; index < 500; index++) {
    const name = `p${index % 50}`;
    const use = `func Use${index}(ledger *core.Ledger) int {\n\treturn ledger.Post(${index})\n}\n`;
    write(`${name}/use${index}.go`, `package ${name}\n\nimport "example.com/bench/core"\n\n${use}`);
  }
  return {
    name: 'go',
    language: 'go',
    root,
    files: countFiles(root, '.go'),
    target: locate(root, 'core/core.go', /(Post)\(/),
    renamed: { what: 'a method of a generated type', ...locate(root, 'core/core.go', /(Post)\(/) },
    large: path.join(root, 'p0/use0.go'),
  };
}

export interface MonorepoWorkspace extends BenchWorkspace {
  /** One file of each package: a server that has them open has loaded all projects. */
  readonly projects: readonly string[];
  /** A symbol that every file uses. */
  readonly everywhere: BenchWorkspace['target'];
}

/** Twenty linked packages, each a project of its own, with a TypeScript that is not a server itself. */
export function monorepoWorkspace(root: string): MonorepoWorkspace {
  const packages = 20;
  const { core } = makeMonorepo(root, { packages, modules: 100, typescript: '5' });
  return {
    name: 'monorepo',
    language: 'typescript',
    root,
    files: countFiles(path.join(root, 'packages'), '.ts'),
    target: locate(root, 'packages/p5/src/m3.ts', /export const (p5Value3):/),
    renamed: { what: 'the method Ledger.post', ...locate(root, core, /(post)\(/) },
    large: path.join(root, 'packages/p0/src/index.ts'),
    projects: Array.from({ length: packages }, (_, index) =>
      path.join(root, `packages/p${index}/src/index.ts`),
    ),
    everywhere: locate(root, core, /function (netPrice)\(/),
  };
}

/** Thirty packages of a hundred small modules; every tenth module uses one function of the first package. */
export function python3000Workspace(root: string): BenchWorkspace {
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  write('pyproject.toml', '[project]\nname = "bench"\nversion = "0"\n');
  for (let index = 0; index < 3_000; index++) {
    const folder = `pkg${Math.floor(index / 100)}`;
    if (index % 100 === 0) write(`${folder}/__init__.py`, '');
    const usesIt = index % 10 === 9;
    const value = usesIt ? `net_price(${index})` : `${index}`;
    const lines = [
      ...(usesIt ? ['from pkg0.core import net_price', '', ''] : []),
      `def value_${index}() -> int:`,
      `    return ${value}`,
    ];
    write(`${folder}/m${index}.py`, `${lines.join('\n')}\n`);
  }
  write('pkg0/core.py', 'def net_price(amount: int) -> int:\n    return amount - 1\n');
  const target = locate(root, 'pkg0/core.py', /def (net_price)\(/);
  return {
    name: 'python-3000',
    language: 'python',
    root,
    files: countFiles(root, '.py'),
    target,
    renamed: { what: 'a generated function', ...target },
    large: path.join(root, 'pkg0/m0.py'),
  };
}

function locate(root: string, name: string, pattern: RegExp): BenchWorkspace['target'] {
  const file = path.join(root, name);
  const lines = readFileLines(file);
  const line = lines.findIndex((text) => pattern.test(text));
  const match = pattern.exec(lines[line] ?? '');
  if (!match?.[1]) throw new Error(`${pattern} is not in ${name}`);
  return { file, line: line + 1, column: match.index + match[0].indexOf(match[1]) + 1 };
}

function readFileLines(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n');
}

function countFiles(root: string, ...endings: readonly string[]): number {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    endings.some((ending) => name.endsWith(ending)),
  ).length;
}
