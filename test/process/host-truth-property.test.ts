/**
 * Whatever several sessions do at once with one server, and whatever happens to it and to the disk meanwhile: a reader
 * sees the disk, whoever tries out text sees that text, nobody sees somebody else's, and every call has its end.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { type Failure, failureOf } from '../../src/shared/base/failure.ts';
import type { Clock } from '../../src/shared/base/lifetime.ts';
import { absolutePath, pathToUri } from '../../src/shared/base/paths.ts';
import { textHash } from '../../src/shared/base/text-file.ts';
import { createHost } from '../../src/shared/host/create-host.ts';
import type { Host } from '../../src/shared/host/host.ts';
import type { DiagnosticReport, OverlayFile } from '../../src/shared/link/server-link.ts';
import { type ModelServer, modelServer, type Snapshot } from '../support/model-server.ts';

const NAMES = ['a.model', 'b.model', 'c.model'] as const;
type Name = (typeof NAMES)[number];

const name = fc.constantFrom(...NAMES);
const names = fc.uniqueArray(name, { minLength: 1 });
const session = fc.integer({ min: 1, max: 2 });
const ms = fc.constantFrom(0, 0, 1, 4);

type Step =
  | { kind: 'write' | 'remove' | 'diagnose'; name: Name }
  | { kind: 'read'; names: Name[]; ms: number }
  | { kind: 'try'; names: Name[]; watched: Name[]; ms: number; looks: number }
  | { kind: 'open' | 'close'; name: Name; session: number }
  | { kind: 'leave'; session: number }
  | { kind: 'cancel'; which: number }
  | { kind: 'crash' | 'restart' }
  | { kind: 'wait'; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), name }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('read' as const), names, ms }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('diagnose' as const), name }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('try' as const),
      names,
      watched: fc.uniqueArray(name, { maxLength: 2 }),
      ms,
      looks: fc.integer({ min: 0, max: 2 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('open' as const, 'close' as const), name, session }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), session }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat({ max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('crash' as const, 'restart' as const) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms }) },
);

/** Five deaths within three minutes and the host gives up, which is another story. */
const MOST_CRASHES = 4;
/** Waits of seconds, such as the pause before a restart, take tens of milliseconds. */
const SPEED = 25;
const quickClock: Clock = {
  now: () => performance.now() * SPEED,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds / SPEED);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
/** Far more than anything here takes: a call that needs it was forgotten. */
const TIMEOUT_MS = 20_000 * SPEED;

/** How many reports were fresh, and how many only said that it was too late to know. */
interface Tally {
  fresh: number;
  late: number;
}

/** One history: what is on disk, what is asked, and what may be seen. */
class History {
  readonly #root: AbsPath;
  readonly #model: ModelServer;
  readonly #host: Host;
  readonly #tally: Tally;
  readonly #disk: Record<Name, (string | null)[]> = { 'a.model': [], 'b.model': [], 'c.model': [] };
  readonly #calls: { readonly end: Promise<void>; readonly controller: AbortController }[] = [];
  #texts = 0;
  #crashes = 0;
  #deaths = 0;

  constructor(root: AbsPath, model: ModelServer, tally: Tally) {
    this.#root = root;
    this.#model = model;
    this.#tally = tally;
    this.#host = createHost(model.plan(root), { clock: quickClock });
    for (const each of NAMES) this.#write(each);
  }

  async run(steps: readonly Step[]): Promise<void> {
    try {
      for (const each of steps) {
        await this.#do(each);
        await nextTurn();
      }
      await Promise.all(this.#calls.map(({ end }) => end));
      await this.#finally();
    } finally {
      await this.#host.stop();
    }
  }

  async #do(each: Step): Promise<void> {
    switch (each.kind) {
      case 'write':
        return this.#write(each.name);
      case 'remove':
        rmSync(this.#file(each.name), { force: true });
        this.#disk[each.name].push(null);
        return;
      case 'read':
        return this.#call((since, signal) => this.#read(each, since, signal));
      case 'diagnose':
        return this.#call(async (since, signal) => {
          const report = await this.#host.diagnostics(this.#file(each.name), {
            signal,
            timeoutMs: TIMEOUT_MS,
          });
          this.#check(each.name, report, since(each.name));
        });
      case 'try':
        return this.#call((since, signal) => this.#tryOut(each, since, signal));
      case 'open':
        return this.#call(async (_since, signal) => {
          await this.#host.openDocument(each.session, this.#file(each.name), {
            signal,
            timeoutMs: TIMEOUT_MS,
          });
        });
      case 'close':
        return this.#host.closeDocument(each.session, this.#file(each.name));
      case 'leave':
        return this.#host.releaseUser(each.session);
      case 'cancel':
        return this.#calls[each.which]?.controller.abort();
      case 'crash':
        if (this.#crashes++ >= MOST_CRASHES) return;
        this.#deaths++;
        return this.#model.crash();
      case 'restart':
        this.#deaths++;
        return this.#call(async () => void (await this.#host.restart({ timeoutMs: TIMEOUT_MS })));
      case 'wait':
        return void (await pause(each.ms));
    }
  }

  /** Begins a call and goes on; `since` gives every text that the disk has had from then until it is called. */
  #call(
    work: (since: (name: Name) => readonly (string | null)[], signal: AbortSignal) => Promise<void>,
  ): void {
    const lengths = Object.fromEntries(NAMES.map((each) => [each, this.#disk[each].length]));
    const deathsBefore = this.#deaths;
    const since = (each: Name) => this.#disk[each].slice((lengths[each] ?? 1) - 1);
    const controller = new AbortController();
    const excused = (failure: Failure | undefined) => {
      switch (failure?.kind) {
        case 'cancelled':
          return controller.signal.aborted;
        case 'no-such-file':
          return NAMES.some((each) => since(each).includes(null));
        case 'base-changed':
          return NAMES.some((each) => since(each).length > 1);
        // Also what was refused because it was under way at two deaths before.
        case 'server-crashed':
          return this.#deaths > 0;
        case 'connection-lost':
          return this.#deaths > deathsBefore;
        default:
          return false;
      }
    };
    const end = work(since, controller.signal).catch((error: unknown) => {
      if (!excused(failureOf(error))) throw error;
    });
    // Looked at in the end; until then nobody listens.
    end.catch(() => {});
    this.#calls.push({ end, controller });
  }

  async #read(
    { names: asked, ms: takes }: Step & { kind: 'read' },
    since: (name: Name) => readonly (string | null)[],
    signal: AbortSignal,
  ): Promise<void> {
    const documents = asked.map((each) => this.#file(each));
    const options = { documents, signal, timeoutMs: TIMEOUT_MS };
    const seen = await this.#host.request('model/look', { uris: this.#uris, ms: takes }, options);
    for (const snapshot of seen as readonly Snapshot[])
      for (const each of NAMES) expect(since(each)).toContain(snapshot[pathToUri(this.#file(each))]);
  }

  async #tryOut(
    { names: tried, watched, ms: takes, looks }: Step & { kind: 'try' },
    since: (name: Name) => readonly (string | null)[],
    signal: AbortSignal,
  ): Promise<void> {
    const own = new Map<Name, string>(tried.map((each) => [each, `tried ${++this.#texts}`]));
    const overlay = [...own].map(([each, text]): OverlayFile => {
      const onDisk = this.#disk[each].at(-1) ?? null;
      return { file: this.#file(each), text, base: onDisk === null ? null : textHash(onDisk) };
    });
    const look = { method: 'model/look', params: { uris: this.#uris, ms: takes } };
    const { answers, before, after } = await this.#host.evaluate(
      {
        overlay,
        requests: Array.from({ length: looks }, () => look),
        diagnosticsFor: watched.map((each) => this.#file(each)),
      },
      { signal, timeoutMs: TIMEOUT_MS },
    );
    const mayBe = (each: Name) => {
      const text = own.get(each);
      return text === undefined ? since(each) : [text];
    };
    expect(answers).toHaveLength(looks);
    for (const answer of answers) {
      expect(answer).toHaveProperty('result');
      for (const snapshot of ('result' in answer ? answer.result : []) as readonly Snapshot[])
        for (const each of NAMES) expect(mayBe(each)).toContain(snapshot[pathToUri(this.#file(each))]);
    }
    for (const report of before)
      this.#check(this.#nameOf(report.file), report, since(this.#nameOf(report.file)));
    expect(after.map(({ file }) => file)).toEqual(watched.map((each) => this.#file(each)));
    for (const report of after)
      this.#check(this.#nameOf(report.file), report, mayBe(this.#nameOf(report.file)));
  }

  /** Each file has one diagnostic, which is its text. */
  #check(each: Name, { freshness, diagnostics }: DiagnosticReport, mayBe: readonly (string | null)[]): void {
    const texts = diagnostics.map(({ message }) => String(message));
    const isFresh = freshness.kind === 'exact' || freshness.kind === 'inferred';
    if (freshness.kind === 'restarted') expect(this.#deaths).toBeGreaterThan(0);
    if (isFresh) expect(texts, each).toHaveLength(1);
    if (isFresh) this.#tally.fresh++;
    // With a clock that runs so fast, a window may be over before the server has answered.
    if (freshness.kind === 'timeout') this.#tally.late++;
    for (const text of texts) {
      // Of a file that is removed meanwhile the model says that there is none.
      const expected = mayBe.map((known) => known ?? 'no file');
      if (isFresh || text.includes('tried')) expect(expected, each).toContain(text);
    }
  }

  /** When all is over the server has the disk's texts and nothing else. */
  async #finally(): Promise<void> {
    const present = NAMES.filter((each) => this.#disk[each].at(-1) !== null);
    const documents = present.map((each) => this.#file(each));
    const options = { documents, timeoutMs: TIMEOUT_MS };
    const [first] = (await this.#host.request(
      'model/look',
      { uris: this.#uris, ms: 0, last: true },
      options,
    )) as readonly Snapshot[];
    const onDisk = NAMES.map((each) => [pathToUri(this.#file(each)), this.#disk[each].at(-1)]);
    expect(first).toEqual(Object.fromEntries(onDisk));
    for (const [uri, text] of this.#model.open()) expect(text).toBe(Object.fromEntries(onDisk)[uri]);
    expect(this.#model.violations).toEqual([]);
  }

  #write(each: Name): void {
    const text = `disk ${++this.#texts}`;
    writeFileSync(this.#file(each), text);
    this.#disk[each].push(text);
  }

  #file(each: Name): AbsPath {
    return absolutePath(each, this.#root);
  }

  #nameOf(file: AbsPath): Name {
    return NAMES.find((each) => this.#file(each) === file) ?? expect.unreachable(file);
  }

  get #uris() {
    return NAMES.map((each) => pathToUri(this.#file(each)));
  }
}

async function play(
  steps: readonly Step[],
  diagnostics: 'pull' | 'push',
  delaysMs: readonly number[],
  tally: Tally,
) {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'al-')));
  try {
    await using model = await modelServer({ diagnostics, delaysMs });
    await new History(absolutePath(root), model, tally).run(steps);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

describe('a server that several sessions share', () => {
  it.each([
    { diagnostics: 'pull', numRuns: 60 },
    { diagnostics: 'push', numRuns: 40 },
  ] as const)(
    'shows everybody the disk or their own text, whatever happens in whatever order ($diagnostics)',
    async ({ diagnostics, numRuns }) => {
      const tally: Tally = { fresh: 0, late: 0 };
      const history = fc.array(step, { minLength: 30, maxLength: 30 });
      const delays = fc.array(fc.constantFrom(0, 0, 1, 3), { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(history, delays, (steps, delaysMs) => play(steps, diagnostics, delaysMs, tally)),
        { numRuns, endOnFailure: true },
      );
      expect(tally.late).toBeLessThanOrEqual(tally.fresh / 20);
      expect(tally.fresh).toBeGreaterThan(numRuns);
    },
    120_000,
  );
});
