/**
 * What happens in a window of the lease: read the text on disk, put the text to try out over it, ask the server,
 * compare the disk again, and take the text away. However this ends, the server has the disk's text again before the
 * next call is let in.
 */
import { ResponseError } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { type Failure, FailureError, fail, failureOf } from '../../base/failure.ts';
import type { Clock } from '../../base/lifetime.ts';
import { textHash } from '../../base/text-file.ts';
import type { DiagnosticReport, Evaluation, EvaluationResult } from '../../link/server-link.ts';
import type { ServerPlan } from '../../link/server-plan.ts';
import type { DiagnosedServer } from '../diagnostics/diagnosed-server.ts';
import { diagnosticsOfVersion, freshDiagnostics } from '../diagnostics/fresh-diagnostics.ts';
import { askAgain } from '../protocol/ask-again.ts';
import { quirksOf } from '../protocol/server-quirks.ts';
import type { CallScope } from './call-scope.ts';
import { layOverlay, type Overlay, verifyBases } from './overlay-documents.ts';
import type { Turns } from './turns.ts';

/** Fails where others who use the server might see the text. */
export function refuseUnlessApart({ server, serverId }: ServerPlan): void {
  if (server.kind === 'spawn' || quirksOf(serverId).sessionsApart) return;
  const reason = 'somebody else runs this server, and whoever uses it as well might see the text';
  fail({ kind: 'speculation-refused', server: serverId, reason });
}

/** Tells texts apart that are tried out: if one kills the server, another one for the same file may still be asked about. */
export function subjectOf({ overlay }: Evaluation): string {
  const files = overlay.map(({ file }) => file).join(', ');
  return `${files} as ${textHash(JSON.stringify(overlay)).slice(0, 8)}`;
}

export interface EvaluateOptions {
  readonly scope: CallScope;
  readonly clock: Clock;
  /** The answers go through the server's own list of files. */
  readonly fileList: boolean;
}

export async function evaluate(
  instance: DiagnosedServer,
  evaluation: Evaluation,
  turns: Turns,
  { scope, clock, fileList }: EvaluateOptions,
): Promise<EvaluationResult> {
  // Neither before nor after, else its errors would seem to go away.
  const ownOnly = instance.quirks.checkerReadsDisk === 'always';
  const bounds = { signal: scope.signal, deadline: scope.deadline, clock, ownOnly };
  const catchUp = () => instance.watchedFiles.catchUp({ spansFiles: true, fileList });
  await turns.read(instance, scope, () => catchUp().then(() => prepareWindow(instance, evaluation, bounds)));
  return turns.tryOut(instance, scope, () =>
    catchUp().then(() => evaluateInWindow(instance, evaluation, bounds)),
  );
}

interface WindowBounds {
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly clock: Clock;
  readonly ownOnly: boolean;
}

const WINDOW_MS = 30_000;

/**
 * As a reader among others: what takes long is done when the window opens, and what cannot be tried out needs none.
 * What it finds may be old by then, so the window looks again.
 */
async function prepareWindow(
  instance: DiagnosedServer,
  evaluation: Evaluation,
  bounds: WindowBounds,
): Promise<void> {
  await verifyBases(evaluation.overlay);
  const { deadline, clock } = bounds;
  const halfTime = clock.now() + (deadline - clock.now()) / 2;
  await withoutOverlay(instance, evaluation, { ...bounds, deadline: halfTime });
}

/** Alone with the server. */
async function evaluateInWindow(
  instance: DiagnosedServer,
  evaluation: Evaluation,
  bounds: WindowBounds,
): Promise<EvaluationResult> {
  const { requests } = evaluation;
  const overlay = [...new Map(evaluation.overlay.map((each) => [each.file, each])).values()];
  const diagnosticsFor = [...new Set(evaluation.diagnosticsFor)];
  const { clock } = bounds;
  // Each part leaves time to the next, so that a server that stays silent in one still answers in the others.
  const ms = Math.min(WINDOW_MS, bounds.deadline - clock.now());
  const until = (part: number) => clock.now() + ms * part;
  const deadlines = { before: until(0.3), requests: until(0.6), after: until(0.9) };
  await verifyBases(overlay);
  const before = await withoutOverlay(instance, evaluation, { ...bounds, deadline: deadlines.before });
  const tried = await layOverlay(instance, overlay, diagnosticsFor);
  try {
    const answers: EvaluationResult['answers'][number][] = [];
    for (const [index, request] of requests.entries()) {
      const left = deadlines.requests - clock.now();
      // One that hangs must not take the time of those behind it.
      const share = index < requests.length - 1 ? left * 0.75 : left;
      answers.push(await answer(instance, request, { ...bounds, deadline: clock.now() + share }));
    }
    const after = await allEnded(
      diagnosticsFor.map((file) =>
        withOverlay(instance, tried, file, { ...bounds, deadline: deadlines.after }),
      ),
    );
    return { answers, before, after, coverage: coverageOf(instance, evaluation) };
  } finally {
    tried.revert();
  }
}

/** Files that do not exist yet have no diagnostics. */
function withoutOverlay(
  instance: DiagnosedServer,
  { overlay, diagnosticsFor }: Evaluation,
  bounds: WindowBounds,
): Promise<readonly DiagnosticReport[]> {
  const created = new Set(overlay.filter(({ base }) => base === null).map(({ file }) => file));
  const files = [...new Set(diagnosticsFor)].filter((file) => !created.has(file));
  return allEnded(files.map((file) => onDisk(instance, file, bounds)));
}

/** As long as nothing has changed, the answer to the last trial's question is the answer to this one's. */
async function onDisk(
  instance: DiagnosedServer,
  file: AbsPath,
  bounds: WindowBounds,
): Promise<DiagnosticReport> {
  const { documents, diagnostics, watchedFiles } = instance;
  await documents.syncAll([file]);
  const known = watchedFiles.seesAll ? diagnostics.unchanged.of(file) : undefined;
  if (known) return known;
  const { epoch } = diagnostics;
  const report = await freshDiagnostics(instance, file, bounds);
  if (diagnostics.epoch === epoch) diagnostics.unchanged.keep(report);
  return report;
}

async function answer(
  instance: DiagnosedServer,
  { method, params }: Evaluation['requests'][number],
  { signal, deadline, clock }: WindowBounds,
): Promise<EvaluationResult['answers'][number]> {
  const server = instance.facts.serverName;
  if (!instance.offered.supports(method)) return { failure: { kind: 'unsupported', server, method } };
  const began = clock.now();
  const limit = () => ({
    ms: Math.max(0, deadline - clock.now()),
    clock,
    failure: () => {
      const afterMs = Math.round(clock.now() - began);
      return new FailureError({ kind: 'timeout', what: method, afterMs, state: 'trying out text' });
    },
  });
  try {
    const result = await askAgain({ signal, clock }, () =>
      instance.connection.request(method, params, { signal, limit: limit() }),
    );
    return { result: result ?? null };
  } catch (error) {
    const known = describe(error, server, method);
    if (!known || signal.aborted || instance.ended.aborted) throw error;
    return { failure: known };
  }
}

function coverageOf(
  { quirks, plan: { server } }: DiagnosedServer,
  { overlay, diagnosticsFor }: Evaluation,
): EvaluationResult['coverage'] {
  const { checkerReadsDisk, keepsIncluded } = quirks;
  const takesIncluded =
    keepsIncluded === undefined || (server.kind === 'spawn' && server.args.includes(keepsIncluded.argument));
  if (!takesIncluded && overlay.length > 1) return 'apart';
  const isOther = (file: AbsPath) => overlay.every((each) => each.file !== file);
  const misses =
    (!takesIncluded && diagnosticsFor.some(isOther)) ||
    (checkerReadsDisk === 'new-files' && overlay.some(({ base }) => base === null));
  return misses || checkerReadsDisk === 'always' ? 'analysis' : 'full';
}

/** Like Promise.all, but nothing is still under way when it fails: the window is closed then. */
async function allEnded<T>(work: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

function describe(error: unknown, server: string, method: string): Failure | undefined {
  if (!(error instanceof ResponseError)) return failureOf(error);
  return { kind: 'server-error', server, method, code: error.code, message: error.message };
}

async function withOverlay(
  instance: DiagnosedServer,
  overlay: Overlay,
  file: AbsPath,
  bounds: WindowBounds,
): Promise<DiagnosticReport> {
  const version = overlay.versionOf(file);
  if (version === undefined) throw new Error(`not open: ${file}`);
  return diagnosticsOfVersion(instance, file, version, bounds);
}
