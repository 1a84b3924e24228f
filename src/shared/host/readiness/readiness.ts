/**
 * Whether a server's answers can be complete yet. It gets the handshake, progress, log lines and status notifications
 * of one server process. The server's own signal decides; a timer never says "ready".
 */
import type {
  ProgressToken,
  PublishDiagnosticsParams,
  WorkDoneProgressBegin,
  WorkDoneProgressEnd,
  WorkDoneProgressReport,
} from 'vscode-languageserver-protocol';
import type { Clock } from '../../base/lifetime.ts';
import type { ServerState } from '../../link/server-link.ts';
import type { Quirks } from '../protocol/quirks.ts';
import { LoadTroubles, type ServerStatus } from './load-troubles.ts';

type ProgressValue = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

interface Work {
  readonly title: string;
  percent: number | undefined;
  readonly expiry: Disposable;
}

/** A progress that never ends is a fault of the server, and so is a ready signal that never comes. */
const PROGRESS_LIMIT_MS = 10 * 60_000;
const SIGNAL_LIMIT_MS = 2 * 60_000;
const UNBEGUN_LIMIT_MS = 5000;

export class Readiness {
  readonly #quirks: Quirks;
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #startedAt: number;
  readonly #work = new Map<ProgressToken, Work>();
  readonly #expired = new Set<ProgressToken>();
  /** Folders whose files the server has not listed yet, in the order in which it will. */
  readonly #unlisted: Disposable[] = [];
  /** What it could not load: it is degraded as long as one of these lasts, however ready it is. */
  readonly #unloaded: LoadTroubles;
  #shookHands = false;
  #proof: string | undefined;
  #hasAnswered = false;
  /** It was ready with an answer behind it: nobody waits any more as for a server that starts. */
  #isWarm = false;
  #trouble: string | undefined;
  #signalLimit: Disposable | undefined;

  constructor(quirks: Quirks, clock: Clock, changed: () => void) {
    this.#quirks = quirks;
    this.#unloaded = new LoadTroubles(quirks.unloaded);
    this.#clock = clock;
    this.#changed = () => {
      this.#look();
      changed();
    };
    this.#startedAt = clock.now();
  }

  get state(): ServerState {
    const sinceMs = Math.round(this.#clock.now() - this.#startedAt);
    if (!this.#shookHands) return { kind: 'starting', sinceMs };
    const again = this.#isWarm ? ({ again: true } as const) : {};
    const work = this.#work.values().next().value;
    if (work) {
      return {
        kind: 'indexing',
        sinceMs,
        what: work.title,
        ...(work.percent === undefined ? {} : { percent: work.percent }),
        ...again,
      };
    }
    if (this.#trouble) return { kind: 'degraded', reason: this.#trouble };
    const { reason } = this.#unloaded;
    if (this.#proof && reason !== undefined) return { kind: 'degraded', reason };
    if (this.#proof) return { kind: 'ready', proof: this.#proof };
    return { kind: 'indexing', sinceMs, what: 'loading the workspace', ...again };
  }

  handshakeDone(): void {
    this.#shookHands = true;
    if (this.#quirks.ready.by === 'handshake') this.#proof = 'handshake';
    else if (!this.#proof)
      this.#signalLimit = this.#clock.after(SIGNAL_LIMIT_MS, () => this.#giveUpOnSignal());
    this.#changed();
  }

  /** The server was seen to know what it must know, or has answered its first question. */
  proven(proof: string): void {
    if (!this.#proof) this.#signal(proof);
  }

  /** A question that spans files has its answer. */
  answered(): void {
    this.#hasAnswered = true;
    this.#look();
  }

  /** The first file is open and was answered for; `trouble` says why there will be no index. */
  firstFile(trouble: string | undefined): void {
    this.#trouble = trouble;
    this.#signal('first file');
  }

  /** Announced work counts from here on, because the server may go on answering before it begins to report. */
  progressCreated(token: ProgressToken): void {
    if (!this.#quirks.progressIsIndexing || this.#work.has(token)) return;
    const expiry = this.#clock.after(UNBEGUN_LIMIT_MS, () => {
      this.#end(token);
      this.#changed();
    });
    this.#work.set(token, { title: 'work announced', percent: undefined, expiry });
    this.#changed();
  }

  progress(token: ProgressToken, value: ProgressValue): void {
    if (this.#unloaded.progress(token, value)) {
      this.#end(token);
      this.#changed();
      return;
    }
    if (!this.#quirks.progressIsIndexing) return;
    switch (value.kind) {
      case 'begin':
        this.#begin(token, value);
        break;
      case 'report': {
        const work = this.#work.get(token);
        if (!work || value.percentage === undefined || value.percentage === work.percent) return;
        work.percent = value.percentage;
        break;
      }
      case 'end':
        // It has taken its time, but it has ended after all.
        if (this.#expired.delete(token)) this.#trouble = undefined;
        this.#end(token);
        break;
    }
    this.#changed();
  }

  logLine(message: string): void {
    this.#hear(() => this.#unloaded.line(message));
    const { ready } = this.#quirks;
    if (ready.by !== 'log' || !ready.pattern.test(message)) return;
    if (this.#proof) this.#unlisted.shift()?.[Symbol.dispose]();
    else this.#signal(message.trim());
  }

  published(params: PublishDiagnosticsParams): void {
    this.#hear(() => this.#unloaded.published(params));
  }

  /** rust-analyzer: `{quiescent}`; jdtls: `{type: "ServiceReady"}`, or `Error` and nothing more. */
  statusNotification(status: ServerStatus): void {
    this.#hear(() => this.#unloaded.status(status));
    if (status.quiescent === false) {
      this.#proof = undefined;
      this.#changed();
    } else if (status.quiescent || status.type === 'ServiceReady' || status.type === 'Error') {
      this.#signal('server status');
    }
  }

  /** A server that says when it has listed the files of a folder is not ready again before that. */
  foldersAdded(folders: readonly string[]): void {
    if (this.#quirks.ready.by !== 'log') return;
    for (const folder of folders) this.#unlisted.push(this.loading(folder));
  }

  /** Not ready until the work is over that is only known here. */
  loading(folder: string): Disposable {
    const token = `agent-lsp/folder ${folder}`;
    this.#begin(token, { kind: 'begin', title: `loading ${folder}` });
    this.#changed();
    return {
      [Symbol.dispose]: () => {
        this.#end(token);
        this.#changed();
      },
    };
  }

  dispose(): void {
    this.#signalLimit?.[Symbol.dispose]();
    for (const work of this.#work.values()) work.expiry[Symbol.dispose]();
    this.#work.clear();
  }

  #look(): void {
    if (this.#hasAnswered && this.#proof && this.#work.size === 0) this.#isWarm = true;
  }

  #hear(said: () => void): void {
    const before = this.#unloaded.reason;
    said();
    if (this.#unloaded.reason !== before) this.#changed();
  }

  #begin(token: ProgressToken, value: WorkDoneProgressBegin): void {
    this.#work.get(token)?.expiry[Symbol.dispose]();
    const expiry = this.#clock.after(PROGRESS_LIMIT_MS, () => {
      this.#trouble = `"${value.title}" has not ended for ${PROGRESS_LIMIT_MS / 60_000} minutes`;
      this.#expired.add(token);
      this.#end(token);
      this.#changed();
    });
    this.#work.set(token, { title: value.title, percent: value.percentage, expiry });
  }

  #end(token: ProgressToken): void {
    const work = this.#work.get(token);
    if (!work) return;
    work.expiry[Symbol.dispose]();
    this.#work.delete(token);
    if (this.#quirks.ready.by === 'progress' && this.#work.size === 0) this.#signal(`"${work.title}" ended`);
  }

  #signal(proof: string): void {
    this.#signalLimit?.[Symbol.dispose]();
    this.#proof = proof;
    this.#changed();
  }

  #giveUpOnSignal(): void {
    if (this.#proof) return;
    this.#trouble = `the server has not said that it is ready for ${SIGNAL_LIMIT_MS / 60_000} minutes`;
    this.#changed();
  }
}
