/** Declarations that servers leave out of their search by name though they know them, and the answer has all the same. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { TYPESCRIPT_5 } from '../support/monorepo.ts';
import { type RealWorld, realWorld } from '../support/real-session.ts';

const MANIFEST = `//- package.json
{ "name": "shop", "private": true, "type": "module" }`;

/** Of a type and a function of one name only one is listed, and nothing that a project of JavaScript is told about types. */
const SHOP = `
${MANIFEST}
//- web/tsconfig.json
{ "compilerOptions": { "target": "es2022", "module": "preserve", "strict": true }, "include": ["src"] }
//- web/src/parcel.ts
export type Parcel = { weight: number };

export function Parcel(weight: number): Parcel {
  return { weight };
}
//- web/src/crate.ts
export interface Crate {
  lift(height: number): void;
  lift(height: string): void;
}
export function Crate(): void {
  return undefined;
}
export namespace Crate {
  export class Lid {
    constructor(readonly hinge: string) {}
  }
}
//- scripts/jsconfig.json
{ "compilerOptions": { "checkJs": true }, "include": ["*"] }
//- scripts/labels.d.ts
export interface Label {
  stamp: string;
}
//- scripts/print.js
/** @param {import('./labels').Label} label */
export function print(label) {
  return label.stamp;
}
`;

/** Overloads are one thing, and any of their lines stands for it. */
const TRUTH: readonly (readonly [query: string, lines: readonly string[]])[] = [
  ['Parcel', ['web/src/parcel.ts:1', 'web/src/parcel.ts:3']],
  ['Crate', ['web/src/crate.ts:1', 'web/src/crate.ts:5', 'web/src/crate.ts:8']],
  ['Label', ['scripts/labels.d.ts:1']],
  ['stamp', ['scripts/labels.d.ts:2']],
  ['hinge', ['web/src/crate.ts:10']],
  // A part of the name.
  ['Parc', ['web/src/parcel.ts:1', 'web/src/parcel.ts:3']],
];

interface Hit {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

function shop(text: string): RealWorld {
  const world = realWorld(text);
  mkdirSync(`${world.workspace.root}/node_modules`);
  symlinkSync(TYPESCRIPT_5, `${world.workspace.root}/node_modules/typescript`);
  return world;
}

describe.each(['auto', 'own'] as const)('symbols that a server does not list, --typescript %s', (engine) => {
  it('are found, each once', async () => {
    await using world = shop(SHOP);
    const { data } = await world.session('--typescript', engine);
    const { root } = world.workspace;
    const found = async (query: string) => {
      const hits = (await data('find_symbol', { query })) as readonly Hit[];
      return hits.map(({ file, line }) => `${path.relative(root, file)}:${line}`).sort();
    };
    const answers: (readonly [string, readonly string[]])[] = [];
    for (const [query] of TRUTH) answers.push([query, await found(query)]);
    expect(answers).toEqual(TRUTH);
    expect(await found('lift')).toHaveLength(1);
    await world.end();
  });
});

it('symbols in more files than can be asked about are not passed over in silence', async () => {
  const files = Array.from(
    { length: 120 },
    (_, each) => `//- src/crate${each}.ts
export type Crate = ${each};
export function Crate(): void {}`,
  );
  await using world = shop(`
${MANIFEST}
//- tsconfig.json
{ "compilerOptions": { "target": "es2022", "module": "preserve", "strict": true }, "include": ["src"] }
${files.join('\n')}
`);
  // The other one lists no more than 256, and says so.
  const { ask } = await world.session('--typescript', 'own');
  expect(await ask('find_symbol', { query: 'Crate' })).toMatch(
    /INCOMPLETE: \d+ files seem to declare a name with Crate in it that .* does not list, .* such as src\/crate\d+\.ts/,
  );
  await world.end();
});
