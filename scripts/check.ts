/**
 * Everything that must hold before the tests are worth running: format, lint, types, architecture, exports, features, decisions,
 * tools, skills, generated documentation and the size of answers. All checks run, also after one has failed, and each prints what it found.
 */
import { spawn } from 'node:child_process';
import { isAbsolute, join, relative } from 'node:path';
import { checkAnswers } from './check-answers.ts';
import { checkArchitecture } from './check-architecture.ts';
import { checkDecisions } from './check-decisions.ts';
import { checkDocs } from './check-docs.ts';
import { checkExports } from './check-exports.ts';
import { checkFeatures } from './check-features.ts';
import { checkRegistry } from './check-registry.ts';
import { checkSkills } from './check-skills.ts';
import {
  type Check,
  type CheckResult,
  formatResult,
  isMain,
  type Problem,
  plural,
  projectRoot,
  timed,
} from './lib/report.ts';

const checks: readonly (readonly [name: string, check: Check])[] = [
  ['biome', checkBiome],
  ['types', checkTypes],
  ['architecture', checkArchitecture],
  ['exports', checkExports],
  ['features', checkFeatures],
  ['decisions', checkDecisions],
  ['registry', checkRegistry],
  ['skills', checkSkills],
  ['docs', checkDocs],
  ['answers', checkAnswers],
];

/** Returns the number of failed checks. */
async function runChecks(root: string, write: (text: string) => void): Promise<number> {
  const start = performance.now();
  const running = checks.map(([name, check]) => timed(name, check, root));
  let failed = 0;
  for (const next of running) {
    const result = await next;
    write(formatResult(result));
    if (result.problems.length > 0) failed += 1;
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  write(
    failed === 0
      ? `all checks passed in ${seconds} s\n`
      : `${plural(failed, 'check')} failed (${seconds} s)\n`,
  );
  return failed;
}

async function checkBiome(root: string): Promise<CheckResult> {
  const { output, code } = await run(root, '@biomejs/biome/bin/biome', [
    'check',
    '--reporter=github',
    '--max-diagnostics=none',
    '--colors=off',
  ]);
  const found = [
    ...output.matchAll(/^::(error|warning) title=([^,]*),file=([^,]*),line=(\d+)[^:]*::(.*)$/gm),
  ];
  const say = ([, , rule, file, line, message]: readonly string[]): Problem => ({
    file: isAbsolute(file ?? '') ? relative(root, file ?? '') : (file ?? ''),
    line: Number(line),
    message: rule === 'format' ? 'is not formatted: run `npm run format`' : `${message} (${rule})`,
  });
  const problems = found.filter(([, level]) => level === 'error').map(say);
  const warnings = found.filter(([, level]) => level === 'warning').map(say);
  return { problems: orOutput('biome', code, problems, output), warnings };
}

async function checkTypes(root: string): Promise<CheckResult> {
  // Named by its package: `.bin/tsc` may be that of the older TypeScript which is there for tests.
  const { output, code } = await run(root, 'typescript/bin/tsc', ['-p', '.', '--pretty', 'false']);
  const found = [...output.matchAll(/^(.+?)\((\d+),\d+\): error (.*)$/gm)];
  const problems = found.map(([, file, line, message]) => ({
    file: file ?? '',
    line: Number(line),
    message: message ?? '',
  }));
  return { problems: orOutput('tsc', code, problems, output) };
}

/** A tool that fails without a finding we understand is shown in its own words. */
function orOutput(tool: string, code: number | null, problems: Problem[], output: string): Problem[] {
  if (problems.length > 0 || code === 0) return problems;
  return [{ file: tool, message: `ended with ${code}: ${output.trim()}` }];
}

function run(
  root: string,
  tool: string,
  args: readonly string[],
): Promise<{ output: string; code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(projectRoot, 'node_modules', tool), ...args], {
      cwd: root,
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ output, code }));
  });
}

if (isMain(import.meta.url)) {
  const failed = await runChecks(projectRoot, (text) => process.stdout.write(text));
  process.exitCode = failed === 0 ? 0 : 1;
}
