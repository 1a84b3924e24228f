/** Which TypeScript navigates and which judges, by choice, role and configuration. The real version 7 is asked. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import type { Role, TypescriptChoice } from '../../../../src/shared/languages/roles.ts';
import { type EngineChoice, typescriptEngine } from '../../../../src/shared/languages/typescript-engine.ts';
import { TYPESCRIPT_5 } from '../../../support/monorepo.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const PACKAGE_ROOT = path.resolve(import.meta.dirname, '../../../..');
const MODERN = '{ "compilerOptions": { "module": "nodenext" } }';

interface Setting {
  readonly config?: string;
  readonly choice?: TypescriptChoice;
  readonly role?: Role;
  /** What lies in node_modules/typescript. */
  readonly installed?: '5' | '7' | 'none';
  /** Whether agent-lsp brings a version 7. */
  readonly brings7?: boolean;
  /** Whether the question is about a file. */
  readonly aboutFile?: boolean;
}

async function engineFor({
  config = MODERN,
  choice = 'auto',
  role = 'navigation',
  installed = '5',
  brings7 = true,
  aboutFile = true,
}: Setting): Promise<EngineChoice | undefined> {
  await using workspace = createWorkspace(`
//- package.json
{ "name": "shop" }
//- tsconfig.json
${config}
//- src/app/core.ts
export const core = 1;
//- src/app/use.ts
import { core } from 'app/core';
`);
  mkdirSync(workspace.file('node_modules'));
  if (installed === '5') symlinkSync(TYPESCRIPT_5, workspace.file('node_modules/typescript'));
  if (installed === '7') workspace.write('node_modules/typescript/package.json', '{"version":"7.0.2"}');
  const { env, platform, arch, execPath } = process;
  const packageRoot = brings7 ? PACKAGE_ROOT : workspace.scratch;
  const environment = { env, platform, arch, homedir: workspace.home, execPath, packageRoot };
  const search = { root: workspace.root, boundary: workspace.root, environment };
  const file = aboutFile ? absolutePath('src/app/core.ts', workspace.root) : undefined;
  return await typescriptEngine({ role, choice, search, file, stateDir: workspace.stateDir });
}

describe('which TypeScript serves a project that has version 5', () => {
  it('is version 7 for navigation, if it accepts the configuration', async () => {
    expect(await engineFor({})).toEqual({ engine: '7' });
  });

  it('is the own one for types, whatever the configuration is', async () => {
    expect(await engineFor({ role: 'types' })).toEqual({ engine: 'own' });
  });

  it.each(['own', '7'] as const)('is %s for both when that is said', async (choice) => {
    const config = '{ "compilerOptions": { "baseUrl": "src" } }';
    expect(await engineFor({ choice, config })).toEqual({ engine: choice });
    expect(await engineFor({ choice, role: 'types' })).toEqual({ engine: choice });
  });

  it('is version 7 where it has dropped what only concerns the output', async () => {
    const config = '{ "compilerOptions": { "target": "es5", "module": "esnext", "outFile": "out.js" } }';
    expect(await engineFor({ config })).toEqual({ engine: '7' });
  });

  it('is version 7 where it has dropped what no import needs', async () => {
    const config = '{ "compilerOptions": { "module": "esnext", "moduleResolution": "node" } }';
    expect(await engineFor({ config })).toEqual({ engine: '7' });
  });

  it('is the own one where an import needs what was dropped, and it is named', async () => {
    const config = '{ "compilerOptions": { "module": "esnext", "baseUrl": "src" } }';
    expect(await engineFor({ config })).toEqual({
      engine: 'own',
      complaint: expect.stringMatching(/baseUrl.*needed for app\/core/),
    });
  });

  it('is version 7 where no file or no project decides', async () => {
    const config = '{ "compilerOptions": { "baseUrl": "src" } }';
    expect(await engineFor({ config, aboutFile: false })).toEqual({ engine: '7' });
    expect(await engineFor({ config: '{ "files": [] }' })).toEqual({ engine: '7' });
  });

  it('is the own one where there is no version 7 to take', async () => {
    expect(await engineFor({ brings7: false })).toEqual({ engine: 'own' });
  });
});

it.each(['7', 'none'] as const)(
  'nothing is chosen where the project has %s of its own',
  async (installed) => {
    for (const choice of ['auto', 'own', '7'] as const)
      expect(await engineFor({ installed, choice })).toBeUndefined();
  },
);
