/** What a server has no time for is said to be missing, told by the text where that can, and found when it is asked again. */
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createWorkspace } from '../support/workspace.ts';
import { fakeSession } from './fake-session.ts';

const TSCONFIG = '{ "include": ["*.ts"] }';

/** The last project does not speak of Shape: that it has an heir follows from the first answer. */
const PROJECTS = `
//- package.json
{ "name": "projects", "private": true, "workspaces": ["*"] }
//- core/tsconfig.json
${TSCONFIG}
//- core/shape.ts
export abstract class Shape {}
//- square/tsconfig.json
${TSCONFIG}
//- square/square.ts
import { Shape } from '../core/shape';
export class Square extends Shape {}
//- rounded/tsconfig.json
${TSCONFIG}
//- rounded/rounded.ts
import { Square } from '../square/square';
export class Rounded extends Square {}
`;

it('go_to_implementation is INCOMPLETE while a project of further heirs loads, and then has them', async () => {
  await using gates = createWorkspace('//- none\n\n');
  const gate = gates.file('loaded');
  await using session = await fakeSession(PROJECTS, {
    language: { id: 'typescript', extension: 'ts' },
    as: 'typescript-7',
    scenario: {
      extensions: ['.ts'],
      rules: [
        { on: 'textDocument/documentSymbol', file: 'rounded.ts', do: { gate } },
        // Asked for its verdict on the configuration, which is that of all projects here, it has none to complain about.
        { on: 'start', instances: [2], do: { crash: 0 } },
      ],
    },
  });
  const shape = { file_path: 'core/shape.ts', symbol: 'Shape' };
  const early = await session.ask('go_to_implementation', shape);
  expect(early.split('\n')[0]).toBe(
    'INCOMPLETE: fake-lsp has not been asked for all heirs of Shape in time; retry in 1 s',
  );
  expect(early).toContain('square/square.ts:2:14  export class Square extends Shape {}');
  writeFileSync(gate, '');
  const whole = await session.ask('go_to_implementation', shape);
  expect(whole).not.toContain('INCOMPLETE');
  expect(whole).toContain('square/square.ts:2:14');
});

it('find_symbol lists what the text seems to declare while the server is searching, and then what it found', async () => {
  await using gates = createWorkspace('//- none\n\n');
  const gate = gates.file('searched');
  await using session = await fakeSession(PROJECTS, {
    env: { AGENT_LSP_PATIENCE_MS: '1000' },
    language: { id: 'typescript', extension: 'ts' },
    as: 'typescript-7',
    scenario: {
      extensions: ['.ts'],
      rules: [
        { on: 'workspace/symbol', file: 'Square', do: { gate } },
        { on: 'start', instances: [2], do: { crash: 0 } },
      ],
    },
  });
  const search = (query: string) => session.ask('find_symbol', { query, language_id: 'typescript' });
  // Before its first answer everybody waits for a server.
  expect(await search('Rounded')).toContain('rounded/rounded.ts:2:14');
  const early = await search('Square');
  expect(early.split('\n').slice(0, 3)).toEqual([
    'INCOMPLETE: fake-lsp is still searching for Square; only what the text seems to declare is listed; retry in 2 s',
    `1 symbol matching "Square"; fake-lsp ready; root ${session.workspace.root}`,
    '  symbol Square  square/square.ts:2:14',
  ]);
  writeFileSync(gate, '');
  const whole = await search('Square');
  expect(whole).not.toContain('INCOMPLETE');
  expect(whole).toContain('class Square  square/square.ts:2:14');
});
