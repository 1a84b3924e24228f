/**
 * A host without a language server: it answers a few methods of its own, so that tests of the broker can hold calls,
 * count cancellations and make large results without waiting for anything real.
 */
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { FailureError } from '../../src/shared/base/failure.ts';
import { Listeners } from '../../src/shared/base/lifetime.ts';
import type { HostCallOptions } from '../../src/shared/host/calls/call-scope.ts';
import type { HostUser } from '../../src/shared/host/documents/pin-book.ts';
import type { Host } from '../../src/shared/host/host.ts';
import type { ReachQuestion } from '../../src/shared/link/reach-question.ts';
import { EVERYTHING, type Reach } from '../../src/shared/link/reach-question.ts';
import type {
  CallOptions,
  CommandOutcome,
  DiagnosticReport,
  Evaluation,
  EvaluationResult,
  FileChange,
  FileRename,
  LinkEvent,
  OpenDocument,
  ServerCommand,
  ServerFacts,
  ServerState,
} from '../../src/shared/link/server-link.ts';
import type { ServerPlan } from '../../src/shared/link/server-plan.ts';
import { RawJson } from '../../src/shared/wire/raw-json.ts';

export interface MemoryCounts {
  readonly running: number;
  readonly cancelled: number;
  readonly started: number;
  readonly released: readonly HostUser[];
}

export class MemoryHost implements Host {
  readonly plan: ServerPlan;
  readonly released: HostUser[] = [];
  readonly folders = new Map<HostUser, readonly AbsPath[]>();
  readonly told: FileChange[] = [];
  readonly renamed: FileRename[] = [];
  readonly reached: ReachQuestion[] = [];
  readonly #states = new Listeners<ServerState>();
  readonly #events = new Listeners<LinkEvent>();
  readonly #pinned = new Map<HostUser, Set<AbsPath>>();
  readonly #hanging = new Set<(error: Error) => void>();
  readonly #start: () => Promise<number | undefined>;
  state: ServerState = { kind: 'idle' };
  running = 0;
  cancelled = 0;
  started = 0;
  stopped = 0;
  #pid: number | undefined;
  #facts: Promise<ServerFacts> | undefined;

  /** `start` may have a process started; its pid is then the server's. */
  constructor(plan: ServerPlan, start: () => Promise<number | undefined> = async () => undefined) {
    this.plan = plan;
    this.#start = start;
  }

  async reach(_user: HostUser, question: ReachQuestion): Promise<Reach> {
    this.reached.push(question);
    return EVERYTHING;
  }

  get counters() {
    return { instance: 1, pid: this.#pid, crashes: 0, openDocuments: this.#pinned.size };
  }

  get counts(): MemoryCounts {
    const { running, cancelled, started, released } = this;
    return { running, cancelled, started, released };
  }

  facts(_options?: CallOptions): Promise<ServerFacts> {
    this.#facts ??= (async () => {
      this.setState({ kind: 'starting', sinceMs: 0 });
      this.#pid = await this.#start();
      this.setState({ kind: 'ready', proof: 'memory' });
      return { serverName: 'memory', capabilities: {}, methods: [], encoding: 'utf-16', instance: 1 };
    })();
    return this.#facts;
  }

  async request(method: string, params: unknown, options: HostCallOptions = {}): Promise<unknown> {
    this.started++;
    if (this.state.kind === 'idle' && this.state.asleep !== undefined) await this.facts();
    switch (method) {
      case 'test/echo':
        return params;
      case 'test/hang':
        return this.#hang(options.signal);
      case 'test/counts':
        return this.counts;
      case 'test/state':
        this.setState(params as ServerState);
        return null;
      case 'test/throw':
        setImmediate(() => {
          throw new Error('thrown where nobody catches');
        });
        return null;
      case 'test/big': {
        const text = `"${'x'.repeat((params as { bytes: number }).bytes)}"`;
        return options.raw ? new RawJson([Buffer.from(text)]) : JSON.parse(text);
      }
      default:
        throw new FailureError({ kind: 'unsupported', server: 'memory', method });
    }
  }

  async diagnostics(file: AbsPath): Promise<DiagnosticReport> {
    return { file, version: 1, freshness: { kind: 'exact', proof: 'pull' }, diagnostics: [] };
  }

  async openDocument(user: HostUser, file: AbsPath): Promise<OpenDocument> {
    this.#pinned.set(user, (this.#pinned.get(user) ?? new Set()).add(file));
    return { file, version: 1 };
  }

  async closeDocument(user: HostUser, file: AbsPath): Promise<void> {
    this.#pinned.get(user)?.delete(file);
  }

  async executeCommand(command: ServerCommand): Promise<CommandOutcome> {
    return { result: command, edits: [] };
  }

  openDocuments(user: HostUser): readonly OpenDocument[] {
    return [...(this.#pinned.get(user) ?? [])].map((file) => ({ file, version: 1 }));
  }

  async setFolders(user: HostUser, folders: readonly AbsPath[]): Promise<void> {
    this.folders.set(user, folders);
  }

  async tellChanges(changes: readonly FileChange[]): Promise<void> {
    this.told.push(...changes);
  }

  async tellRenamed(renames: readonly FileRename[]): Promise<void> {
    this.renamed.push(...renames);
  }

  releaseUser(user: HostUser): void {
    this.released.push(user);
    this.#pinned.delete(user);
    this.folders.delete(user);
  }

  async whenSettled(): Promise<ServerState> {
    return this.state;
  }

  restart(options?: CallOptions): Promise<ServerFacts> {
    return this.facts(options);
  }

  sleep(reason: string): boolean {
    if (this.running > 0 || this.state.kind !== 'ready') return false;
    this.#facts = undefined;
    this.setState({ kind: 'idle', asleep: reason });
    return true;
  }

  onState(listener: (state: ServerState) => void): Disposable {
    return this.#states.add(listener);
  }

  onEvent(listener: (event: LinkEvent) => void): Disposable {
    return this.#events.add(listener);
  }

  get eventListeners(): number {
    return this.#events.size;
  }

  emit(event: LinkEvent): void {
    this.#events.emit(event);
  }

  async evaluate({ requests }: Evaluation): Promise<EvaluationResult> {
    const answers = requests.map(({ params }) => ({ result: params }));
    return { answers, before: [], after: [], coverage: 'full' };
  }

  async stop(): Promise<void> {
    this.stopped++;
    for (const reject of [...this.#hanging])
      reject(new FailureError({ kind: 'connection-lost', what: 'stopped' }));
    this.setState({ kind: 'stopped' });
  }

  setState(state: ServerState): void {
    this.state = state;
    this.#states.emit(state);
  }

  #hang(signal: AbortSignal | undefined): Promise<never> {
    this.running++;
    return new Promise<never>((_resolve, reject) => {
      const end = (error: Error) => {
        this.running--;
        this.#hanging.delete(end);
        reject(error);
      };
      this.#hanging.add(end);
      signal?.addEventListener('abort', () => {
        if (!this.#hanging.has(end)) return;
        this.cancelled++;
        end(new FailureError({ kind: 'cancelled' }));
      });
    });
  }
}
