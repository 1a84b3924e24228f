/**
 * A generated workspace of packages with one lock file and one node_modules, as npm, pnpm and yarn lay them out: every
 * package has a manifest and a configuration of its own, is linked by name, and uses the first one and one of those before it.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface MonorepoOptions {
  readonly packages: number;
  /** Modules of each package beside its index. */
  readonly modules: number;
  /** Which TypeScript lies in its node_modules; without one it has none of its own. */
  readonly typescript?: '5';
  /** `apart`: every package has a configuration of its own, and nothing names them together. `solution`: the root's does. */
  readonly layout?: 'apart' | 'solution';
}

export interface Monorepo {
  /** Relative to the root: declares `netPrice`, `Shape` and `Ledger`. */
  readonly core: string;
  /** How often each module of other packages uses what the core declares. */
  readonly users: readonly string[];
}

export const TYPESCRIPT_5 = path.resolve(import.meta.dirname, '../../node_modules/typescript5');

const OPTIONS = { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: true };

export const CORE = `export interface Shape {
  area(): number;
}

export class Ledger {
  total = 0;
  post(amount: number): number {
    this.total += amount;
    return this.total;
  }
}

export function netPrice(amount: number): number {
  return amount - 1;
}
`;

export function makeMonorepo(root: string, options: MonorepoOptions): Monorepo {
  const { packages, modules, layout = 'apart' } = options;
  const write = (name: string, text: string) => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write(
    'package.json',
    json({ name: 'monorepo', private: true, type: 'module', workspaces: ['packages/*'] }),
  );
  write('package-lock.json', json({ name: 'monorepo', lockfileVersion: 3, packages: {} }));
  write('tsconfig.base.json', json({ compilerOptions: OPTIONS }));
  const names = Array.from({ length: packages }, (_, index) => `p${index}`);
  if (layout === 'solution')
    write(
      'tsconfig.json',
      json({ files: [], references: names.map((name) => ({ path: `packages/${name}` })) }),
    );
  mkdirSync(path.join(root, 'node_modules/@mono'), { recursive: true });
  if (options.typescript) symlinkSync(TYPESCRIPT_5, path.join(root, 'node_modules/typescript'));
  const users: string[] = [];
  for (const [index, name] of names.entries()) {
    // A tree of some depth, as dependencies are, and not a chain.
    const before = index === 0 ? undefined : names[Math.floor((index - 1) / 3)];
    write(
      `packages/${name}/package.json`,
      json({ name: `@mono/${name}`, version: '1.0.0', type: 'module', exports: './src/index.ts' }),
    );
    const references =
      before === undefined ? [] : [...new Set(['p0', before])].map((to) => ({ path: `../${to}` }));
    write(
      `packages/${name}/tsconfig.json`,
      json({
        extends: '../../tsconfig.base.json',
        compilerOptions:
          layout === 'solution' ? { composite: true, rootDir: 'src', outDir: 'out' } : { noEmit: true },
        include: ['src'],
        ...(layout === 'solution' ? { references } : {}),
      }),
    );
    symlinkSync(`../../packages/${name}`, path.join(root, `node_modules/@mono/${name}`));
    if (before === undefined) write(`packages/${name}/src/core.ts`, CORE);
    const own = Array.from({ length: modules }, (_, number) => `m${number}`);
    for (const [number, module] of own.entries()) {
      write(`packages/${name}/src/${module}.ts`, moduleText(name, number, before));
      if (before !== undefined) users.push(`packages/${name}/src/${module}.ts`);
    }
    write(
      `packages/${name}/src/index.ts`,
      [...(before === undefined ? ['core'] : []), ...own]
        .map((module) => `export * from './${module}.js';\n`)
        .join(''),
    );
  }
  return { core: 'packages/p0/src/core.ts', users };
}

function moduleText(name: string, number: number, before: string | undefined): string {
  const from = before === undefined ? './core.js' : '@mono/p0';
  const lines = [
    `import { type Ledger, netPrice, type Shape } from '${from}';`,
    ...(before === undefined ? [] : [`import { ${before}Value${number} } from '@mono/${before}';`]),
    '',
    `export class ${name}Shape${number} implements Shape {`,
    '  area(): number {',
    `    return netPrice(${number});`,
    '  }',
    '}',
    '',
    `export function ${name}Book${number}(ledger: Ledger): number {`,
    `  return ledger.post(${before === undefined ? number : `${before}Value${number}`});`,
    '}',
    '',
    `export const ${name}Value${number}: number = ${number};`,
  ];
  return `${lines.join('\n')}\n`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
