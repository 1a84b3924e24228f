/** Walks of the skills that change files: each has files of its own, and leaves the others as they were. */
import type { Walk } from './walk.ts';

const EDIT = { edit_id: /edit_id (e\d+)/ };
const BASELINE = { baseline_id: /(?:since|baseline) "?(b\d+)/ };

export const changing: Readonly<Record<string, Walk>> = {
  'lsp-rename': {
    files: `
//- src/till.ts
export function openTill(): number {
  return 100;
}
//- src/evening.ts
import { openTill } from './till.ts';

export const sum: number = openTill() + openTill();
`,
    values: { symbol: 'openTill', new_name: 'countTill', directory: 'src' },
    steps: [
      /^activated \(block\): phase prerequisites \(1 of 3\)/,
      /ready/,
      /src\/till\.ts:1:17 {2}function openTill/,
      /can be renamed/,
      /3 references to openTill .*complete/,
      { says: /would change 4 places in 2 files[\s\S]*tried out: 0 new errors/, takes: EDIT },
      { says: /baseline/, takes: BASELINE },
      /changed 4 places in 2 files/,
      /no new|nothing new|0 new/i,
      /^deactivated in phase execute \(3 of 3\)/,
    ],
  },
  'lsp-safe-edit': {
    files: `
//- src/sugar.ts
const spoons = 3;

export function sweet(): number {
  return spoons;
}
`,
    values: {
      file: 'src/sugar.ts',
      directory: 'src',
      old_text: 'return spoons;',
      new_text: 'return spoons * 2;',
      line: '4',
    },
    steps: [
      /^activated \(block\): phase setup \(1 of 4\)/,
      /ready/,
      { says: /baseline/, takes: BASELINE },
      { says: /safe: 0 new errors/, takes: EDIT },
      /changed 1 place in 1 file/,
      /no new|nothing new|0 new/i,
      /src\/sugar\.ts line 4, no problems? there/,
      /formatted/,
      /^deactivated in phase verify_and_fix \(4 of 4\)/,
    ],
  },
  'lsp-refactor': {
    files: `
//- src/flour.js
/** @returns {number} */
export function sieve() {
  return 1;
}
//- src/flour.test.js
// @ts-nocheck
import assert from 'node:assert';
import { test } from 'node:test';
import { sieve } from './flour.js';

test('sieves', () => assert.equal(typeof sieve(), 'number'));
`,
    values: {
      file: 'src/flour.js',
      directory: 'src',
      symbol: 'sieve',
      old_text: 'return 1;',
      new_text: 'return 2;',
    },
    steps: [
      /^activated \(block\): phase blast_radius \(1 of 5\)/,
      /1 exported symbol in src\/flour\.js/,
      /references to sieve .*complete[\s\S]*src\/flour\.test\.js/,
      { says: /baseline/, takes: BASELINE },
      { says: /safe: 0 new errors/, takes: EDIT },
      /changed 1 place in 1 file/,
      /formatted/,
      /no new|nothing new|0 new/i,
      /build succeeded/,
      /src\/flour\.test\.js/,
      /tests passed/,
      /^deactivated in phase test_execution \(5 of 5\)/,
    ],
  },
  'lsp-verify': {
    files: `
//- src/water.js
/** @returns {number} */
export function litres() {
  return 1;
}
//- src/water.test.js
// @ts-nocheck
import assert from 'node:assert';
import { test } from 'node:test';
import { litres } from './water.js';

test('has litres', () => assert.equal(litres(), 1));
//- src/well.ts
export const depth: number = 3;
`,
    values: { file: 'src/water.js' },
    steps: [
      /^activated \(block\): phase test_correlation \(1 of 5\)/,
      { says: /1 test file of src\/water\.js/, takes: { test_file: /(src\/\S+)\s*$/m } },
      /ready/,
      /src\/water\.js: clean; fresh/,
      /build succeeded/,
      /tests? passed/,
      {
        // What the build and the tests have not seen: a name that is not imported.
        first: (workspace) => {
          workspace.write('src/well.ts', 'export const depth: number = litres();\n');
          return { file: 'src/well.ts', line: '1' };
        },
        says: /quickfix .*import/i,
        takes: EDIT,
      },
      /changed 1 place in 1 file/,
      /formatted/,
      /src\/well\.ts: clean; fresh/,
      /^deactivated in phase fix_and_format \(5 of 5\)/,
    ],
  },
  'lsp-edit-symbol': {
    files: `
//- src/yeast.ts
export function rise(hours: number): number {
  return hours;
}
`,
    values: {
      symbol: 'rise',
      directory: 'src',
      new_body: 'return hours * 2;',
      code: 'export function fall(): number {\n  return 0;\n}',
    },
    steps: [
      { says: /function rise {2}src\/yeast\.ts/, takes: { file: /function rise {2}(\S+?):/ } },
      /return hours;/,
      /changed 1 place in 1 file/,
      /changed 1 place in 1 file/,
      /clean; fresh.*src\/yeast\.ts/,
    ],
  },
  'lsp-edit-export': {
    files: `
//- src/salt.ts
export function pinch(grams: number): number {
  return grams;
}
//- src/dough.ts
import { pinch } from './salt.ts';

export const salted: number = pinch(2);
`,
    values: {
      symbol: 'pinch',
      file: 'src/salt.ts',
      directory: 'src',
      old_text: 'pinch(grams: number)',
      new_text: 'pinch(grams: number, times = 1)',
    },
    steps: [
      /src\/salt\.ts:1:17 {2}function pinch/,
      /2 references to pinch .*complete[\s\S]*src\/dough\.ts/,
      { says: /baseline/, takes: BASELINE },
      { says: /safe: 0 new errors/, takes: EDIT },
      /changed 1 place in 1 file/,
      /no new|nothing new|0 new/i,
      /build succeeded/,
    ],
  },
  'lsp-simulate': {
    files: `
//- src/milk.ts
export function pour(): number {
  return 1;
}
//- src/shake.ts
import { pour } from './milk.ts';

export const glass: number = pour();
`,
    values: {
      file: 'src/milk.ts',
      old_text: 'pour(): number {\n  return 1;',
      new_text: "pour(): string {\n  return '1';",
      caller: 'src/shake.ts',
      old_call: 'glass: number',
      new_call: 'glass: string',
    },
    steps: [
      { says: /session_id/, takes: { session_id: /session_id (\w+)/ } },
      /version 1, not on disk/,
      /1 new error[\s\S]*src\/shake\.ts/,
      /safe through step 1 of 1[\s\S]*0 new errors/,
      /changed 2 places in 2 files/,
      {
        first: async (_, call) => {
          const { text } = await call('create_simulation_session');
          return { other_session_id: /session_id (\w+)/.exec(text)?.[1] ?? '' };
        },
        says: /discarded/,
      },
      /destroyed/,
    ],
  },
  'lsp-fix-all': {
    files: `
//- src/order.ts
export const loaf = new Bread(500);
`,
    values: { file: 'src/order.ts', line: '1' },
    steps: [
      /src\/order\.ts: 1 error/,
      { says: /quickfix .*import/i, takes: EDIT },
      /changed 1 place in 1 file/,
      /src\/order\.ts: clean; fresh/,
      /formatted/,
    ],
  },
  'lsp-format-code': {
    files: `
//- src/counter.ts
export   const   first = 1;
export   const   second = 2;
`,
    values: { file: 'src/counter.ts', line: '2', end_line: '2' },
    steps: [
      { says: /would change/, takes: EDIT },
      /changed \d places? in 1 file/,
      {
        first: (workspace) =>
          void workspace.write(
            'src/counter.ts',
            'export   const   first = 1;\nexport   const   second = 2;\n',
          ),
        says: /lines? 2.*changed/,
      },
      /src\/counter\.ts: clean/,
    ],
  },
  'lsp-generate': {
    files: `
//- src/microwave.ts
import type { Oven } from './oven.ts';

export class Microwave implements Oven {
}
`,
    values: { file: 'src/microwave.ts', line: '3' },
    steps: [
      {
        says: /Implement interface 'Oven'/,
        takes: { edit_id: /Implement interface 'Oven'.*?edit_id (e\d+)/ },
      },
      /changed \d places in 1 file/,
      /formatted|changed/,
      /src\/microwave\.ts: 1 error/,
    ],
  },
  'lsp-dead-code': {
    files: `
//- src/oldies.ts
export function gramophone(): number {
  return 78;
}

export const record = 33;
//- src/player.ts
import { record } from './oldies.ts';

export const turns: number = record;
`,
    values: { file: 'src/oldies.ts', candidate: 'gramophone' },
    steps: [
      /function gramophone/,
      /no callers, no tests: gramophone/,
      /^No references to gramophone .*complete/,
      { says: /would change 1 place in 1 file/, takes: EDIT },
      /changed 1 place in 1 file/,
    ],
  },
};

/** Only older compilers have these refactorings; their servers offer them as commands. */
export const refactoring: Readonly<Record<string, Walk>> = {
  'lsp-extract-function': {
    files: `
//- src/receipt.ts
export function receipt(prices: readonly number[]): string {
  let sum = 0;
  for (const price of prices) sum += price;
  const rounded = Math.round(sum * 100) / 100;
  return rounded + ' to pay';
}
`,
    values: { file: 'src/receipt.ts', start_line: '2', end_line: '4', new_name: 'roundedSum' },
    steps: [
      /function receipt/,
      {
        says: /refactor\.extract/,
        takes: { command: /Extract to function in module scope.*execute_command (c\d+)/ },
      },
      { says: /would change/, takes: { ...EDIT, made_up_name: /^\+function (\w+)\(/m } },
      /changed \d places? in 1 file/,
      /changed 2 places in 1 file/,
      /formatted|changed \d places in 1 file/,
    ],
  },
};
