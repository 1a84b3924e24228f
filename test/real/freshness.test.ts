/** A file is changed behind the product's back, and another one that depends on it is asked about at once. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHost } from '../../src/shared/host/create-host.ts';
import type { Host } from '../../src/shared/host/host.ts';
import { currentEnvironment } from '../../src/shared/languages/environment.ts';
import { languageById } from '../../src/shared/languages/lookup.ts';
import { makePlan } from '../../src/shared/languages/plan.ts';
import { describeWith } from '../support/requirements.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const PACKAGE = path.resolve(import.meta.dirname, '../..');
const ROUNDS = 6;

interface Project {
  readonly language: string;
  readonly text: string;
  readonly changed: string;
  readonly dependent: string;
  /** Makes the changed file one that the dependent is wrong about. */
  readonly breaking: readonly [from: string, to: string];
  prepare?(workspace: Workspace): void;
}

const TYPESCRIPT: Project = {
  language: 'typescript',
  text: `
//- tsconfig.json
{ "compilerOptions": { "strict": true }, "include": ["*.ts"] }
//- price.ts
export function price(): number { return 1 }
//- shop.ts
import { price } from "./price";
export const total: number = price();
`,
  changed: 'price.ts',
  dependent: 'shop.ts',
  breaking: ['number { return 1 }', 'string { return "1" }'],
};

const PYTHON: Project = {
  language: 'python',
  text: `
//- pyrightconfig.json
{}
//- price.py
def price() -> int:
    return 1
//- shop.py
from price import price
total: int = price()
`,
  changed: 'price.py',
  dependent: 'shop.py',
  breaking: ['int:\n    return 1', 'str:\n    return "1"'],
};

const GO: Project = {
  language: 'go',
  text: `
//- go.mod
module shop

go 1.22
//- price/price.go
package price

func Price() int { return 1 }
//- till/till.go
package till

import "shop/price"

var Total int = price.Price()
`,
  changed: 'price/price.go',
  dependent: 'till/till.go',
  breaking: ['int { return 1 }', 'string { return "1" }'],
};

function withTypescript5(workspace: Workspace): void {
  mkdirSync(workspace.file('node_modules'));
  symlinkSync(path.join(PACKAGE, 'node_modules/typescript5'), workspace.file('node_modules/typescript'));
}

async function hostFor({ language, prepare }: Project, workspace: Workspace): Promise<Host> {
  prepare?.(workspace);
  const family = languageById(language)?.family;
  if (!family) throw new Error(`no language ${language}`);
  const config = { overrides: new Map(), stateDir: workspace.stateDir };
  const environment = { ...currentEnvironment(PACKAGE), env: workspace.env() };
  const plan = await makePlan({ family, root: workspace.root, config, environment, role: 'types' });
  if (plan.server.kind !== 'spawn') throw new Error('a server of our own was wanted');
  return createHost({ ...plan, server: { ...plan.server, env: { ...workspace.env(), ...plan.server.env } } });
}

async function followsTheOther(project: Project, proof: readonly string[]): Promise<void> {
  await using workspace = createWorkspace(project.text);
  const host = await hostFor(project, workspace);
  const errors = async (name: string) => {
    const { freshness, diagnostics } = await host.diagnostics(workspace.file(name));
    expect(proof).toContain(freshness.kind);
    return diagnostics.filter(({ severity }) => severity === 1).length;
  };
  try {
    expect(await errors(project.dependent)).toBe(0);
    expect(await errors(project.changed)).toBe(0);
    const good = workspace.read(project.changed);
    for (let round = 0; round < ROUNDS; round++) {
      workspace.write(project.changed, good.replace(...project.breaking));
      expect(await errors(project.dependent)).toBe(1);
      workspace.write(project.changed, good);
      expect(await errors(project.dependent)).toBe(0);
    }
  } finally {
    await host.stop();
  }
}

describe('a file that depends on a changed one', () => {
  it('is checked anew by TypeScript 7', () => followsTheOther(TYPESCRIPT, ['exact']));
  it('is checked anew by typescript-language-server', () =>
    followsTheOther({ ...TYPESCRIPT, prepare: withTypescript5 }, ['exact', 'inferred']));
  it('is checked anew by pyright', () => followsTheOther(PYTHON, ['exact']));
});

describeWith(['gopls', 'go'], 'a Go file that depends on a changed one', () => {
  it('is checked anew by gopls', () => followsTheOther(GO, ['exact']));
});
