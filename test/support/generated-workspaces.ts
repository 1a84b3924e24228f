/**
 * Workspaces of several members as the generators of Lerna, Nx, Turborepo, uv and Poetry lay them out, with what installing
 * them brings. One member declares a function and a `Shape`, the other uses both (layout-truth.ts).
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { TYPESCRIPT_5 } from './monorepo.ts';
import type { Workspace } from './workspace.ts';

export interface GeneratedWorkspace {
  readonly language: 'typescript' | 'python';
  /** The files, as createWorkspace reads them. */
  readonly text: string;
  /** Links that are made when it is installed, with what they point at. */
  readonly links?: Readonly<Record<string, string>>;
  /** The configuration that `tsc -b` has built, where it has been built. */
  readonly built?: string;
  /** Directories that the environment of Python finds modules in, where there is an environment. */
  readonly installed?: readonly string[];
  /** The file that declares the names. */
  readonly core: string;
  /** A file of the other member that uses them. */
  readonly user: string;
  /** The configuration that it is compiled with; `isBuilt` where what it refers to is compiled first. */
  readonly config?: { readonly file: string; readonly isBuilt?: boolean };
}

const CORE = `export interface Shape {
  area(): number;
}

export function netPrice(amount: number): number {
  return amount - 1;
}
`;

const userOf = (from: string, name = 'Square') => `import { netPrice, type Shape } from '${from}';

export class ${name} implements Shape {
  area(): number {
    return netPrice(2);
  }
}

export const ${name.toLowerCase()}Total: number = netPrice(1) + netPrice(2);
`;

const PYTHON_CORE = `class Shape:
    def area(self) -> int:
        return 0


def net_price(amount: int) -> int:
    return amount - 1
`;

const pythonUserOf = (from: string, name = 'Square') => `from ${from} import Shape, net_price


class ${name}(Shape):
    def area(self) -> int:
        return net_price(2)


TOTAL = net_price(1) + net_price(2)
`;

const LERNA_OPTIONS = `"target": "es2018", "module": "commonjs", "moduleResolution": "node", "strict": true,
  "declaration": true, "declarationMap": true, "esModuleInterop": true`;

/** Before npm had workspaces: each package is installed by itself, and the others are linked into it. */
const LERNA_BOOTSTRAP = `
//- package.json
{ "name": "root", "private": true, "devDependencies": { "lerna": "^3.22.1", "typescript": "^5.9.3" } }
//- package-lock.json
{ "name": "root", "lockfileVersion": 1 }
//- lerna.json
{ "packages": ["packages/*"], "version": "0.0.0" }
//- tsconfig.json
{ "compilerOptions": { ${LERNA_OPTIONS} } }
//- packages/core/package.json
{ "name": "@shop/core", "version": "0.0.0", "main": "lib/index.js", "types": "lib/index.d.ts", "files": ["lib"] }
//- packages/core/package-lock.json
{ "name": "@shop/core", "version": "0.0.0", "lockfileVersion": 1 }
//- packages/core/src/core.ts
${CORE}
//- packages/core/src/index.ts
export * from './core';
//- packages/app/package.json
{
  "name": "@shop/app", "version": "0.0.0", "main": "lib/index.js", "types": "lib/index.d.ts",
  "dependencies": { "@shop/core": "^0.0.0" }
}
//- packages/app/package-lock.json
{ "name": "@shop/app", "version": "0.0.0", "lockfileVersion": 1 }
//- packages/app/src/index.ts
${userOf('@shop/core')}
`;
const LERNA_LINKS = { 'packages/app/node_modules/@shop/core': '../../../core' };
const LERNA_PLACES = {
  language: 'typescript',
  core: 'packages/core/src/core.ts',
  user: 'packages/app/src/index.ts',
  config: { file: 'packages/app/tsconfig.json' },
} as const;

const lernaConfigs = (more: string, references = '') => `
//- packages/core/tsconfig.json
{ "extends": "../../tsconfig.json", "compilerOptions": { "outDir": "./lib", "rootDir": "./src"${more} }, "include": ["src"] }
//- packages/app/tsconfig.json
{
  "extends": "../../tsconfig.json", "compilerOptions": { "outDir": "./lib", "rootDir": "./src"${more} },
  "include": ["src"]${references}
}
`;

const nxLibrary = (name: string, module: string) => `
//- libs/${name}/project.json
{
  "name": "${name}", "$schema": "../../node_modules/nx/schemas/project-schema.json", "sourceRoot": "libs/${name}/src",
  "projectType": "library", "tags": [], "targets": {}
}
//- libs/${name}/tsconfig.json
{
  "extends": "../../tsconfig.base.json", "compilerOptions": { "module": "${module}", "strict": true },
  "files": [], "include": [],
  "references": [{ "path": "./tsconfig.lib.json" }, { "path": "./tsconfig.spec.json" }]
}
//- libs/${name}/tsconfig.lib.json
{
  "extends": "./tsconfig.json", "compilerOptions": { "outDir": "../../dist/out-tsc", "declaration": true, "types": [] },
  "include": ["src/**/*.ts"], "exclude": ["jest.config.ts", "src/**/*.spec.ts", "src/**/*.test.ts"]
}
//- libs/${name}/tsconfig.spec.json
{
  "extends": "./tsconfig.json", "compilerOptions": { "outDir": "../../dist/out-tsc", "types": [] },
  "include": ["jest.config.ts", "src/**/*.test.ts", "src/**/*.spec.ts", "src/**/*.d.ts"]
}
//- libs/${name}/jest.config.ts
export default { displayName: '${name}', preset: '../../jest.preset.js' };
`;

const NX_SOURCES = `
//- package.json
{ "name": "@shop/source", "version": "0.0.0", "private": true, "devDependencies": { "nx": "*", "typescript": "*" } }
//- package-lock.json
{ "name": "@shop/source", "lockfileVersion": 3, "packages": {} }
//- nx.json
{ "namedInputs": { "default": ["{projectRoot}/**/*", "sharedGlobals"], "sharedGlobals": [] } }
//- libs/core/src/index.ts
export * from './lib/core';
//- libs/core/src/lib/core.ts
${CORE}
//- libs/core/src/lib/core.spec.ts
${userOf('./core', 'SpecSquare')}
//- libs/app/src/index.ts
export * from './lib/app';
//- libs/app/src/lib/app.ts
${userOf('@shop/core')}
//- libs/app/src/lib/app.spec.ts
${userOf('@shop/core', 'AppSpecSquare')}
`;
const NX_PLACES = {
  language: 'typescript',
  core: 'libs/core/src/lib/core.ts',
  user: 'libs/app/src/lib/app.ts',
  config: { file: 'libs/app/tsconfig.lib.json' },
} as const;

const nxBase = (options: string) => `
//- tsconfig.base.json
{
  "compileOnSave": false,
  "compilerOptions": {
    "rootDir": ".", "sourceMap": true, "declaration": false, "target": "es2015", "module": "esnext",
    "lib": ["es2020", "dom"], "skipLibCheck": true, "skipDefaultLibCheck": true,
    ${options}
  },
  "exclude": ["node_modules", "tmp"]
}
`;

/** Packages that are imported as they are written: nobody builds them but who uses them. */
const TURBO_PACKAGES = `
//- turbo.json
{ "$schema": "https://turborepo.com/schema.json", "ui": "tui", "tasks": { "build": { "dependsOn": ["^build"] } } }
//- packages/typescript-config/package.json
{ "name": "@repo/typescript-config", "version": "0.0.0", "private": true }
//- packages/typescript-config/base.json
{
  "compilerOptions": {
    "declaration": true, "declarationMap": true, "esModuleInterop": true, "incremental": false, "isolatedModules": true,
    "lib": ["es2022", "DOM", "DOM.Iterable"], "module": "NodeNext", "moduleDetection": "force",
    "moduleResolution": "NodeNext", "skipLibCheck": true, "strict": true, "target": "ES2022"
  }
}
//- packages/typescript-config/nextjs.json
{
  "extends": "./base.json",
  "compilerOptions": {
    "plugins": [{ "name": "next" }], "module": "ESNext", "moduleResolution": "Bundler", "allowJs": true,
    "jsx": "preserve", "noEmit": true
  }
}
//- packages/typescript-config/react-library.json
{ "extends": "./base.json", "compilerOptions": { "jsx": "react-jsx" } }
//- packages/ui/tsconfig.json
{
  "extends": "@repo/typescript-config/react-library.json", "compilerOptions": { "outDir": "dist" },
  "include": ["src"], "exclude": ["node_modules", "dist"]
}
//- packages/ui/src/price.tsx
${CORE}
//- apps/web/package.json
{
  "name": "web", "version": "0.1.0", "type": "module", "private": true,
  "dependencies": { "@repo/ui": "*" }, "devDependencies": { "@repo/typescript-config": "*", "typescript": "5.9.3" }
}
//- apps/web/tsconfig.json
{
  "extends": "@repo/typescript-config/nextjs.json", "compilerOptions": { "plugins": [{ "name": "next" }] },
  "include": ["**/*.ts", "**/*.tsx", "next-env.d.ts", "next.config.js", ".next/types/**/*.ts"], "exclude": ["node_modules"]
}
//- apps/web/app/page.tsx
${userOf('@repo/ui/price')}
`;
const TURBO_PLACES = {
  language: 'typescript',
  core: 'packages/ui/src/price.tsx',
  user: 'apps/web/app/page.tsx',
  config: { file: 'apps/web/tsconfig.json' },
} as const;

const uiPackage = (exported: string) => `
//- packages/ui/package.json
{
  "name": "@repo/ui", "version": "0.0.0", "private": true, "exports": ${exported},
  "devDependencies": { "@repo/typescript-config": "*", "typescript": "5.9.3" }
}
`;

const uvMember = (name: string, more = '') => `
//- packages/${name}/pyproject.toml
[project]
name = "shop-${name}"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = [${name === 'core' ? '' : '"shop-core"'}]

[build-system]
requires = ["uv_build>=0.9,<0.10"]
build-backend = "uv_build"
${name === 'core' ? '' : '\n[tool.uv.sources]\nshop-core = { workspace = true }\n'}${more}
//- packages/${name}/src/shop_${name}/py.typed
`;

const UV_SOURCES = `
//- uv.lock
version = 1
//- packages/core/src/shop_core/__init__.py
${PYTHON_CORE}
//- packages/app/src/shop_app/__init__.py
${pythonUserOf('shop_core')}
`;
const UV_PLACES = {
  language: 'python',
  core: 'packages/core/src/shop_core/__init__.py',
  user: 'packages/app/src/shop_app/__init__.py',
} as const;
const UV_ROOT = `
//- pyproject.toml
[project]
name = "shop"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["shop-app"]

[tool.uv.sources]
shop-app = { workspace = true }

[tool.uv.workspace]
members = ["packages/*"]
`;

const poetryMember = (directory: string, name: string, dependencies: string) => `
//- ${directory}/pyproject.toml
[tool.poetry]
name = "shop-${name}"
version = "0.1.0"
description = ""
authors = []
packages = [{ include = "shop_${name}" }]

[tool.poetry.dependencies]
python = "^3.11"
${dependencies}

[build-system]
requires = ["poetry-core"]
build-backend = "poetry.core.masonry.api"
`;
const poetryRoot = (dependencies: string) => `
//- poetry.lock
# made by poetry
//- pyproject.toml
[tool.poetry]
name = "shop"
version = "0.1.0"
package-mode = false

[tool.poetry.dependencies]
python = "^3.11"
${dependencies}

[build-system]
requires = ["poetry-core"]
build-backend = "poetry.core.masonry.api"
`;
const POETRY_SOURCES = `
//- libs/core/shop_core/__init__.py
from .core import Shape, net_price
//- libs/core/shop_core/core.py
${PYTHON_CORE}
//- apps/app/shop_app/__init__.py
//- apps/app/shop_app/main.py
${pythonUserOf('shop_core')}
//- apps/app/tests/__init__.py
//- apps/app/tests/test_main.py
${pythonUserOf('shop_core.core', 'TestedSquare')}
`;
const POETRY_PLACES = {
  language: 'python',
  core: 'libs/core/shop_core/core.py',
  user: 'apps/app/shop_app/main.py',
} as const;
const BY_PATH = 'shop-core = { path = "../../libs/core", develop = true }';

export const generatedWorkspaces = {
  'lerna, linked and not built': {
    ...LERNA_PLACES,
    text: `${LERNA_BOOTSTRAP}${lernaConfigs('')}`,
    links: LERNA_LINKS,
  },
  'lerna, linked and built': {
    ...LERNA_PLACES,
    text: `${LERNA_BOOTSTRAP}${lernaConfigs('')}`,
    links: LERNA_LINKS,
    built: 'packages/core',
  },
  'lerna, linked and built without maps': {
    ...LERNA_PLACES,
    text: `${LERNA_BOOTSTRAP}${lernaConfigs(', "declarationMap": false')}`,
    links: LERNA_LINKS,
    built: 'packages/core',
  },
  'lerna, linked, with references': {
    ...LERNA_PLACES,
    text: `${LERNA_BOOTSTRAP}${lernaConfigs(', "composite": true', ', "references": [{ "path": "../core" }]')}`,
    links: LERNA_LINKS,
    config: { file: 'packages/app/tsconfig.json', isBuilt: true },
  },
  'lerna in npm workspaces': {
    ...LERNA_PLACES,
    text: `
${LERNA_BOOTSTRAP}${lernaConfigs(', "composite": true', ', "references": [{ "path": "../core" }]')}
//- package.json
{
  "name": "root", "private": true, "workspaces": ["packages/*"],
  "devDependencies": { "lerna": "^8.1.8", "typescript": "^5.9.3" }
}
//- lerna.json
{ "$schema": "node_modules/lerna/schemas/lerna-schema.json", "version": "0.0.0" }
//- nx.json
{ "targetDefaults": { "build": { "dependsOn": ["^build"] } } }
`,
    links: {
      'node_modules/@shop/core': '../../packages/core',
      'node_modules/@shop/app': '../../packages/app',
    },
    config: { file: 'packages/app/tsconfig.json', isBuilt: true },
  },
  'nx without packages': {
    ...NX_PLACES,
    text: `${NX_SOURCES}${nxLibrary('core', 'esnext')}${nxLibrary('app', 'esnext')}${nxBase(`
    "moduleResolution": "bundler", "strict": false,
    "paths": { "@shop/core": ["./libs/core/src/index.ts"], "@shop/app": ["./libs/app/src/index.ts"] }`)}`,
  },
  'nx without packages, as it was': {
    ...NX_PLACES,
    text: `${NX_SOURCES}${nxLibrary('core', 'commonjs')}${nxLibrary('app', 'commonjs')}${nxBase(`
    "moduleResolution": "node", "baseUrl": ".",
    "paths": { "@shop/core": ["libs/core/src/index.ts"], "@shop/app": ["libs/app/src/index.ts"] }`)}`,
  },
  'turbo in npm workspaces': {
    ...TURBO_PLACES,
    text: `
//- package.json
{
  "name": "shop", "private": true, "packageManager": "npm@11.0.0", "workspaces": ["apps/*", "packages/*"],
  "devDependencies": { "turbo": "^2.5.0", "typescript": "5.9.3" }
}
//- package-lock.json
{ "name": "shop", "lockfileVersion": 3, "packages": {} }
${TURBO_PACKAGES}${uiPackage('{ "./*": "./src/*.tsx" }')}`,
    links: {
      'node_modules/@repo/ui': '../../packages/ui',
      'node_modules/@repo/typescript-config': '../../packages/typescript-config',
      'node_modules/web': '../apps/web',
    },
  },
  'turbo in a pnpm workspace': {
    ...TURBO_PLACES,
    text: `
//- package.json
{ "name": "shop", "private": true, "packageManager": "pnpm@10.0.0", "devDependencies": { "turbo": "^2.5.0", "typescript": "5.9.3" } }
//- pnpm-lock.yaml
lockfileVersion: '9.0'
//- pnpm-workspace.yaml
packages:
  - "apps/*"
  - "packages/*"
${TURBO_PACKAGES}${uiPackage('{ "./price": { "types": "./src/price.tsx", "default": "./dist/price.js" } }')}`,
    links: {
      'packages/ui/node_modules/@repo/typescript-config': '../../../typescript-config',
      'packages/ui/node_modules/typescript': '../../../node_modules/typescript',
      'apps/web/node_modules/@repo/typescript-config': '../../../../packages/typescript-config',
      'apps/web/node_modules/@repo/ui': '../../../../packages/ui',
      'apps/web/node_modules/typescript': '../../../node_modules/typescript',
    },
  },
  'uv workspace': {
    ...UV_PLACES,
    text: `${UV_ROOT}${UV_SOURCES}${uvMember('core')}${uvMember('app')}`,
    installed: ['packages/core/src', 'packages/app/src'],
  },
  'uv workspace, not synced': {
    ...UV_PLACES,
    text: `${UV_ROOT}${UV_SOURCES}${uvMember('core')}${uvMember('app')}`,
  },
  'uv workspace with checks in a member': {
    ...UV_PLACES,
    text: `${UV_ROOT}${UV_SOURCES}${uvMember('core', '[tool.pyright]\nstrict = ["src"]\n')}${uvMember('app')}`,
    installed: ['packages/core/src', 'packages/app/src'],
  },
  'poetry by paths': {
    ...POETRY_PLACES,
    text: `${POETRY_SOURCES}${poetryMember('libs/core', 'core', '')}${poetryMember('apps/app', 'app', BY_PATH)}${poetryRoot(`
shop-core = { path = "libs/core", develop = true }
shop-app = { path = "apps/app", develop = true }`)}`,
    installed: ['libs/core', 'apps/app'],
  },
  'poetry by a path behind a path': {
    ...POETRY_PLACES,
    text: `${POETRY_SOURCES}${poetryMember('libs/core', 'core', '')}${poetryMember('apps/app', 'app', BY_PATH)}${poetryRoot(`
shop-app = { path = "apps/app", develop = true }`)}`,
    installed: ['libs/core', 'apps/app'],
  },
  'poetry without a project at the top': {
    ...POETRY_PLACES,
    text: `${POETRY_SOURCES}${poetryMember('libs/core', 'core', '')}${poetryMember('apps/app', 'app', BY_PATH)}`,
    installed: ['libs/core', 'apps/app'],
  },
} as const satisfies Readonly<Record<string, GeneratedWorkspace>>;

export type GeneratedName = keyof typeof generatedWorkspaces;

/** Writes it and installs it, as its tools do. */
export function makeGenerated(generated: GeneratedWorkspace, workspace: Workspace): void {
  for (const [link, target] of Object.entries(generated.links ?? {})) linkIn(workspace, link, target);
  if (generated.language === 'typescript') linkIn(workspace, 'node_modules/typescript', TYPESCRIPT_5);
  if (generated.built !== undefined) build(workspace, generated.built);
  if (generated.installed) installSources(workspace, generated.installed);
}

function linkIn(workspace: Workspace, link: string, target: string): void {
  mkdirSync(path.dirname(workspace.file(link)), { recursive: true });
  symlinkSync(target, workspace.file(link));
}

function build(workspace: Workspace, project: string): void {
  const compiler = path.join(TYPESCRIPT_5, 'bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', project], {
    cwd: workspace.root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${project} cannot be built: ${stdout}`);
}

/** What uv and Poetry do: a file in the environment names the sources of each member. It needs no Python here. */
function installSources(workspace: Workspace, sources: readonly string[]): void {
  const packages = '.venv/lib/python3.11/site-packages';
  for (const source of sources)
    workspace.write(`${packages}/${source.replaceAll('/', '_')}.pth`, workspace.file(source));
  workspace.write('.venv/pyvenv.cfg', 'home = /usr/bin\nversion_info = 3.11.7\n');
  const found = [packages, ...sources].map((source) => workspace.file(source));
  const paths = { path: found, prefix: workspace.file('.venv') };
  const script = `#!/bin/sh
case "$*" in
  *version_info*) echo '[3, 11, 7, "final", 0]' ;;
  *) echo '${JSON.stringify(paths)}' ;;
esac
`;
  chmodSync(workspace.write('.venv/bin/python', script), 0o755);
}
