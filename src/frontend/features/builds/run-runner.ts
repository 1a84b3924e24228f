/** One run of a program that was chosen: its output goes to the reader, to the tail that is shown, and into progress. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { absolutePath, realPath } from '../../../shared/base/paths.ts';
import { OutputTail } from '../../processes/lines.ts';
import { type RunEnd, runProcess } from '../../processes/run-process.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { FoundProgram } from './find-program.ts';
import type { OutputReading, Runner } from './runner.ts';

export interface RunnerCall {
  readonly runner: Runner;
  readonly program: FoundProgram;
  readonly args: readonly string[];
  readonly cwd: AbsPath;
  readonly boundary: AbsPath;
  readonly limitMs: number;
}

export interface RunnerOutcome {
  readonly end: RunEnd;
  readonly reading: OutputReading;
  readonly seconds: number;
  /** The last part of the output, saying how much came before. */
  readonly raw: string;
  readonly lastLines: readonly string[];
  /** What is unusual about where it ran. */
  readonly placeNote: string | undefined;
}

const RAW_CHARS = 8_000;
const LAST_LINES = 25;
const REPORT_GAP_MS = 1_000;

export async function runRunner(
  context: ToolContext,
  { runner, program, args, cwd, boundary, limitMs }: RunnerCall,
): Promise<RunnerOutcome> {
  const { clock, signal } = context;
  const scratch = scratchFor(runner);
  try {
    const report = scratch && runner.reportArgs && path.join(scratch, 'report');
    const reader = runner.reader({ cwd, report, startedAt: Date.now() });
    const tail = new OutputTail(RAW_CHARS);
    const startedAt = clock.now();
    let reportedAt = Number.NEGATIVE_INFINITY;
    context.report(`${runner.name} in ${context.roots.display(cwd)}`);
    const place = scratch && (await runner.workIn?.({ cwd, boundary, scratch, signal }));
    const end = await runProcess(
      {
        executable: program.executable,
        args: [...program.args, ...args, ...(report && runner.reportArgs ? runner.reportArgs(report) : [])],
        cwd: place?.cwd ?? cwd,
        env: environmentOf(context, runner, cwd),
      },
      {
        signal,
        clock,
        limitMs: Math.max(1, limitMs - (clock.now() - startedAt)),
        onLine(line) {
          const shown = reader.line(place?.shown(line) ?? line);
          if (shown.trim() === '') return;
          tail.add(shown);
          if (clock.now() - reportedAt < REPORT_GAP_MS) return;
          reportedAt = clock.now();
          context.report(shown.trim().split('\n')[0]?.slice(0, 200) ?? '');
        },
      },
    );
    const seconds = (clock.now() - startedAt) / 1000;
    const reading = await reader.done();
    const placeNote = place?.note;
    return { end, reading, seconds, raw: tail.text, lastLines: tail.last(LAST_LINES), placeNote };
  } finally {
    if (scratch) rmSync(scratch, { recursive: true, force: true });
  }
}

function scratchFor({ reportArgs, workIn }: Runner): AbsPath | undefined {
  if (!reportArgs && !workIn) return undefined;
  // Compilers print real paths, and the directory for temporary files is a link on some systems.
  return realPath(absolutePath(mkdtempSync(path.join(os.tmpdir(), 'agent-lsp-run-'))));
}

/** As on a build server: no colours, no questions, no snapshots written. */
function environmentOf({ environment }: ToolContext, runner: Runner, cwd: AbsPath) {
  const own: Record<string, string> = { ...runner.env?.(cwd) };
  const given = environment.env.NODE_OPTIONS;
  if (own.NODE_OPTIONS && given) own.NODE_OPTIONS = `${given} ${own.NODE_OPTIONS}`;
  return { ...environment.env, CI: '1', NO_COLOR: '1', CARGO_TERM_COLOR: 'never', PY_COLORS: '0', ...own };
}
