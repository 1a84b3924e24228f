/**
 * Generated workspaces of 500 modules that all use one function, cut into projects in the ways that make servers answer
 * with a part of the truth. What a complete answer is follows from how they were made.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface ColdWorkspace {
  /** Relative to the root; `symbol` is declared in it. */
  readonly file: string;
  readonly symbol: string;
  /** Files other than `file` that use the symbol. */
  readonly users: number;
}

type Write = (name: string, text: string) => void;
type Layout = (write: Write, root: string) => Omit<ColdWorkspace, 'symbol'>;

const MODULES = 500;
const SYMBOL = 'netPrice';

/** `server` is the id in the quirks table; `language` is the id of the family. */
export const coldLayouts = {
  'typescript-7 one project': { language: 'typescript', make: oneProject },
  'typescript-7 project references': { language: 'typescript', make: withReferences },
  'typescript-7 unconnected projects': { language: 'typescript', make: unconnected },
  'typescript-7 linked packages': { language: 'typescript', make: linkedPackages },
  'typescript-7 files of no project': { language: 'typescript', make: halfExcluded },
  'typescript-7 no project at all': { language: 'typescript', make: noProject },
  'typescript-5 one project': { language: 'typescript', make: withTypescript5(oneProject) },
  'typescript-5 project references': { language: 'typescript', make: withTypescript5(withReferences) },
  'typescript-5 unconnected projects': { language: 'typescript', make: withTypescript5(unconnected) },
  'typescript-5 linked packages': { language: 'typescript', make: withTypescript5(linkedPackages) },
  'typescript-5 files of no project': { language: 'typescript', make: withTypescript5(halfExcluded) },
  'typescript-5 no project at all': { language: 'typescript', make: withTypescript5(noProject) },
  'pyright one project': { language: 'python', make: pythonPackage },
  'pyright files left out': { language: 'python', make: pythonWithoutTests },
  'gopls one module': { language: 'go', make: goModule },
  'gopls files left out': { language: 'go', make: goForOtherSystems },
  'rust-analyzer one crate': { language: 'rust', make: rustCrate },
  'clangd with a list of files': { language: 'cpp', make: listedSources },
  'clangd files left out': { language: 'cpp', make: partlyListedSources },
  'clangd without a list of files': { language: 'cpp', make: unlistedSources },
} as const satisfies Readonly<Record<string, { language: string; make: Layout }>>;

export type ColdLayout = keyof typeof coldLayouts;

/** Arguments with which the server that a layout is named after answers. */
export function argsFor(layout: ColdLayout): readonly string[] {
  return layout.startsWith('typescript-5') ? ['--typescript', 'own'] : [];
}

export function makeColdWorkspace(layout: ColdLayout, root: string): ColdWorkspace {
  const write: Write = (name, text) => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  return { symbol: SYMBOL, ...coldLayouts[layout].make(write, root) };
}

const TYPESCRIPT_5 = path.resolve(import.meta.dirname, '../../node_modules/typescript5');
const OPTIONS = { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: true };
const DECLARATION = `export function ${SYMBOL}(amount: number): number {\n  return amount - 1;\n}\n`;

function useOf(from: string, index: number): string {
  return `import { ${SYMBOL} } from '${from}';\nexport const price${index} = ${SYMBOL}(${index});\n`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function oneProject(write: Write): Omit<ColdWorkspace, 'symbol'> {
  write('package.json', json({ name: 'one', private: true, type: 'module' }));
  write('tsconfig.json', json({ compilerOptions: { ...OPTIONS, noEmit: true }, include: ['src'] }));
  write('src/core.ts', DECLARATION);
  for (let index = 0; index < MODULES; index++)
    write(`src/part${index % 20}/use${index}.ts`, useOf('../core.js', index));
  return { file: 'src/core.ts', users: MODULES };
}

const PARTS = ['alpha', 'beta', 'gamma', 'delta'] as const;

/** A solution: the root names all projects, and each names the core. */
function withReferences(write: Write): Omit<ColdWorkspace, 'symbol'> {
  write('package.json', json({ name: 'solution', private: true, type: 'module' }));
  const all = ['core', ...PARTS].map((name) => ({ path: `packages/${name}` }));
  write('tsconfig.json', json({ files: [], references: all }));
  const compilerOptions = { ...OPTIONS, composite: true, outDir: 'out', rootDir: 'src' };
  write('packages/core/tsconfig.json', json({ compilerOptions, include: ['src'] }));
  write('packages/core/src/core.ts', DECLARATION);
  for (const part of PARTS)
    write(
      `packages/${part}/tsconfig.json`,
      json({ compilerOptions, include: ['src'], references: [{ path: '../core' }] }),
    );
  inParts(write, (index) => useOf('../../core/src/core.js', index));
  return { file: 'packages/core/src/core.ts', users: MODULES };
}

/** Projects that import each other's sources and that nothing names together. */
function unconnected(write: Write): Omit<ColdWorkspace, 'symbol'> {
  write('package.json', json({ name: 'side-by-side', private: true, type: 'module' }));
  for (const part of ['core', ...PARTS])
    write(
      `packages/${part}/tsconfig.json`,
      json({ compilerOptions: { ...OPTIONS, noEmit: true }, include: ['src'] }),
    );
  write('packages/core/src/core.ts', DECLARATION);
  inParts(write, (index) => useOf('../../core/src/core.js', index));
  return { file: 'packages/core/src/core.ts', users: MODULES };
}

/** A workspace of packages, each with its own package.json and tsconfig.json, linked in node_modules. */
function linkedPackages(write: Write, root: string): Omit<ColdWorkspace, 'symbol'> {
  write(
    'package.json',
    json({ name: 'packages', private: true, type: 'module', workspaces: ['packages/*'] }),
  );
  for (const part of ['core', ...PARTS]) {
    write(
      `packages/${part}/package.json`,
      json({ name: `@cold/${part}`, version: '1.0.0', type: 'module', exports: './src/core.ts' }),
    );
    write(
      `packages/${part}/tsconfig.json`,
      json({ compilerOptions: { ...OPTIONS, noEmit: true }, include: ['src'] }),
    );
  }
  write('packages/core/src/core.ts', DECLARATION);
  mkdirSync(path.join(root, 'node_modules/@cold'), { recursive: true });
  symlinkSync('../../packages/core', path.join(root, 'node_modules/@cold/core'));
  inParts(write, (index) => useOf('@cold/core', index));
  return { file: 'packages/core/src/core.ts', users: MODULES };
}

function inParts(write: Write, text: (index: number) => string): void {
  for (let index = 0; index < MODULES; index++)
    write(`packages/${PARTS[index % PARTS.length]}/src/use${index}.ts`, text(index));
}

/** As many projects do: the tests are in no project, because that is what gets compiled. */
function halfExcluded(write: Write): Omit<ColdWorkspace, 'symbol'> {
  write('package.json', json({ name: 'half', private: true, type: 'module' }));
  write('tsconfig.json', json({ compilerOptions: { ...OPTIONS, noEmit: true }, include: ['src'] }));
  write('src/core.ts', DECLARATION);
  for (let index = 0; index < MODULES; index++)
    write(
      index % 2 === 0 ? `src/use${index}.ts` : `test/use${index}.ts`,
      useOf(index % 2 === 0 ? './core.js' : '../src/core.js', index),
    );
  return { file: 'src/core.ts', users: MODULES };
}

function noProject(write: Write): Omit<ColdWorkspace, 'symbol'> {
  write('package.json', json({ name: 'loose', private: true, type: 'module' }));
  write('src/core.js', `export function ${SYMBOL}(amount) {\n  return amount - 1;\n}\n`);
  for (let index = 0; index < MODULES; index++) write(`src/use${index}.js`, useOf('./core.js', index));
  return { file: 'src/core.js', users: MODULES };
}

function withTypescript5(layout: Layout): Layout {
  return (write, root) => {
    const made = layout(write, root);
    mkdirSync(path.join(root, 'node_modules'), { recursive: true });
    symlinkSync(TYPESCRIPT_5, path.join(root, 'node_modules/typescript'));
    return made;
  };
}

function pythonPackage(write: Write): Omit<ColdWorkspace, 'symbol'> {
  write('pyproject.toml', '[project]\nname = "cold"\nversion = "0"\n');
  write('app/__init__.py', '');
  write('app/core.py', `def ${SYMBOL}(amount: int) -> int:\n    return amount - 1\n`);
  for (let index = 0; index < MODULES; index++)
    write(`app/use_${index}.py`, `from app.core import ${SYMBOL}\n\nprice = ${SYMBOL}(${index})\n`);
  return { file: 'app/core.py', users: MODULES };
}

/** A few tests that pyright is told not to look at: they can all be opened. */
function pythonWithoutTests(write: Write): Omit<ColdWorkspace, 'symbol'> {
  const made = pythonPackage(write);
  write('pyrightconfig.json', json({ include: ['app'] }));
  for (let index = 0; index < 20; index++)
    write(`tests/test_${index}.py`, `from app.core import ${SYMBOL}\n\nassert ${SYMBOL}(${index})\n`);
  return { ...made, users: made.users + 20 };
}

/** One package per ten files: gopls loads packages. An exported name begins with a capital. */
function goModule(write: Write): ColdWorkspace {
  write('go.mod', 'module example.com/cold\n\ngo 1.21\n');
  write('core/core.go', 'package core\n\nfunc NetPrice(amount int) int {\n\treturn amount - 1\n}\n');
  for (let index = 0; index < MODULES; index++)
    write(
      `p${index % 50}/use${index}.go`,
      `package p${index % 50}\n\nimport "example.com/cold/core"\n\nvar price${index} = core.NetPrice(${index})\n`,
    );
  return { file: 'core/core.go', symbol: 'NetPrice', users: MODULES };
}

/** Files for another system and for a tag, and another module: gopls searches none of them. */
function goForOtherSystems(write: Write): ColdWorkspace {
  const made = goModule(write);
  const use = 'import "example.com/cold/core"\n\nvar other = core.NetPrice(1)\n';
  write('p0/use_windows.go', `package p0\n\n${use}`);
  write('p1/integration.go', `//go:build integration\n\npackage p1\n\n${use}`);
  write('tools/go.mod', 'module example.com/tools\n\ngo 1.21\n\nreplace example.com/cold => ../\n');
  write('tools/use.go', `package tools\n\n${use}`);
  return { ...made, users: made.users + 3 };
}

function rustCrate(write: Write): ColdWorkspace {
  write('Cargo.toml', '[package]\nname = "cold"\nversion = "0.1.0"\nedition = "2021"\n');
  const modules = Array.from({ length: MODULES }, (_, index) => `pub mod use${index};\n`);
  write('src/lib.rs', `pub mod core;\n${modules.join('')}`);
  write('src/core.rs', 'pub fn net_price(amount: i64) -> i64 {\n    amount - 1\n}\n');
  for (let index = 0; index < MODULES; index++)
    write(
      `src/use${index}.rs`,
      `use crate::core::net_price;\n\npub fn price() -> i64 {\n    net_price(${index})\n}\n`,
    );
  return { file: 'src/core.rs', symbol: 'net_price', users: MODULES };
}

function unlistedSources(write: Write): Omit<ColdWorkspace, 'symbol'> {
  write('core.h', `int ${SYMBOL}(int amount);\n`);
  write('core.cpp', `#include "core.h"\nint ${SYMBOL}(int amount) { return amount - 1; }\n`);
  for (let index = 0; index < MODULES; index++)
    write(`use${index}.cpp`, `#include "core.h"\nint price${index} = ${SYMBOL}(${index});\n`);
  return { file: 'core.cpp', users: MODULES };
}

function partlyListedSources(write: Write, root: string): Omit<ColdWorkspace, 'symbol'> {
  return listedSources(write, root, MODULES / 2);
}

function listedSources(write: Write, root: string, listed: number = MODULES): Omit<ColdWorkspace, 'symbol'> {
  const made = unlistedSources(write);
  const files = ['core.cpp', ...Array.from({ length: listed }, (_, index) => `use${index}.cpp`)];
  const commands = files.map((file) => ({ directory: root, file, arguments: ['c++', '-c', file] }));
  write('compile_commands.json', json(commands));
  return made;
}

/** What an answer of find_references as text is worth: it must name all files, or begin with INCOMPLETE. */
export function judgeReferences(
  { users }: ColdWorkspace,
  answer: string,
): 'complete' | 'incomplete' | 'partial' {
  if (answer.startsWith('INCOMPLETE:')) return 'incomplete';
  const files = Number(/ in (\d+) files?;/.exec(answer)?.[1] ?? 0);
  return files >= users ? 'complete' : 'partial';
}
