/** Which imports TypeScript 7 would take for something else, asked of the real one: it says which files a project has. */
import { describe, expect, it } from 'vitest';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import { findTypescript } from '../../../../src/shared/languages/find-typescript.ts';
import { differingImport } from '../../../../src/shared/languages/import-check.ts';
import { languageById } from '../../../../src/shared/languages/lookup.ts';
import { readTsProject } from '../../../../src/shared/tsconfig/tsconfig.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const REPOSITORY = absolutePath(new URL('../../../..', import.meta.url).pathname);

function typescript7() {
  const family = languageById('typescript')?.family;
  const { env, platform, arch, execPath } = process;
  const environment = { env, platform, arch, homedir: '/nowhere', execPath, packageRoot: REPOSITORY };
  const found = family && findTypescript(family, { root: REPOSITORY, environment });
  if (!found) throw new Error('no TypeScript 7');
  return found.launch;
}

async function differing(text: string, config = 'tsconfig.json'): Promise<string | undefined> {
  await using workspace = createWorkspace(text);
  const file = workspace.file(config);
  const { compilerOptions } = readTsProject(file);
  return await differingImport({ config: file, compilerOptions, typescript7: typescript7() });
}

const OLD = '{ "compilerOptions": { "module": "esnext", "moduleResolution": "node" }, "include": ["src"] }';

function withPackage(exported: string): string {
  return `
//- tsconfig.json
${OLD}
//- src/a.ts
import { deep } from 'tools/lib/deep';
//- node_modules/tools/package.json
{ "name": "tools", "types": "./index.d.ts"${exported} }
//- node_modules/tools/index.d.ts
export declare const top: number;
//- node_modules/tools/lib/deep.d.ts
export declare const deep: number;
`;
}

describe('an import that version 7 would not follow as the project means it', () => {
  it('is none where nothing but relative files and packages without exports is imported', async () => {
    expect(await differing(withPackage(''))).toBeUndefined();
  });

  it('is the one of a file that the exports of a package hide', async () => {
    expect(await differing(withPackage(', "exports": { ".": "./index.js" }'))).toBe('tools/lib/deep');
  });

  it('is one that is found below a baseUrl which the configuration inherits', async () => {
    const workspace = (more: string) => `
//- tsconfig.base.json
{ "compilerOptions": { "module": "esnext", "moduleResolution": "node", "baseUrl": "."${more} } }
//- libs/app/tsconfig.json
{ "extends": "../../tsconfig.base.json", "include": ["src"] }
//- libs/app/src/a.ts
import { price } from 'libs/core/price';
//- libs/core/price.ts
export declare const price: number;
`;
    const config = 'libs/app/tsconfig.json';
    expect(await differing(workspace(''), config)).toBe('libs/core/price');
    // Paths that are written beside it mean the same by both rules.
    const paths = ', "paths": { "libs/core/*": ["libs/core/*"] }';
    expect(await differing(workspace(paths), config)).toBeUndefined();
  });

  it('is none where the exports lead to the file, by name or by pattern', async () => {
    expect(
      await differing(withPackage(', "exports": { "./lib/deep": { "types": "./lib/deep.d.ts" } }')),
    ).toBeUndefined();
    expect(await differing(withPackage(', "exports": { "./lib/*": "./lib/*.js" }'))).toBeUndefined();
  });

  it('is the one of a package whose types the exports leave out', async () => {
    const text = withPackage(', "exports": "./gone.js"').replace('tools/lib/deep', 'tools');
    expect(await differing(text)).toBe('tools');
  });

  it('is one that is found below baseUrl', async () => {
    const based = (name: string) => `
//- tsconfig.json
{ "compilerOptions": { "baseUrl": "src" }, "include": ["src"] }
//- src/app/core.ts
export const core = 1;
//- src/app/use.ts
import { core } from '${name}';
`;
    expect(await differing(based('app/core'))).toBe('app/core');
    expect(await differing(based('./core'))).toBeUndefined();
    expect(await differing(based('elsewhere/core'))).toBeUndefined();
  });

  it('is a mapping that begins at another place than the configuration', async () => {
    const mapped = (baseUrl: string) => `
//- tsconfig.json
{ "compilerOptions": { "baseUrl": "${baseUrl}", "paths": { "~/*": ["./*"] } }, "include": ["src"] }
//- src/a.ts
import '~/b';
//- src/b.ts
export {};
`;
    expect(await differing(mapped('src'))).toBe('~/*');
    expect(await differing(mapped('.'))).toBeUndefined();
  });

  it('is looked for in the files of the project only', async () => {
    const text = withPackage(', "exports": { ".": "./index.js" }').replace('src/a.ts', 'scripts/a.ts');
    expect(await differing(`${text}//- src/b.ts\nexport {};\n`)).toBeUndefined();
  });

  it('may be any when version 7 cannot say which files there are', async () => {
    expect(await differing('//- tsconfig.json\n{ "extends": "./gone.json" }\n', 'gone/tsconfig.json')).toBe(
      'its files',
    );
  });
});
