/** Walks of the skills that look and change nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseSections } from '../../support/workspace.ts';
import { CUSTOMER } from './bakery.ts';
import type { Walk } from './walk.ts';

const BREAD = { file: 'src/bread.ts', symbol: 'Bread.bake' };

export const looking: Readonly<Record<string, Walk>> = {
  'lsp-explore': {
    values: { symbol: 'Bread.bake', other: 'morning', interface: 'Oven' },
    steps: [
      /bake\(oven: Oven\): number .*complete[\s\S]*callers: 1\n[\s\S]*morning/,
      /2 references to bake .*complete[\s\S]*src\/day\.ts/,
      /callees[\s\S]*crust/,
      /method Bread\.bake[\s\S]*function morning/,
      /2 implementations of Oven/,
    ],
  },
  'lsp-understand': {
    values: { ...BREAD, interface: 'Oven.heat', other: 'crust' },
    steps: [
      /src\/bread\.ts: \d symbols, etag \w+[\s\S]*method bake[\s\S]*morning/,
      /bake\(oven: Oven\): number/,
      /1 caller of Bread\.bake[\s\S]*function morning/,
      /callees of Bread\.bake[\s\S]*Oven\.heat/,
      /2 implementations of heat/,
      /method Bread\.bake[\s\S]*function crust/,
    ],
  },
  'lsp-docs': {
    values: { symbol: 'Bread.bake', file: 'src/day.ts', 'text before': 'new Bread(500).', name: 'bake' },
    steps: [
      /bake\(oven: Oven\): number[\s\S]*Minutes until it is done/,
      /bake\(oven: Oven\): number[\s\S]*Minutes until it is done/,
      /Minutes until it is done/,
      /1 definition of bake .*\n(?:.*\n)*?src\/bread\.ts:12:3/,
      /Minutes until it is done[\s\S]*oven\.heat/,
    ],
  },
  'lsp-implement': {
    values: { interface: 'Oven', method: 'heat', one: 'GasOven', two: 'StoneOven' },
    steps: [
      /src\/oven\.ts:2:18 {2}interface Oven/,
      /2 implementations of Oven[\s\S]*class GasOven[\s\S]*class StoneOven/,
      /2 implementations of heat/,
      /2 subtypes of Oven[\s\S]*GasOven[\s\S]*StoneOven/,
      /degrees \/ 2[\s\S]*degrees \* 3/,
    ],
  },
  'lsp-impact': {
    values: { ...BREAD, type: 'Oven' },
    steps: [
      /exported symbols? in src\/bread\.ts.*complete[\s\S]*Bread\.bake/,
      /2 references to bake .*accounted for; .*complete/,
      /1 caller of Bread\.bake .*complete[\s\S]*morning/,
      /2 subtypes of Oven/,
    ],
  },
  'lsp-local-symbols': {
    values: { ...BREAD, 'text before': 'const ', local: 'minutes = oven' },
    steps: [
      /src\/bread\.ts: \d symbols[\s\S]*class Bread[\s\S]*method bake/,
      /1 occurrence of bake/,
      /3 occurrences of minutes[\s\S]*13:11 write/,
      /bake\(oven: Oven\): number/,
    ],
  },
  'lsp-architecture': {
    values: { directory: 'src', file: 'src/day.ts', entry: 'morning', 'other file': 'src/oven.ts' },
    steps: [
      /typescript/,
      /src\/bread\.ts[\s\S]*Bread[\s\S]*src\/oven\.ts/,
      /callees of morning[\s\S]*Bread\.bake/,
      /exported symbols in .*complete[\s\S]*GasOven/,
    ],
  },
  'lsp-onboard': {
    values: { directory: 'src', file: 'src/oven.ts' },
    steps: [
      /typescript/,
      /ready/,
      /src\/bread\.ts/,
      /clean|no errors/i,
      /build succeeded/,
      /1 test passed/,
      /exported symbols in src\/oven\.ts/,
    ],
  },
  'lsp-test-correlation': {
    values: { file: 'src/rate.js', symbol: 'rate' },
    steps: [
      { says: /1 test file of src\/rate\.js/, takes: { test_file: /(src\/\S+)\s*$/m } },
      /references to rate [\s\S]*src\/rate\.test\.js/,
      /1 test passed/,
    ],
  },
  'lsp-inspect': {
    values: { file: 'src/bread.ts', 'other file': 'src/oven.ts', symbol: 'Bread.bake' },
    steps: [
      {
        first: (workspace) => void workspace.write('src/new.ts', 'export const loaf = 1;\n'),
        says: /1 changed symbol[\s\S]*loaf/,
      },
      {
        first: (workspace) => void workspace.remove('src/new.ts'),
        says: /symbols in .*complete[\s\S]*Bread\.bake/,
      },
      /clean/,
      /class Bread/,
      /2 references to bake/,
      /1 caller of Bread\.bake/,
      /Minutes until it is done/,
    ],
  },
  'lsp-cross-repo': {
    values: { symbol: 'Bread', interface: 'Oven' },
    steps: [
      { says: /class Bread {2}src\/bread\.ts/, takes: { file: /class Bread {2}(\S+?):/ } },
      {
        first: ({ scratch }) => {
          const consumer = path.join(scratch, 'customer');
          mkdirSync(consumer);
          for (const { name, text } of parseSections(CUSTOMER))
            writeFileSync(path.join(consumer, name), text);
          return { consumer };
        },
        says: /references in the library, 2 in .*customer; .*complete[\s\S]*order\.ts/,
      },
      /2 callers of Bread[\s\S]*morning/,
      { first: () => ({ file: 'src/oven.ts' }), says: /2 implementations of Oven/ },
    ],
  },
};
