/** How the model program is written in each language, and what the language's own compiler says about it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Dialect, ofTargets, outputOf, writeSnapshots } from './dialect.ts';
import { go } from './go-dialect.ts';
import type { TypeName } from './model.ts';

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

export const DIALECTS: readonly Dialect[] = [
  typescript('typescript-7', 'typescript', ['--daemon', 'always'], false),
  typescript('typescript-language-server', 'typescript5', ['--daemon', 'always'], true),
  python,
  go,
];
