/** Runs pyright's command line on a file or a directory, and says what its verdict does not cover. */
import path from 'node:path';
import picomatch from 'picomatch';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { absolutePath, isInside } from '../../../shared/base/paths.ts';
import { type RunEnd, runProcess } from '../../processes/run-process.ts';
import type { ToolContext } from '../../tools/context.ts';
import { sessionPart } from '../../tools/session-state.ts';
import { sourcesBelow } from '../../workspace/sources-below.ts';
import type { Availability, Checker, CheckRequest, TypeCheck } from './checker.ts';
import { type FoundPyright, findPyright, INSTALL_PYRIGHT } from './find-pyright.ts';
import { pyrightCommand } from './pyright-command.ts';
import { type PyrightReport, pyrightReport } from './pyright-report.ts';
import { type PythonProject, pythonProject } from './python-project.ts';

const settingsOf = sessionPart(({ config }) => config.checkTypes);

/** More output than this is no report that an agent could use. */
const MOST_CHARS = 64 * 1024 * 1024;
const MOST_ERROR_LINES = 100;
const VERSION_MS = 15_000;

export const pyrightChecker: Checker = {
  name: 'pyright',

  async check(context, request) {
    const { target, isDirectory } = request;
    const start = isDirectory ? target : absolutePath(path.dirname(target));
    const ground = { boundary: context.roots.around(target), environment: context.environment };
    const project = pythonProject(start, ground);
    const program = requirePyright(context, project.directory);
    const { args, settings } = pyrightCommand(project, request);
    context.report(`pyright on ${context.roots.display(target)}`);
    const ran = await run(context, { program, args, directory: project.directory });
    const report = reportOf(ran, settingsOf(context).timeoutMs);
    const left = await leftOut(context, request, report);
    return {
      checker: 'pyright',
      version: report.version,
      command: ['pyright', ...args].map(quoted).join(' '),
      directory: project.directory,
      settings,
      findings: report.findings,
      filesAnalyzed: report.filesAnalyzed,
      seconds: report.seconds,
      gaps: [...left, ...unread(ran), ...silenced(project, request)],
      notes: [...lenience(project, request), ...complaints(ran)],
    } satisfies TypeCheck;
  },

  async availability(context, directory): Promise<Availability> {
    const program = findPyright(directory, context.environment, settingsOf(context).command);
    if (!program) return { isAvailable: false, why: `pyright was not found; install: ${INSTALL_PYRIGHT}` };
    const limitMs = Math.min(VERSION_MS, context.remainingMs());
    const { end, output, errors } = await run(context, { program, args: ['--version'], directory, limitMs });
    const version = /\bpyright (\d\S*)/.exec(output)?.[1];
    if (version !== undefined) return { isAvailable: true, version, path: program.path };
    const printed = [...errors, output].join(' ').trim().slice(0, 200);
    return { isAvailable: false, why: `${program.path} --version ${endOf(end)}: ${printed}` };
  },
};

interface Run {
  readonly end: RunEnd;
  readonly output: string;
  readonly errors: readonly string[];
}

function requirePyright(context: ToolContext, directory: AbsPath): FoundPyright {
  const { command } = settingsOf(context);
  const program = findPyright(directory, context.environment, command);
  if (program) return program;
  return fail({
    kind: 'program-missing',
    program: command?.[0] ?? 'pyright',
    wantedFor: 'check_types',
    install: command ? `${INSTALL_PYRIGHT}, or correct check_types.command` : INSTALL_PYRIGHT,
  });
}

async function run(
  context: ToolContext,
  {
    program,
    args,
    directory,
    limitMs = settingsOf(context).timeoutMs,
  }: { program: FoundPyright; args: readonly string[]; directory: AbsPath; limitMs?: number },
): Promise<Run> {
  const { environment, signal, clock, log } = context;
  const command = [program.executable, ...program.args, ...args].map(quoted).join(' ');
  log.debug('checker started', { command, cwd: directory });
  const lines: string[] = [];
  const errors: string[] = [];
  let size = 0;
  const end = await runProcess(
    {
      executable: program.executable,
      args: [...program.args, ...args],
      cwd: directory,
      env: { ...environment.env, NO_COLOR: '1' },
    },
    {
      signal,
      clock,
      limitMs,
      onLine(line) {
        size += line.length + 1;
        if (size <= MOST_CHARS) lines.push(line);
      },
      onErrorLine(line) {
        if (line.trim() === '' || errors.length >= MOST_ERROR_LINES) return;
        errors.push(line.trim());
        log.debug('checker stderr', { line: line.trim() });
      },
    },
  );
  log.debug('checker ended', { ...end });
  return { end, output: lines.join('\n'), errors };
}

/** Exit codes of pyright: 0 and 1 for a check that was done, 2 a fatal error, 3 a bad configuration, 4 bad arguments. */
function reportOf({ end, output, errors }: Run, limitMs: number): PyrightReport {
  if (end.kind === 'timeout')
    return fail({
      kind: 'timeout',
      what: 'pyright',
      afterMs: limitMs,
      state: 'not asked; the checker was ended',
      next: 'Check a smaller path, or give it more time (check_types.timeout_seconds)',
    });
  const report = pyrightReport(output);
  if (report) return report;
  const printed = [...errors, output].join('\n');
  const isFailure = end.kind === 'killed' || end.code > 1;
  if (isFailure)
    return fail({ kind: 'program-failed', program: 'pyright', reason: endOf(end), output: printed });
  return fail({ kind: 'unreadable-output', program: 'pyright', output: printed });
}

function endOf(end: RunEnd): string {
  switch (end.kind) {
    case 'exited':
      return `it ended with code ${end.code}`;
    case 'killed':
      return `it was ended by ${end.signal}`;
    case 'timeout':
      return 'it did not end in time';
  }
}

/** What the configuration leaves out of a check is not known to be right. */
async function leftOut(
  { signal, roots }: ToolContext,
  { target, isDirectory }: CheckRequest,
  { filesAnalyzed }: PyrightReport,
): Promise<readonly string[]> {
  const shown = roots.display(target);
  const excluded = 'the configuration of pyright excludes';
  if (!isDirectory)
    return filesAnalyzed > 0
      ? []
      : [`${shown} was not checked: ${excluded} it, or pyright takes no such file`];
  const { files } = await sourcesBelow(target, (file) => /\.pyi?$/.test(file), signal);
  const missing = files.length - filesAnalyzed;
  if (filesAnalyzed === 0 && files.length === 0) return [`there is no Python file in ${shown}`];
  return missing <= 0
    ? []
    : [`${missing} of ${files.length} Python files in ${shown} were not checked: ${excluded} them`];
}

function unread({ end, errors }: Run): readonly string[] {
  if (end.kind !== 'exited' || end.code <= 1) return [];
  const why = errors.length === 0 ? endOf(end) : errors.join(' ');
  return [`pyright could not use the project's configuration and checked without it: ${why}`];
}

function silenced({ directory, configured }: PythonProject, { target, isDirectory }: CheckRequest) {
  const isIgnored = (entry: string) => {
    const place = path.resolve(directory, entry);
    return isInside(target, place) || picomatch.isMatch(target, [place, `${place}/**`], { dot: true });
  };
  if (!isDirectory && configured.ignore.some(isIgnored))
    return ['what pyright finds in this file is suppressed by "ignore" of its configuration'];
  return [];
}

function lenience({ configured }: PythonProject, { isDirectory }: CheckRequest): readonly string[] {
  const { ignore, typeCheckingMode } = configured;
  const isSilencing = isDirectory && ignore.length > 0;
  return [
    ...(isSilencing ? [`the configuration suppresses findings in ${ignore.join(', ')}`] : []),
    ...(typeCheckingMode === 'off' ? ['the configuration switches most rules off (typeCheckingMode)'] : []),
  ];
}

function complaints({ end, errors }: Run): readonly string[] {
  return end.kind === 'exited' && end.code <= 1 ? errors.slice(0, 5).map((line) => `pyright: ${line}`) : [];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
