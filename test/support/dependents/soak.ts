/**
 * Changes one package and asks at once about others that depend on it, again and again. The compiler says of each answer
 * whether it is true of what is on disk; nothing is written between the question and the verdict.
 */
import { type FrontEnd, startFrontEnd, type ToolAnswer } from '../mcp-client.ts';
import { seeded } from '../truth/model.ts';
import { createWorkspace, type Workspace } from '../workspace.ts';
import { Editor, type Made, type Way } from './editor.ts';
import { type Errors, Judge } from './judge.ts';
import { dependentsOf, makePackages } from './packages.ts';

export interface DependentsOptions {
  readonly cycles: number;
  readonly seed: number;
  readonly typescript: 'auto' | 'own' | '7';
  /** A package that is the root of the session that asks, so that what changes lies outside; the whole workspace if not said. */
  readonly rootOf?: string | undefined;
  /** The directory of the TypeScript that the workspace has installed, if not that of the tests. */
  readonly installed?: string | undefined;
}

export interface Wrong {
  readonly kind: 'stale' | 'falsely clean';
  readonly cycle: number;
  readonly made: Made;
  readonly file: string;
  readonly reported: Errors;
  readonly compiler: Errors;
  readonly proof: string;
}

export interface DependentsResult {
  readonly cycles: number;
  readonly ways: Readonly<Record<Way, number>>;
  /** Answers that called themselves fresh. */
  readonly judged: number;
  readonly right: number;
  /** Of the judged ones: about files with errors. */
  readonly withErrors: number;
  /** Judged answers that differ from those about the same file before. */
  readonly changed: number;
  readonly wrong: readonly Wrong[];
  /** Answers that said themselves that they may be old or not all, with what they said. */
  readonly unknown: readonly string[];
  /** Renames after which files still had the old name, and those that were only applied when asked for again, with errors. */
  readonly leftOut: readonly string[];
  readonly shownFirst: readonly string[];
  /** How many of the judged answers rest on a server's silence. */
  readonly inferred: number;
  /** How many answers came from which server. */
  readonly servers: Readonly<Record<string, number>>;
  readonly callMs: readonly number[];
}

interface FileAnswer {
  readonly file: string;
  /** Undefined where the answer does not claim to know. */
  readonly errors: Errors | undefined;
  readonly server: string;
  readonly proof: string;
}

export async function soakDependents(options: DependentsOptions): Promise<DependentsResult> {
  const { cycles, rootOf } = options;
  await using workspace = createWorkspace();
  makePackages(workspace, options.installed);
  const random = seeded(options.seed);
  const args = ['--output', 'json', '--daemon', 'never', '--typescript', options.typescript];
  await using editing = await startFrontEnd({ workspace, args });
  const inside = rootOf === undefined ? [] : ['-r', workspace.file(`packages/${rootOf}`)];
  await using other =
    rootOf === undefined ? undefined : await startFrontEnd({ workspace, args: [...args, ...inside] });
  const asking = other ?? editing;
  const editor = new Editor(workspace, editing, random, rootOf);
  const judge = new Judge(workspace.root);
  const ways: Record<Way, number> = { rename_symbol: 0, apply_edit: 0, sed: 0 };
  const servers: Record<string, number> = {};
  const last = new Map<string, string>();
  const wrong: Wrong[] = [];
  const [unknown, leftOut, shownFirst]: [string[], string[], string[]] = [[], [], []];
  const callMs: number[] = [];
  let [judged, inferred, withErrors, changed] = [0, 0, 0, 0];
  for (let cycle = 0; cycle < cycles; cycle++) {
    const made = await editor.change();
    ways[made.way]++;
    const files = dependentsOf(made.file, rootOf, random);
    const began = performance.now();
    const answers = await diagnose(asking, workspace, files, random() < 0.5);
    callMs.push(performance.now() - began);
    const truth = judge.errorsOf(files);
    for (const { file, errors, server, proof } of answers) {
      servers[server] = (servers[server] ?? 0) + 1;
      const compiler = truth.get(file) ?? [];
      if (errors === undefined) {
        unknown.push(`cycle ${cycle}, ${file}: ${proof}`);
        continue;
      }
      judged++;
      if (proof.includes('inferred')) inferred++;
      if (compiler.length > 0) withErrors++;
      if (last.has(file) && last.get(file) !== `${errors}`) changed++;
      last.set(file, `${errors}`);
      if (`${errors}` === `${compiler}`) continue;
      const kind = errors.length === 0 ? 'falsely clean' : 'stale';
      wrong.push({ kind, cycle, made, file, reported: errors, compiler, proof });
    }
    const left = editor.leftOut(made);
    const renamed = `cycle ${cycle}, ${made.what}: ${left.length} files left out, such as ${left[0]}`;
    if (made.isShownFirst) shownFirst.push(renamed);
    else if (left.length > 0) leftOut.push(renamed);
  }
  await other?.close();
  await editing.close();
  const right = judged - wrong.length;
  const renames = { leftOut, shownFirst };
  return {
    cycles,
    ways,
    judged,
    right,
    inferred,
    withErrors,
    changed,
    wrong,
    unknown,
    ...renames,
    servers,
    callMs,
  };
}

interface Answered {
  readonly complete?: boolean;
  readonly files: readonly {
    readonly file: string;
    readonly status: string;
    readonly server?: string;
    readonly basis?: string;
    readonly proof?: string;
  }[];
  readonly data: Readonly<
    Record<string, readonly { readonly line: number; readonly code?: string }[] | null>
  >;
}

/** All in one call, or one after the other. */
async function diagnose(
  session: FrontEnd,
  workspace: Workspace,
  files: readonly string[],
  together: boolean,
): Promise<readonly FileAnswer[]> {
  const paths = files.map((file) => workspace.file(file));
  const questions = together ? [{ files: paths }] : paths.map((file_path) => ({ file_path }));
  const answers: ToolAnswer[] = [];
  for (const question of questions) {
    const args = { ...question, severity: 'error', limit: 200 };
    answers.push(await session.call('get_diagnostics', args, { timeoutMs: 120_000 }));
  }
  return files.map((file, index) => {
    const { raw, text, isError } = answers[together ? 0 : index] ?? {};
    // Not to know is no lie.
    if (isError || !raw) return { file, errors: undefined, server: 'none', proof: text ?? '' };
    const { complete, files: states, data } = raw.structuredContent as Answered;
    const state = states.find((each) => each.file === workspace.file(file));
    const proof = `${state?.status}: ${state?.basis} by ${state?.proof}`;
    const server = state?.server ?? 'none';
    const isKnown = state?.status === 'fresh' && state.proof !== 'watch' && complete !== false;
    const findings = data[workspace.file(file)];
    if (!isKnown || !findings) return { file, errors: undefined, server, proof };
    const errors = findings.map(({ line, code }) => `${line} ${code}`);
    return { file, errors: [...new Set(errors)].sort(), server, proof };
  });
}
