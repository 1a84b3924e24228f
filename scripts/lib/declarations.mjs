/**
 * dist/library.d.ts: the declarations of what programs import, as one file that names nothing of ours beside it. The packages that it
 * needs are installed with it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { tsImport } from 'tsx/esm/api';

const DOOR = 'library';

/** The compiler's declarations of the door and of what it leads to, as one file. */
export async function declarations(root) {
  const emitted = mkdtempSync(path.join(os.tmpdir(), 'agent-lsp-types-'));
  try {
    const project = path.join(emitted, 'tsconfig.json');
    const options = { declaration: true, emitDeclarationOnly: true, noEmit: false, noCheck: true };
    const config = {
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: {
        ...options,
        rootDir: path.join(root, 'src'),
        outDir: path.join(emitted, 'out'),
        typeRoots: [path.join(root, 'node_modules/@types')],
      },
      files: [path.join(root, 'src', `${DOOR}.ts`)],
      include: [],
    };
    writeFileSync(project, JSON.stringify(config));
    const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
    execFileSync(process.execPath, [path.join(path.dirname(tsc), 'bin/tsc'), '-p', project], { cwd: root });
    const { toolTypes } = await tsImport('./library-types.ts', import.meta.url);
    return flattened(path.join(emitted, 'out'), { [`${DOOR}/tool-types`]: toolTypes() });
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

/** `instead` are modules whose declarations are made otherwise. */
function flattened(folder, instead) {
  const door = readFileSync(path.join(folder, `${DOOR}.d.ts`), 'utf8');
  const names = new Map();
  const modules = [];
  for (const [, list, from] of door.matchAll(
    /^export (?:type )?\{([^}]*)\} from ['"]\.\/([^'"]+)\.ts['"];$/gm,
  )) {
    modules.push(from);
    for (const entry of list.split(',')) {
      const [name, as = name] = entry
        .trim()
        .replace(/^type /, '')
        .split(' as ');
      names.set(name, as);
    }
  }
  const packages = new Set();
  const parts = modules.map((module) => {
    const text = instead[module] ?? readFileSync(path.join(folder, `${module}.d.ts`), 'utf8');
    return text
      .split('\n')
      .filter((line) => {
        const [, from] = /^import .* from ['"]([^'"]+)['"];$/.exec(line) ?? [];
        if (from === undefined) return true;
        if (!from.startsWith('.')) packages.add(line);
        else if (!modules.includes(path.posix.join(path.posix.dirname(module), from).replace(/\.ts$/, '')))
          throw new Error(
            `the declarations of ${module} refer to ${from}, which src/${DOOR}.ts does not export`,
          );
        return false;
      })
      .join('\n')
      .replace(
        /^export (?=(?:declare |abstract )*(?:interface|type|class|function|const) (\w+))/gm,
        (word, name) => (names.get(name) === name ? word : ''),
      )
      .trim();
  });
  const renamed = [...names].filter(([name, as]) => name !== as).map(([name, as]) => `${name} as ${as}`);
  return [
    '/// <reference lib="esnext.disposable" />',
    ...packages,
    ...parts,
    `export { ${renamed.join(', ')} };`,
    '',
  ].join('\n');
}
