/**
 * `npm run soak:simulation [-- --sessions 500 --front-ends 4 --seed 1]`: speculative sessions from several front ends,
 * interleaved on the same files of one TypeScript and one Python project. Exit code 1 when a session saw a text that was
 * not its own, the disk changed, or a server ended with another text than the disk's.
 */
import { parseArgs } from 'node:util';
import { quantile } from '../test/support/quantile.ts';
import { type StormProject, storm } from '../test/support/simulation-storm.ts';
import { createWorkspace } from '../test/support/workspace.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '500' },
    'front-ends': { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
});

const FILES = `
//- tsconfig.json
{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","target":"es2022"},"include":["*.ts"]}
//- library.ts
export function price(): number {
  return 1;
}
export const old: string = 5;
//- main.ts
import { price } from './library';
export const total: number = price();
//- pyproject.toml
[tool.pyright]
//- library.py
def price() -> int:
    return 1

old: str = 5
//- main.py
from library import price

total: int = price()
`;

const PROJECTS: readonly StormProject[] = [
  {
    language: 'typescript',
    library: 'library.ts',
    main: 'main.ts',
    anchor: 'price(): number',
    breaking: 'price(): string',
    line: (number, isWrong) => (isWrong ? `missing${number};\n` : `export const fine${number} = 1;\n`),
    mark: /\bmissing(\d+)\b/,
  },
  {
    language: 'python',
    library: 'library.py',
    main: 'main.py',
    anchor: 'price() -> int',
    breaking: 'price() -> str',
    line: (number, isWrong) => (isWrong ? `missing_${number}\n` : `fine_${number} = 1\n`),
    mark: /\bmissing_(\d+)\b/,
  },
];

await using workspace = createWorkspace(FILES);
const result = await storm(workspace, PROJECTS, {
  sessions: Number(values.sessions),
  frontEnds: Number(values['front-ends']),
  seed: Number(values.seed),
});
const ms = (q: number) => Math.round(quantile(result.evaluationMs, q));
const { wrong, diskChanged, leftInServer } = result;
process.stdout.write(
  [
    `${result.sessions} sessions, ${result.evaluations} evaluations in ${Math.round(result.ms / 1000)} s; seed ${values.seed}`,
    `${wrong.length} wrong, ${result.unknown} not known; confidence ${JSON.stringify(result.confidences)}`,
    `${diskChanged.length} files changed on disk, ${leftInServer.length} with another text in the server`,
    `evaluate_session p50 ${ms(0.5)} ms, p95 ${ms(0.95)} ms`,
    ...[...wrong.slice(0, 20), ...diskChanged, ...leftInServer].map((each) => `  ${each}`),
    '',
  ].join('\n'),
);
if (wrong.length + diskChanged.length + leftInServer.length + result.unknown > 0) process.exitCode = 1;
