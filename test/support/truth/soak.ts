/**
 * Edits at random and asks for diagnostics at once, again and again; afterwards the compiler says for each answer
 * whether it was true of the text that was on disk when it was asked for.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type FrontEnd, startFrontEnd } from '../mcp-client.ts';
import { createWorkspace, type Workspace } from '../workspace.ts';
import type { Dialect, Errors, Snapshot } from './dialect.ts';
import { Program, pick, type Random, seeded } from './model.ts';

export interface SoakOptions {
  readonly cycles: number;
  /** No further cycle is begun after this many milliseconds. */
  readonly forMs?: number;
  readonly seed: number;
  readonly modules?: number;
}

export interface SoakResult {
  readonly server: string;
  readonly cycles: number;
  /** Answers that said themselves that they may be old, or that there is none. */
  readonly admitted: number;
  /** Answers that the compiler could not judge. */
  readonly undecided: number;
  readonly right: number;
  /** Of the judged answers, those about programs with errors, and those after edits behind the product's back. */
  readonly withErrors: number;
  readonly behind: number;
  readonly wrong: readonly Wrong[];
  readonly callMs: readonly number[];
}

export interface Wrong {
  readonly kind: 'stale' | 'falsely clean';
  readonly cycle: number;
  readonly file: string;
  readonly reported: Errors;
  readonly compiler: Errors;
  readonly edit: string;
  /** How the answer says that it is known to be fresh. */
  readonly proof: string;
}

interface Question {
  readonly cycle: number;
  readonly file: string;
  readonly snapshot: Snapshot;
  readonly reported: Errors;
  readonly edit: string;
  readonly proof: string;
}

const BATCH = 40;

export async function soak(dialect: Dialect, options: SoakOptions): Promise<SoakResult> {
  await using workspace = createWorkspace();
  dialect.prepare(workspace);
  const random = seeded(options.seed);
  const program = new Program(options.modules ?? 12, random);
  const files = new Map<string, string>();
  for (const { name } of program.modules) writeModule(workspace, dialect, program, name, files);
  const args = ['--output', 'json', ...dialect.args];
  const sessions = await Promise.all([1, 2].map(() => startFrontEnd({ workspace, args })));
  const questions: Question[] = [];
  const callMs: number[] = [];
  let admitted = 0;
  let cycle = 0;
  const began = performance.now();
  for (; cycle < options.cycles && performance.now() - began < (options.forMs ?? Infinity); cycle++) {
    const session = pick(sessions, random);
    const changed = program.change();
    // Half of the changes are made to files that the product knows to be open, half behind its back.
    if (cycle % 2 === 0) await openAll(session, dialect, changed, files);
    for (const name of changed) writeModule(workspace, dialect, program, name, files);
    const file = dialect.fileOf(target(program, changed, random));
    const asked = performance.now();
    const report = await diagnose(session, dialect, workspace, file);
    callMs.push(performance.now() - asked);
    if (!report.fresh) admitted++;
    else
      questions.push({
        cycle,
        file,
        snapshot: { files: new Map(files), target: file },
        reported: report.errors,
        proof: report.proof,
        edit: `${changed.join(', ')}, ${cycle % 2 === 0 ? 'open' : 'behind the back'}`,
      });
  }
  for (const session of sessions) await session.close();
  const judged = await judge(dialect, questions);
  const wrong = judged.flatMap((each) => (typeof each === 'object' ? [each] : []));
  return {
    server: dialect.server,
    cycles: cycle,
    admitted,
    undecided: judged.filter((each) => each === 'undecided').length,
    right: judged.filter((each) => each === 'right').length,
    withErrors: questions.filter(({ reported }) => reported.length > 0).length,
    behind: questions.filter(({ cycle: each }) => each % 2 === 1).length,
    wrong,
    callMs,
  };
}

function writeModule(
  workspace: Workspace,
  dialect: Dialect,
  program: Program,
  name: string,
  files: Map<string, string>,
): void {
  const module = program.modules.find((each) => each.name === name);
  const file = dialect.fileOf(name);
  if (!module) {
    workspace.remove(file);
    files.delete(file);
    return;
  }
  const text = dialect.write(module);
  workspace.write(file, text);
  files.set(file, text);
}

/** A file that was changed, or one that depends on it and was not. */
function target(program: Program, changed: readonly string[], random: Random): string {
  const present = program.modules.filter(({ name }) => changed.includes(name));
  const dependents = program.dependentsOf(changed);
  const wanted = random() < 0.4 || dependents.length === 0 ? present : dependents;
  return pick(wanted.length > 0 ? wanted : program.modules, random).name;
}

async function openAll(
  session: FrontEnd,
  dialect: Dialect,
  modules: readonly string[],
  files: ReadonlyMap<string, string>,
): Promise<void> {
  for (const module of modules) {
    const file_path = dialect.fileOf(module);
    if (files.has(file_path)) await session.call('open_document', { file_path });
  }
}

async function diagnose(
  session: FrontEnd,
  dialect: Dialect,
  workspace: Workspace,
  file: string,
): Promise<{ fresh: boolean; errors: Errors; proof: string }> {
  const args = { file_path: file, severity: 'error', limit: 200 };
  const { raw, text, isError } = await session.call('get_diagnostics', args, { timeoutMs: 60_000 });
  // Not to know is no lie.
  if (isError) return { fresh: false, errors: [text], proof: '' };
  const { data, fresh, files } = raw.structuredContent as {
    fresh: boolean;
    files: readonly { basis?: string; proof?: string }[];
    data: Readonly<Record<string, readonly { line: number; code?: string }[]>>;
  };
  const findings = data[workspace.file(file)] ?? [];
  const proof = files.map((each) => `${each.basis} by ${each.proof}`).join(', ');
  return { fresh, errors: findings.map((finding) => dialect.errorOf(finding)).sort(), proof };
}

async function judge(
  dialect: Dialect,
  questions: readonly Question[],
): Promise<readonly ('right' | 'undecided' | Wrong)[]> {
  const verdicts: ('right' | 'undecided' | Wrong)[] = [];
  for (let from = 0; from < questions.length; from += BATCH) {
    const batch = questions.slice(from, from + BATCH);
    await using place = createWorkspace();
    const directory = mkdtempSync(path.join(place.scratch, 'truth-'));
    const truths = await dialect.compile(
      batch.map(({ snapshot }) => snapshot),
      directory,
    );
    rmSync(directory, { recursive: true, force: true });
    for (const [index, question] of batch.entries()) verdicts.push(verdict(question, truths[index]));
  }
  return verdicts;
}

function verdict(question: Question, compiler: Errors | undefined): 'right' | 'undecided' | Wrong {
  if (compiler === undefined) return 'undecided';
  const { reported, cycle, file, edit, proof } = question;
  const isTrue = reported.every((error) => compiler.includes(error));
  if (isTrue && compiler.every((error) => reported.includes(error))) return 'right';
  const kind = reported.length === 0 ? 'falsely clean' : 'stale';
  return { kind, cycle, file, reported, compiler, edit, proof };
}
