/**
 * Diagnostics of the text that is on disk now, with the proof. A pull answer, or a publication that names our
 * version, is exact. A server that had its chance to publish is believed by inference. Everything else is a timeout,
 * never "clean".
 * Decision: docs/decisions/diagnostics.md#fresh-or-said-not-to-be
 * Decision: docs/decisions/diagnostics.md#the-same-text-again
 */
import type { Diagnostic } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { FailureError, failureOf } from '../../base/failure.ts';
import { type Clock, delay } from '../../base/lifetime.ts';
import type { DiagnosticReport, Freshness } from '../../link/server-link.ts';
import { orLeftOut } from '../protocol/left-out.ts';
import type { DiagnosedServer } from './diagnosed-server.ts';
import { engineDiagnostics } from './engine-diagnostics.ts';
import { Inquiry, type PublicationVerdict, type Ticket } from './published-diagnostics.ts';
import { canPull, pullDiagnostics } from './pulled-diagnostics.ts';

export interface FreshOptions {
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly clock: Clock;
  /** Without what a checker publishes that reads the disk: it says nothing of text that is tried out, however long one waits. */
  readonly ownOnly?: boolean;
}

const POLL_MS = 25;

/** Makes the server's text equal to the disk's first. */
export async function freshDiagnostics(
  instance: DiagnosedServer,
  file: AbsPath,
  options: FreshOptions,
): Promise<DiagnosticReport> {
  for (;;) {
    const { documents, diagnostics } = instance;
    await documents.syncAll([]);
    await documents.sync(file);
    // Some servers look at a file only when it changes itself, and what they say then names its version.
    if (!canPull(instance) && diagnostics.needsLook(file)) documents.sendAgain(file);
    const { version } = await documents.sync(file);
    const report = await new Search(instance, file, version, options).run({ mayAskEngine: true });
    // Another call has closed the file; it is opened again.
    if (report !== 'void') return instance.watchedFiles.certain ? report : lessCertain(report);
  }
}

/** In a workspace too large to look through, a change of another file may not have been heard of yet. */
function lessCertain(report: DiagnosticReport): DiagnosticReport {
  return report.freshness.kind === 'exact'
    ? { ...report, freshness: { kind: 'inferred', proof: 'watch' } }
    : report;
}

/** Diagnostics of a text that the server has already: the one that was sent with this version. */
export async function diagnosticsOfVersion(
  instance: DiagnosedServer,
  file: AbsPath,
  version: number,
  options: FreshOptions,
): Promise<DiagnosticReport> {
  const search = new Search(instance, file, version, options);
  const report = await search.run();
  return report === 'void' ? search.timeout() : report;
}

type Published =
  | Exclude<PublicationVerdict, { kind: 'wait' }>
  | { kind: 'timeout' | 'restarted' | 'pull-offered' };

class Search {
  readonly #instance: DiagnosedServer;
  readonly #ticket: Ticket;
  readonly #options: FreshOptions;
  readonly #began: number;

  constructor(instance: DiagnosedServer, file: AbsPath, version: number, options: FreshOptions) {
    this.#instance = instance;
    this.#ticket = { instance: instance.number, file, version, epoch: instance.diagnostics.epoch };
    this.#options = options;
    this.#began = options.clock.now();
  }

  /** The engine is asked only about texts that are on disk as well: it looks there for modules. */
  async run({ mayAskEngine = false } = {}): Promise<DiagnosticReport | 'void'> {
    try {
      return (mayAskEngine ? await this.#fromEngine() : undefined) ?? (await this.#run());
    } catch (error) {
      // A server that was asked and stays silent is as late as one that publishes nothing.
      if (failureOf(error)?.kind === 'timeout') return this.timeout();
      throw orLeftOut(this.#instance, error);
    }
  }

  async #run(): Promise<DiagnosticReport | 'void'> {
    if (canPull(this.#instance)) return this.#pull();
    const found = await this.#published(true);
    switch (found.kind) {
      case 'void':
        return 'void';
      case 'exact':
        return this.#report({ kind: 'exact', proof: 'version' }, found.diagnostics);
      case 'inferred':
        return this.#report({ kind: 'inferred', proof: found.proof }, found.diagnostics);
      case 'timeout':
        return this.timeout();
      case 'restarted':
        return this.#report({ kind: 'restarted' }, this.#lastKnown?.diagnostics ?? []);
      // Some servers register pulling some time after the handshake, and from then on publish nothing.
      case 'pull-offered':
        return this.#pull();
    }
  }

  timeout(): DiagnosticReport {
    const known = this.#lastKnown;
    const afterMs = Math.round(this.#options.clock.now() - this.#began);
    const age = known ? { lastKnownAgeMs: known.ageMs } : {};
    return this.#report({ kind: 'timeout', afterMs, ...age }, known?.diagnostics ?? []);
  }

  /** Undefined when only what the server publishes will do. */
  async #fromEngine(): Promise<DiagnosticReport | undefined> {
    const { publishing } = this.#instance;
    if (publishing.isWorking || canPull(this.#instance)) return undefined;
    const diagnostics = await engineDiagnostics(this.#instance, this.#ticket.file, this.#options);
    if (!diagnostics || publishing.isWorking) return undefined;
    return this.#report({ kind: 'exact', proof: 'pull' }, diagnostics);
  }

  async #pull(): Promise<DiagnosticReport | 'void'> {
    const { quirks, publishing, watchedFiles } = this.#instance;
    for (;;) {
      const wasWorking = publishing.isWorking;
      const diagnostics = await pullDiagnostics(this.#instance, this.#ticket.file, this.#options);
      if (watchedFiles.doubts.arise(this.#ticket.file, diagnostics)) continue;
      if (quirks.publishesToo && !this.#options.ownOnly) return this.#withPublished(diagnostics);
      // While the server loads, what it says may be half of it, also if it is done right afterwards.
      if (!wasWorking && !publishing.isWorking)
        return this.#report({ kind: 'exact', proof: 'pull' }, diagnostics);
      if (!(await endOfWork(this.#instance, this.#options))) return this.timeout();
    }
  }

  /** The published half says whether all is there; then the other half is asked for again, since it costs nothing. */
  async #withPublished(early: readonly Diagnostic[]): Promise<DiagnosticReport | 'void'> {
    const found = await this.#published(false);
    if (found.kind === 'void') return 'void';
    if (found.kind !== 'exact' && found.kind !== 'inferred') {
      const late = this.timeout();
      return {
        ...late,
        diagnostics: merged(early, this.#instance.diagnostics.get(this.#ticket.file)?.diagnostics ?? []),
      };
    }
    const pulled = await pullDiagnostics(this.#instance, this.#ticket.file, this.#options);
    // The version in what a build publishes is that of the moment, not of what was built.
    const proof = found.kind === 'exact' ? 'quiet' : found.proof;
    return this.#report({ kind: 'inferred', proof }, merged(pulled, found.diagnostics));
  }

  #published(orPull: boolean): Promise<Published> {
    const { signal, deadline, clock } = this.#options;
    const instance = this.#instance;
    return new Promise((resolve, reject) => {
      let again: Disposable | undefined;
      const look = () => {
        again?.[Symbol.dispose]();
        if (orPull && canPull(instance)) return end({ kind: 'pull-offered' });
        const verdict = inquiry.judge();
        if (verdict.kind !== 'wait') return end(verdict);
        again = clock.after(Math.max(1, verdict.ms), look);
      };
      const inquiry = new Inquiry(this.#ticket, instance.publishing, clock, () => over || look());
      let over = false;
      const end = (found: Published | Error) => {
        if (over) return;
        over = true;
        for (const listening of listeners) listening[Symbol.dispose]();
        again?.[Symbol.dispose]();
        inquiry.dispose();
        signal.removeEventListener('abort', onAbort);
        instance.ended.removeEventListener('abort', onDeath);
        if (found instanceof Error) reject(found);
        else resolve(found);
      };
      const onAbort = () => end(new FailureError({ kind: 'cancelled' }));
      const onDeath = () => end({ kind: 'restarted' });
      const listeners = [
        instance.diagnostics.onPublish(look),
        instance.onRegistrations(look),
        clock.after(Math.max(0, deadline - clock.now()), () => end({ kind: 'timeout' })),
      ];
      signal.addEventListener('abort', onAbort, { once: true });
      instance.ended.addEventListener('abort', onDeath, { once: true });
      look();
    });
  }

  #report(freshness: Freshness, diagnostics: readonly Diagnostic[]): DiagnosticReport {
    return { file: this.#ticket.file, version: this.#ticket.version, freshness, diagnostics };
  }

  get #lastKnown() {
    return this.#instance.diagnostics.lastKnown(this.#ticket.file);
  }
}

/** False when the server is still at work at the deadline. */
async function endOfWork({ publishing }: DiagnosedServer, options: FreshOptions): Promise<boolean> {
  const { clock, deadline } = options;
  while (publishing.isWorking) {
    if (clock.now() >= deadline) return false;
    await delay(POLL_MS, options);
  }
  return true;
}

function merged(some: readonly Diagnostic[], others: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Set(some.map(identity));
  return [...some, ...others.filter((diagnostic) => !known.has(identity(diagnostic)))];
}

function identity({ range, message, code }: Diagnostic): string {
  return JSON.stringify([range, message, code]);
}
