/**
 * Judges the answers of the built product on any repository of TypeScript, JavaScript, Python or Go, by oracles that
 * share no code with it: the TypeScript language service over one program of all files; for Python and Go their own
 * parsers and names that are declared only once.
 *
 *   npm run judge -- <repository> [--language typescript|python|go] [--symbols 40] [--seed 1] [--typescript own|7|auto]
 *                    [--tools references,callers,implementations,rename,symbols,definition] [--json] [--timeout-ms 120000]
 *
 * Exit code 1 when an answer lacks something and does not say so, 2 for wrong usage.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { untilSettled } from '../test/support/judge/attempts.ts';
import { judged } from '../test/support/judge/compare.ts';
import { type Options, readOptions, WrongUsage } from '../test/support/judge/options.ts';
import { hasStarted, running } from '../test/support/judge/processes.ts';
import { startProduct } from '../test/support/judge/product.ts';
import { hasSilent, type Judged, type Run, reportData, reportText } from '../test/support/judge/report.ts';
import type { Order, Question, Truth } from '../test/support/judge/truth.ts';
import { Place } from './bench/place.ts';
import { projectRoot } from './lib/report.ts';

/** What has to end first when the run is interrupted. */
const interrupted: (() => Promise<void>)[] = [];
const STARTING_MS = 2_000;
const LONG_MS = 2_000;

const say = (text: string) => process.stderr.write(`${text}\n`);

/** The oracle ends before the product starts: neither may take memory or processors from the other. */
async function askOracle(bench: Place, { root, language, symbols, seed, tools }: Options): Promise<Truth> {
  const [orderFile, truthFile] = ['order.json', 'truth.json'].map((name) => path.join(bench.directory, name));
  const order: Order = { root, language, symbols, seed, tools };
  writeFileSync(orderFile ?? '', JSON.stringify(order));
  const program = path.join(projectRoot, 'test/support/judge/oracle/main.ts');
  const args = ['--max-old-space-size=8192', '--import', 'tsx', program, orderFile ?? '', truthFile ?? ''];
  const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'inherit', 'inherit'] });
  interrupted.push(async () => void child.kill('SIGKILL'));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`the oracle ended with ${code}`);
  return JSON.parse(readFileSync(truthFile ?? '', 'utf8')) as Truth;
}

async function judge(bench: Place, options: Options): Promise<Run> {
  const { root, typescript, timeoutMs } = options;
  say(`asking the oracle about ${root}`);
  const truth = await askOracle(bench, options);
  say(`${truth.questions.length} questions about ${truth.symbols} symbols for the product`);
  const files = new Set(truth.files);
  const stateDir = bench.stateDir();
  const product = await startProduct(bench, { root, stateDir, typescript, timeoutMs });
  interrupted.push(product.kill);
  const done: Judged[] = [];
  try {
    const languages = new Set<string>();
    for (const question of truth.questions) {
      const language = languageOf(question);
      const began = performance.now();
      const { verdict, times } = await untilSettled(async () => {
        const asked = await product.ask(question);
        const { ms, retryMs } = asked;
        return {
          verdict: asked.kind === 'failed' ? asked : judged(question, asked.answer, files),
          ms,
          retryMs,
        };
      }, delay);
      // The first call may have waited for a server of another root or version.
      const isLong = times.some((ms) => ms > LONG_MS);
      const isFirst =
        !languages.has(language) || (isLong && (await hasStarted(bench, stateDir, product.pid, began)));
      done.push({ question, verdict, times, isFirst });
      languages.add(language);
      const took = times.map((ms) => `${Math.round(ms)} ms`).join(', ');
      say(
        `${done.length}/${truth.questions.length} ${question.tool} ${question.name}: ${verdict.kind}, ${took}`,
      );
    }
    return { root, truth, judged: done, running: await running(bench, stateDir, product.pid) };
  } finally {
    await product.close();
  }
}

function languageOf({ at }: Question): string {
  const extension = path.extname(at.file);
  return /^\.[cm]?tsx?$/.test(extension) ? 'typescript' : extension;
}

const bench = new Place();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void endAll().finally(() => process.exit(130)));

/** Brokers are detached, and a session that is still waiting for an answer would start them again. */
async function endAll(): Promise<void> {
  for (const end of interrupted) await end();
  // A broker that has just been started can be asked to stop once it has said where it is.
  await delay(STARTING_MS);
  await bench.remove();
}

try {
  const options = readOptions(process.argv.slice(2));
  const run = await judge(bench, options);
  process.stdout.write(
    options.json ? `${JSON.stringify(reportData(run), null, 2)}\n` : `${reportText(run)}\n`,
  );
  process.exitCode = hasSilent(run.judged) ? 1 : 0;
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error;
  say(error.message);
  process.exitCode = 2;
} finally {
  await bench.remove();
}
