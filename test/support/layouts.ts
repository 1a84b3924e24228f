/**
 * Small workspaces that are cut into projects in the ways real repositories are. All declare `netPrice` and `Shape` in one
 * file and use them from others, so that what a complete answer is can be read off their sources (layout-truth.ts).
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CORE, makeMonorepo, TYPESCRIPT_5 } from './monorepo.ts';

/** Makes the workspace; the file that declares the names, relative to the root. */
export type Layout = (root: string) => string;

/** More loose files than are opened for one question. */
const MANY_LOOSE = 70;
const OPTIONS = { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: true };

export const layouts = {
  'packages apart': (root) =>
    makeMonorepo(root, { packages: 4, modules: 2, typescript: '5', layout: 'apart' }).core,
  'solution of references': (root) =>
    makeMonorepo(root, { packages: 4, modules: 2, typescript: '5', layout: 'solution' }).core,
  'specs in a project of their own': specsApart,
  'paths to sources': pathsToSources,
  'a condition for sources': sourceCondition,
  'packages that are not built': unbuiltPackages,
  'dropped options without effect': droppedOptions,
  'baseUrl that imports need': neededBaseUrl,
  'one package that needs baseUrl': neededInOnePackage,
  'a few loose files': (root) => looseFiles(root, 3),
  'many loose files': (root) => looseFiles(root, MANY_LOOSE),
  'JavaScript without configuration': plainJavaScript,
  'a source that is a link': linkedSource,
  'sources in hidden directories': hiddenSources,
  'an example installed by itself': exampleBeside,
} as const satisfies Readonly<Record<string, Layout>>;

export type LayoutName = keyof typeof layouts;

/** A module that calls the function and implements the interface. */
function user(name: string, from: string): string {
  return `import { netPrice, type Shape } from '${from}';

export class ${name}Shape implements Shape {
  area(): number {
    return 2;
  }
}

export function ${name}Price(): number {
  return netPrice(1) + netPrice(2);
}
`;
}

type Write = (name: string, content: unknown) => void;

/** Text is written as it is, anything else as JSON. */
function writerIn(root: string): Write {
  return (name, content) => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  };
}

/** What is installed at the root: TypeScript 5, and links to packages. */
function install(root: string, ...packages: readonly string[]): void {
  mkdirSync(path.join(root, 'node_modules/@mono'), { recursive: true });
  symlinkSync(TYPESCRIPT_5, path.join(root, 'node_modules/typescript'));
  for (const name of packages)
    symlinkSync(`../../packages/${name}`, path.join(root, `node_modules/@mono/${name}`));
}

interface Packages {
  /** Of the manifest of every package. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  /** Whether they lie in node_modules, too. */
  readonly linked?: boolean;
}

const USERS = ['alpha', 'beta'] as const;

/** A core and two packages that import it by its name, in an npm workspace. */
function threePackages(root: string, { entry, compilerOptions, linked = true }: Packages): string {
  const write = writerIn(root);
  write('package.json', { name: 'three', private: true, type: 'module', workspaces: ['packages/*'] });
  write('package-lock.json', { name: 'three', lockfileVersion: 3, packages: {} });
  write('tsconfig.base.json', { compilerOptions });
  for (const name of ['core', ...USERS]) {
    const dependencies = name === 'core' ? {} : { '@mono/core': '*' };
    write(`packages/${name}/package.json`, {
      name: `@mono/${name}`,
      version: '1.0.0',
      type: 'module',
      dependencies,
      ...entry,
    });
    write(`packages/${name}/tsconfig.json`, { extends: '../../tsconfig.base.json', include: ['src'] });
  }
  install(root, ...(linked ? ['core', ...USERS] : []));
  write('packages/core/src/core.ts', CORE);
  write('packages/core/src/index.ts', "export * from './core.js';\n");
  for (const name of USERS) write(`packages/${name}/src/index.ts`, user(name, '@mono/core'));
  return 'packages/core/src/core.ts';
}

function pathsToSources(root: string): string {
  const paths = { '@mono/*': ['./packages/*/src/index.ts'] };
  return threePackages(root, {
    entry: { exports: './dist/index.js' },
    compilerOptions: { ...OPTIONS, noEmit: true, paths },
    linked: false,
  });
}

function sourceCondition(root: string): string {
  return threePackages(root, {
    entry: { exports: { '.': { '@mono/source': './src/index.ts', default: './dist/index.js' } } },
    compilerOptions: { ...OPTIONS, noEmit: true, customConditions: ['@mono/source'] },
  });
}

function unbuiltPackages(root: string): string {
  return threePackages(root, {
    entry: { exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } } },
    compilerOptions: { ...OPTIONS, noEmit: true },
  });
}

/** What TypeScript 7 has dropped, in packages whose imports lead to the same files by its rules. */
function droppedOptions(root: string): string {
  return threePackages(root, {
    entry: { main: './src/index.ts', types: './src/index.ts' },
    compilerOptions: {
      target: 'es5',
      module: 'esnext',
      moduleResolution: 'node',
      strict: true,
      noEmit: true,
    },
  });
}

/** As generators of repositories lay them out: what is built and what tests it are projects, the package is none. */
function specsApart(root: string): string {
  const write = writerIn(root);
  write('package.json', { name: 'specs', private: true, type: 'module', workspaces: ['packages/*'] });
  write('package-lock.json', { name: 'specs', lockfileVersion: 3, packages: {} });
  const compilerOptions = { ...OPTIONS, composite: true, outDir: 'out' };
  for (const name of ['core', 'alpha']) {
    write(`packages/${name}/package.json`, {
      name: `@mono/${name}`,
      version: '1.0.0',
      type: 'module',
      exports: './src/index.ts',
    });
    const references = [{ path: './tsconfig.build.json' }, { path: './tsconfig.spec.json' }];
    write(`packages/${name}/tsconfig.json`, { files: [], references });
    const others = name === 'core' ? [] : [{ path: '../core/tsconfig.build.json' }];
    write(`packages/${name}/tsconfig.build.json`, {
      compilerOptions: { ...compilerOptions, rootDir: 'src' },
      include: ['src'],
      exclude: ['src/**/*.spec.ts'],
      references: others,
    });
    write(`packages/${name}/tsconfig.spec.json`, {
      compilerOptions,
      include: ['src/**/*.spec.ts'],
      references: [{ path: './tsconfig.build.json' }],
    });
  }
  install(root, 'core', 'alpha');
  write('packages/core/src/core.ts', CORE);
  write('packages/core/src/index.ts', "export * from './core.js';\n");
  write('packages/core/src/core.spec.ts', user('coreSpec', './core.js'));
  write('packages/alpha/src/index.ts', user('alpha', '@mono/core'));
  write('packages/alpha/src/alpha.spec.ts', user('alphaSpec', '@mono/core'));
  return 'packages/core/src/core.ts';
}

function neededBaseUrl(root: string): string {
  const write = writerIn(root);
  write('package.json', { name: 'based', private: true });
  write('package-lock.json', { name: 'based', lockfileVersion: 3, packages: {} });
  const compilerOptions = { target: 'es2022', module: 'esnext', moduleResolution: 'node', strict: true };
  write('tsconfig.json', { compilerOptions: { ...compilerOptions, baseUrl: 'src' }, include: ['src'] });
  install(root);
  write('src/app/core.ts', CORE);
  for (const name of USERS) write(`src/${name}/index.ts`, user(name, 'app/core'));
  return 'src/app/core.ts';
}

/** TypeScript 7 takes the workspace, and one package for something else than it is: its uses lie behind such an import. */
function neededInOnePackage(root: string): string {
  const core = threePackages(root, {
    entry: { exports: './src/index.ts' },
    compilerOptions: { ...OPTIONS, noEmit: true },
  });
  const write = writerIn(root);
  write('packages/based/package.json', { name: '@mono/based', version: '1.0.0', type: 'module' });
  const compilerOptions = { module: 'esnext', moduleResolution: 'bundler', noEmit: true, baseUrl: 'src' };
  write('packages/based/tsconfig.json', { compilerOptions, include: ['src'] });
  write('packages/based/src/app/again.ts', "export * from '@mono/core';\n");
  write('packages/based/src/main.ts', user('based', 'app/again'));
  return core;
}

/** As in many projects, the tests are not in what gets compiled. */
function looseFiles(root: string, count: number): string {
  const write = oneProject(root);
  for (let index = 0; index < count; index++)
    write(`test/loose${index}.ts`, user(`loose${index}`, '../src/core.js'));
  return 'src/core.ts';
}

function linkedSource(root: string): string {
  const write = oneProject(root);
  symlinkSync('core.ts', path.join(root, 'src/alias.ts'));
  write('src/beta.ts', user('beta', './alias.js'));
  return 'src/core.ts';
}

/** One that a project of its own includes, and one of no project. */
function hiddenSources(root: string): string {
  const write = oneProject(root);
  const compilerOptions = { ...OPTIONS, noEmit: true };
  write('.storybook/tsconfig.json', { compilerOptions, include: ['../.storybook/*.ts'] });
  write('.storybook/stories.ts', user('stories', '../src/core.js'));
  write('.tools/check.ts', user('check', '../src/core.js'));
  return 'src/core.ts';
}

function oneProject(root: string): Write {
  const write = writerIn(root);
  write('package.json', { name: 'one', private: true, type: 'module' });
  write('package-lock.json', { name: 'one', lockfileVersion: 3, packages: {} });
  write('tsconfig.json', { compilerOptions: { ...OPTIONS, noEmit: true }, include: ['src'] });
  install(root);
  write('src/core.ts', CORE);
  write('src/alpha.ts', user('alpha', './core.js'));
  return write;
}

function plainJavaScript(root: string): string {
  const write = writerIn(root);
  write('package.json', { name: 'plain', private: true, type: 'module' });
  write('package-lock.json', { name: 'plain', lockfileVersion: 3, packages: {} });
  install(root);
  write(
    'src/core.js',
    `/** @param {number} amount @returns {number} */
export function netPrice(amount) {
  return amount - 1;
}

export class Shape {
  /** @returns {number} */
  area() {
    return 0;
  }
}
`,
  );
  for (const name of USERS)
    write(
      `src/${name}.js`,
      `import { netPrice, Shape } from './core.js';

export class ${name}Shape extends Shape {
  /** @returns {number} */
  area() {
    return 2;
  }
}

/** @returns {number} */
export function ${name}Price() {
  return netPrice(1) + netPrice(2);
}
`,
    );
  return 'src/core.js';
}

/** A package that no workspace lists, with a lock file of its own, which uses the workspace beside it. */
function exampleBeside(root: string): string {
  const core = threePackages(root, {
    entry: { exports: './src/index.ts' },
    compilerOptions: { ...OPTIONS, noEmit: true },
  });
  const write = writerIn(root);
  write('example/package.json', {
    name: 'example',
    private: true,
    type: 'module',
    dependencies: { '@mono/core': 'file:../packages/core' },
  });
  write('example/package-lock.json', { name: 'example', lockfileVersion: 3, packages: {} });
  write('example/tsconfig.json', { compilerOptions: { ...OPTIONS, noEmit: true }, include: ['src'] });
  mkdirSync(path.join(root, 'example/node_modules/@mono'), { recursive: true });
  symlinkSync('../../../packages/core', path.join(root, 'example/node_modules/@mono/core'));
  write('example/src/main.ts', user('example', '@mono/core'));
  return core;
}
