/**
 * Go's compiler and `go vet` stop at the first package with errors, which may be one that the judged one imports. So its
 * type checker is the judge, run on each package apart, and vet must agree wherever it comes as far as that package.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { requirement } from '../requirements.ts';
import { type Dialect, type Errors, outputOf, writeSnapshots } from './dialect.ts';
import type { TypeName } from './model.ts';

const TYPECHECK = path.join(import.meta.dirname, 'typecheck.go');

export const go: Dialect = {
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
    const packages = moved.map(({ target }, index) => path.dirname(`s${index}/${target}`));
    const checked = await outputOf('go', ['run', TYPECHECK, ...packages], directory);
    if (!checked.endsWith('end\n')) throw new Error(`the type checker says: ${checked}`);
    const judged: (Errors | undefined)[] = moved.map(({ target }, index) =>
      linesIn(checked, `s${index}/${target}`),
    );
    for (const [index, { target }] of moved.entries()) {
      const vetted = await outputOf('go', ['vet', `./${packages[index]}`], directory);
      if (contradicts(vetted, `s${index}/${target}`, judged[index] ?? [])) judged[index] = undefined;
    }
    return judged;
  },
};

/** Each line once: an import that is missing is an error of several tools. */
function linesIn(output: string, file: string): Errors {
  const found = [...output.matchAll(/^(?:vet: )?(\S+\.go):(\d+)/gm)];
  return [...new Set(found.flatMap(([, name, line]) => (name === file && line ? [line] : [])))].sort();
}

/** Vet names the first error of the first package that has any. */
function contradicts(vetted: string, file: string, judged: Errors): boolean {
  const own = linesIn(vetted, file);
  if (own.length > 0) return !own.every((line) => judged.includes(line));
  return vetted.trim() === '' && judged.length > 0;
}
