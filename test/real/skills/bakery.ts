/** The workspace in which skills are walked: small, but with interfaces, callers on two levels, tests, and a compiler of its own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const COMPILER = path.resolve(import.meta.dirname, '../../../node_modules/typescript5');

const FILES = `
//- package.json
{ "name": "bakery", "type": "module", "scripts": { "test": "node --test" } }
//- .gitignore
node_modules
//- tsconfig.json
{
  "compilerOptions": {
    "strict": true, "allowJs": true, "checkJs": true, "noEmit": true, "types": [],
    "target": "es2022", "module": "nodenext", "allowImportingTsExtensions": true
  },
  "include": ["src"]
}
//- src/oven.ts
/** Gets bread hot. */
export interface Oven {
  readonly name: string;
  heat(degrees: number): number;
}

export class GasOven implements Oven {
  readonly name = 'gas';

  heat(degrees: number): number {
    return degrees / 2;
  }
}

export class StoneOven implements Oven {
  readonly name = 'stone';

  heat(degrees: number): number {
    return degrees * 3;
  }
}
//- src/bread.ts
import type { Oven } from './oven.ts';

/** A loaf, and how long it takes. */
export class Bread {
  readonly grams: number;

  constructor(grams: number) {
    this.grams = grams;
  }

  /** Minutes until it is done. */
  bake(oven: Oven): number {
    const minutes = oven.heat(this.grams);
    return minutes + crust(minutes);
  }
}

/** How thick the crust gets. */
function crust(minutes: number): number {
  return minutes > 40 ? 2 : 1;
}
//- src/day.ts
import { Bread } from './bread.ts';
import { GasOven, StoneOven } from './oven.ts';

/** Bakes the bread of a morning. */
export function morning(): number {
  return new Bread(500).bake(new StoneOven()) + new Bread(250).bake(new GasOven());
}
//- src/main.ts
import { morning } from './day.ts';

export const minutes: number = morning();
//- src/rate.js
/**
 * What a loaf costs.
 * @param {number} grams
 * @returns {number}
 */
export function rate(grams) {
  return grams * 2;
}
//- src/rate.test.js
// @ts-nocheck
import assert from 'node:assert';
import { test } from 'node:test';
import { rate } from './rate.js';

test('twice the weight', () => assert.equal(rate(2), 4));
`;

export function bakery(): Workspace {
  const workspace = createWorkspace(FILES);
  opened(workspace);
  return workspace;
}

/** The same with an older compiler of its own. */
export function oldBakery(): Workspace {
  const workspace = createWorkspace(FILES);
  mkdirSync(workspace.file('node_modules'));
  symlinkSync(COMPILER, workspace.file('node_modules/typescript'));
  return workspace;
}

function opened(workspace: Workspace): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: workspace.root, env: workspace.env(), stdio: 'ignore' });
  git('init', '--quiet');
  git('add', '.');
  git(
    '-c',
    'user.name=baker',
    '-c',
    'user.email=baker@example.org',
    'commit',
    '--quiet',
    '-m',
    'Open the bakery',
  );
}

/** Another repository that uses the bakery, beside it. */
export const CUSTOMER = `
//- tsconfig.json
{ "compilerOptions": { "strict": true, "noEmit": true, "types": [], "target": "es2022", "module": "nodenext", "allowImportingTsExtensions": true } }
//- order.ts
import { Bread } from '../../work/src/bread.ts';

export const breakfast = new Bread(300);
`;
