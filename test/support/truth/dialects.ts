/** How the model program is written in each language, and what the language's own compiler says about it. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { requirement, toolchainEnvironment } from '../requirements.ts';
import type { Workspace } from '../workspace.ts';
import type { ModuleModel, TypeName } from './model.ts';

/** Errors as `line code`, in order of the file. */
export type Errors = readonly string[];

export interface Snapshot {
  /** Texts by path relative to the root. */
  readonly files: ReadonlyMap<string, string>;
  /** The file that was asked about. */
  readonly target: string;
}

export interface Dialect {
  readonly server: string;
  readonly args: readonly string[];
  /** Why it cannot be used on this machine. */
  missing(): string | undefined;
  prepare(workspace: Workspace): void;
  fileOf(module: string): string;
  write(module: ModuleModel): string;
  /** An error as the tool reports it, in the compiler's form. */
  errorOf(finding: { readonly line: number; readonly code?: string | undefined }): string;
  /** For each snapshot the errors of its target; undefined where the compiler says nothing certain about it. */
  compile(snapshots: readonly Snapshot[], directory: string): Promise<readonly (Errors | undefined)[]>;
}

const run = promisify(execFile);
const PACKAGES = path.resolve(import.meta.dirname, '../../../node_modules');

function typescript(
  server: string,
  compiler: string,
  args: readonly string[],
  ownCompiler: boolean,
): Dialect {
  const types: Readonly<Record<TypeName, string>> = { number: 'number', text: 'string' };
  const values: Readonly<Record<TypeName, string>> = { number: '1', text: '"a"' };
  const config = JSON.stringify({
    compilerOptions: {
      target: 'esnext',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: [],
    },
    include: ['**/*.ts'],
  });
  const settings = { 'tsconfig.json': config, 'package.json': '{ "type": "module" }' };
  return {
    server,
    args,
    missing: () => undefined,
    prepare(workspace) {
      for (const [name, text] of Object.entries(settings)) workspace.write(name, text);
      if (!ownCompiler) return;
      mkdirSync(workspace.file('node_modules'));
      symlinkSync(path.join(PACKAGES, compiler), workspace.file('node_modules/typescript'));
    },
    fileOf: (module) => `src/${module}.ts`,
    write: (module) =>
      [
        ...Array.from({ length: module.shift }, () => '//'),
        ...module.uses.map(({ module: from, name }) => `import { ${name} } from './${from}.ts';`),
        `export function ${module.exported}(): ${types[module.returns]} {`,
        `  return ${values[module.returns]};`,
        '}',
        ...module.uses.map(
          ({ module: from, name, expects }) => `export const ${from}Use: ${types[expects]} = ${name}();`,
        ),
        ...(module.broken ? ['export const wrong: number = "a";'] : []),
        '',
      ].join('\n'),
    errorOf: ({ line, code }) => `${line} ${code}`,
    async compile(snapshots, directory) {
      writeSnapshots(snapshots, directory);
      for (const [name, text] of Object.entries(settings)) writeFileSync(path.join(directory, name), text);
      const tsc = path.join(PACKAGES, compiler, 'bin/tsc');
      const output = await outputOf(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], directory);
      const errors = [...output.matchAll(/^s(\d+)\/(.+?)\((\d+),\d+\): error (TS\d+)/gm)];
      if (errors.length === 0 && output.trim() !== '') throw new Error(`the compiler says: ${output}`);
      return ofTargets(
        snapshots,
        errors.map(([, index, file, line, code]) => ({
          index: Number(index),
          file,
          error: `${line} ${code}`,
        })),
      );
    },
  };
}

const python: Dialect = {
  server: 'pyright',
  args: ['--daemon', 'always'],
  missing: () => undefined,
  prepare(workspace) {
    workspace.write('pyproject.toml', '[project]\nname = "soak"\nversion = "0"\n');
    workspace.write('app/__init__.py', '');
  },
  fileOf: (module) => `app/${module}.py`,
  write: (module) => {
    const types: Readonly<Record<TypeName, string>> = { number: 'int', text: 'str' };
    const values: Readonly<Record<TypeName, string>> = { number: '1', text: '"a"' };
    return [
      ...Array.from({ length: module.shift }, () => '#'),
      ...module.uses.map(({ module: from, name }) => `from .${from} import ${name}`),
      `def ${module.exported}() -> ${types[module.returns]}:`,
      `    return ${values[module.returns]}`,
      ...module.uses.map(({ module: from, name, expects }) => `${from}Use: ${types[expects]} = ${name}()`),
      ...(module.broken ? ['wrong: int = "a"'] : []),
      '',
    ].join('\n');
  },
  errorOf: ({ line, code }) => `${line} ${code}`,
  async compile(snapshots, directory) {
    writeSnapshots(snapshots, directory);
    for (const index of snapshots.keys())
      writeFileSync(path.join(directory, `s${index}/app/__init__.py`), '');
    const pyright = path.join(PACKAGES, 'pyright/index.js');
    const output = await outputOf(process.execPath, [pyright, '--outputjson', '-p', '.'], directory);
    const { generalDiagnostics } = JSON.parse(output) as {
      generalDiagnostics: {
        file: string;
        severity: string;
        rule?: string;
        range: { start: { line: number } };
      }[];
    };
    return ofTargets(
      snapshots,
      generalDiagnostics.flatMap(({ file, severity, rule, range }) => {
        const [, index, name] = /^s(\d+)\/(.+)$/.exec(path.relative(directory, file)) ?? [];
        if (severity !== 'error' || name === undefined) return [];
        return [{ index: Number(index), file: name, error: `${range.start.line + 1} ${rule}` }];
      }),
    );
  },
};

const go: Dialect = {
  server: 'gopls',
  args: ['--daemon', 'never'],
  missing() {
    for (const tool of ['go', 'gopls'] as const) {
      const found = requirement(tool);
      if (found.kind === 'missing') return found.reason;
    }
    return undefined;
  },
  prepare: (workspace) => void workspace.write('go.mod', 'module soak\n\ngo 1.21\n'),
  fileOf: (module) => `${module}/${module}.go`,
  write: (module) => {
    const types: Readonly<Record<TypeName, string>> = { number: 'int', text: 'string' };
    const values: Readonly<Record<TypeName, string>> = { number: '1', text: '"a"' };
    const exported = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return [
      ...Array.from({ length: module.shift }, () => '//'),
      `package ${module.name}`,
      ...module.uses.map(({ module: from }) => `import "soak/${from}"`),
      `func ${exported(module.exported)}() ${types[module.returns]} {`,
      `	return ${values[module.returns]}`,
      '}',
      ...module.uses.map(
        ({ module: from, name, expects }) =>
          `var ${exported(from)}Use ${types[expects]} = ${from}.${exported(name)}()`,
      ),
      ...(module.broken ? ['var Wrong int = "a"'] : []),
      '',
    ].join('\n');
  },
  // The two do not name their errors alike.
  errorOf: ({ line }) => `${line}`,
  async compile(snapshots, directory) {
    writeFileSync(path.join(directory, 'go.mod'), 'module truth\n\ngo 1.21\n');
    const moved = snapshots.map(({ files, target }, index) => ({
      target,
      files: new Map(
        [...files].map(([name, text]) => [name, text.replaceAll('"soak/', `"truth/s${index}/`)]),
      ),
    }));
    writeSnapshots(moved, directory);
    const errors: (Errors | undefined)[] = [];
    for (const [index, { target }] of snapshots.entries()) {
      // One package at a time: an import that is missing somewhere ends the run for all.
      const output = await outputOf('go', ['vet', `./${path.dirname(`s${index}/${target}`)}`], directory);
      const found = [...output.matchAll(/^(?:vet: )?(\S+\.go):(\d+):\d+: /gm)];
      const own = found.filter(([, file]) => file === `s${index}/${target}`);
      // It stops at the first package with errors, which may be one that the target imports.
      errors.push(found.length > own.length ? undefined : own.slice(0, 1).map(([, , line]) => line ?? ''));
    }
    return errors;
  },
};

export const DIALECTS: readonly Dialect[] = [
  typescript('typescript-7', 'typescript', ['--daemon', 'always'], false),
  typescript('typescript-language-server', 'typescript5', ['--daemon', 'always'], true),
  python,
  go,
];

function ofTargets(
  snapshots: readonly Snapshot[],
  found: readonly { readonly index: number; readonly file: string | undefined; readonly error: string }[],
): readonly Errors[] {
  return snapshots.map(({ target }, index) =>
    found
      .filter((each) => each.index === index && each.file === target)
      .map(({ error }) => error)
      .sort(),
  );
}

function writeSnapshots(snapshots: readonly Snapshot[], directory: string): void {
  for (const [index, { files }] of snapshots.entries()) {
    for (const [name, text] of files) {
      const file = path.join(directory, `s${index}`, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

/** Compilers end with a code of their own when they find errors. */
async function outputOf(command: string, args: readonly string[], cwd: string): Promise<string> {
  const env = { ...toolchainEnvironment(), HOME: process.env.HOME ?? cwd };
  try {
    const { stdout, stderr } = await run(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    if (stdout === undefined || stderr === undefined) throw error;
    return stdout + stderr;
  }
}
