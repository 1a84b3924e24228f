import { describe, expect, it } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { absolutePath, pathToUri } from '../../../../../src/shared/base/paths.ts';
import { DiagnosticsStore } from '../../../../../src/shared/host/diagnostics/diagnostics-store.ts';
import { Inquiry } from '../../../../../src/shared/host/diagnostics/published-diagnostics.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';

const A = absolutePath('/a');
const B = absolutePath('/b');
const problem: Diagnostic = {
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
  message: 'bad',
};

/** A server of which everything can be said by hand. */
class Stage {
  readonly clock = new FakeClock();
  readonly store: DiagnosticsStore;
  working = false;
  idle = true;
  known = true;
  answers = true;
  #barrier: number | undefined;

  constructor(pauseMs = 0) {
    const start = { settleMs: 500, dependentsMs: 500, secondStageMs: 0, pauseMs };
    this.store = new DiagnosticsStore(this.clock, start);
  }

  inquire(file = A): Inquiry {
    const stage = this;
    const version = this.store.textOf(file)?.version ?? 0;
    const server = {
      diagnostics: this.store,
      barriers: {
        raise() {
          if (stage.answers) stage.#barrier = stage.clock.now();
        },
        answeredAt: () => (stage.answers ? stage.#barrier : undefined),
      },
      activity: {
        get known() {
          return stage.known;
        },
        watch: () => ({ [Symbol.dispose]() {} }),
        idleSamplesSince: () => (stage.idle ? 2 : 0),
      },
      get isWorking() {
        return stage.working;
      },
    };
    return new Inquiry({ instance: 1, file, version, epoch: this.store.epoch }, server, this.clock, () => {});
  }

  publish(problems: number, version?: number, file = A): void {
    const diagnostics = Array.from({ length: problems }, () => problem);
    this.store.publish({ uri: pathToUri(file), diagnostics, ...(version === undefined ? {} : { version }) });
  }
}

describe('a publication without a version', () => {
  it('is believed after the quiet window, when the server has answered and does not compute', async () => {
    const stage = new Stage();
    stage.store.textChanges(A, 1);
    const inquiry = stage.inquire();
    stage.publish(1);
    expect(inquiry.judge()).toMatchObject({ kind: 'wait' });
    await stage.clock.advance(501);
    expect(inquiry.judge()).toMatchObject({ kind: 'inferred', proof: 'quiet', diagnostics: [problem] });
  });

  it.each<{ readonly what: string; readonly trait: Partial<Stage> }>([
    { what: 'has not answered what was asked behind the text', trait: { answers: false } },
    { what: 'reports work', trait: { working: true } },
    { what: 'computes', trait: { idle: false } },
  ])('is not believed while the server $what', async ({ trait }) => {
    const stage = Object.assign(new Stage(), trait);
    stage.store.textChanges(A, 1);
    const inquiry = stage.inquire();
    stage.publish(0);
    await stage.clock.advance(1_000);
    expect(inquiry.judge()).toMatchObject({ kind: 'wait' });
  });

  it('is not taken for an answer to a text that was sent while an older one could still be answered', async () => {
    const stage = new Stage();
    stage.store.textChanges(A, 1);
    await stage.clock.advance(100);
    stage.store.textChanges(A, 2);
    const inquiry = stage.inquire();
    await stage.clock.advance(10);
    stage.publish(0);
    await stage.clock.advance(700);
    expect(inquiry.judge()).toMatchObject({ kind: 'wait' });
    stage.publish(1);
    await stage.clock.advance(1_300);
    expect(inquiry.judge()).toMatchObject({ kind: 'inferred', diagnostics: [problem] });
  });
});

describe('a publication that comes before the server can have looked at the change', () => {
  it('is not believed, also if the server seemed to be at rest', async () => {
    const stage = new Stage(250);
    stage.store.textChanges(A, 1);
    await stage.clock.advance(400);
    stage.publish(1);
    await stage.clock.advance(10_000);
    stage.store.textChanges(B, 1);
    const inquiry = stage.inquire();
    await stage.clock.advance(40);
    stage.publish(1);
    await stage.clock.advance(700);
    expect(stage.store.habits.isClean).toBe(true);
    expect(inquiry.judge()).toMatchObject({ kind: 'wait' });
    stage.publish(0);
    await stage.clock.advance(1_300);
    expect(inquiry.judge()).toMatchObject({ kind: 'inferred', proof: 'quiet', diagnostics: [] });
  });
});

describe('a publication with our version', () => {
  async function honest(): Promise<Stage> {
    const stage = new Stage();
    for (const version of [1, 2]) {
      stage.store.textChanges(A, version);
      stage.publish(0, version);
      await stage.clock.advance(3_000);
    }
    return stage;
  }

  it('is proof for the text that was sent last', async () => {
    const stage = await honest();
    stage.store.textChanges(A, 3);
    const inquiry = stage.inquire();
    stage.publish(1, 3);
    await stage.clock.advance(501);
    expect(inquiry.judge()).toMatchObject({ kind: 'exact', diagnostics: [problem] });
  });

  it('is no proof when another text was sent after it', async () => {
    const stage = await honest();
    stage.store.textChanges(A, 3);
    stage.publish(0, 3);
    await stage.clock.advance(3_000);
    stage.store.textChanges(B, 1);
    const inquiry = stage.inquire();
    expect(inquiry.judge()).toMatchObject({ kind: 'wait' });
    // Of the changed file nothing was heard yet, so the server cannot be done.
    await stage.clock.advance(1_000);
    expect(inquiry.judge()).toMatchObject({ kind: 'wait' });
    stage.publish(0, 1, B);
    await stage.clock.advance(501);
    expect(inquiry.judge()).toMatchObject({ kind: 'inferred', proof: 'idle' });
  });

  it('is waited for when the server names an older one', async () => {
    const stage = await honest();
    stage.store.textChanges(A, 3);
    const inquiry = stage.inquire();
    stage.publish(0, 2);
    await stage.clock.advance(10_000);
    stage.idle = false;
    expect(inquiry.judge()).toMatchObject({ kind: 'wait' });
    stage.publish(1, 3);
    stage.publish(0, 2);
    stage.idle = true;
    await stage.clock.advance(501);
    expect(inquiry.judge()).toMatchObject({ kind: 'exact', diagnostics: [problem] });
  });

  it('may be followed by another one while the server computes', async () => {
    const stage = await honest();
    stage.store.textChanges(A, 3);
    const inquiry = stage.inquire();
    stage.publish(0, 3);
    stage.idle = false;
    await stage.clock.advance(1_500);
    expect(inquiry.judge()).toMatchObject({ kind: 'wait' });
  });
});

describe('silence', () => {
  it('says that a file stays clean, if the server rests', async () => {
    const stage = new Stage();
    stage.store.textChanges(A, 1);
    const inquiry = stage.inquire();
    await stage.clock.advance(1_900);
    expect(inquiry.judge()).toMatchObject({ kind: 'wait' });
    await stage.clock.advance(200);
    expect(inquiry.judge()).toMatchObject({ kind: 'inferred', proof: 'idle', diagnostics: [] });
  });

  it('says nothing about a text that replaced one with problems', async () => {
    const stage = new Stage();
    stage.store.textChanges(A, 1);
    stage.publish(1);
    await stage.clock.advance(5_000);
    stage.store.textChanges(A, 2);
    const inquiry = stage.inquire();
    inquiry.judge();
    await stage.clock.advance(20_000);
    expect(inquiry.judge()).toMatchObject({ kind: 'wait' });
  });

  it('says nothing about a new text where nobody knows whether the server computes', async () => {
    const stage = Object.assign(new Stage(), { known: false });
    stage.store.textChanges(A, 1);
    const inquiry = stage.inquire();
    inquiry.judge();
    await stage.clock.advance(20_000);
    expect(inquiry.judge()).toMatchObject({ kind: 'wait' });
  });

  it('confirms what was published for the same text before it was sent again', async () => {
    const stage = new Stage();
    stage.store.textChanges(A, 1);
    stage.publish(1);
    await stage.clock.advance(5_000);
    stage.store.worldChanges();
    expect(stage.store.needsLook(A)).toBe(true);
    stage.store.textChanges(A, 2, true);
    expect(stage.store.needsLook(A)).toBe(false);
    const inquiry = stage.inquire();
    inquiry.judge();
    await stage.clock.advance(2_100);
    expect(inquiry.judge()).toMatchObject({ kind: 'inferred', proof: 'idle', diagnostics: [problem] });
  });

  it('voids the question when the file was closed', () => {
    const stage = new Stage();
    stage.store.textChanges(A, 1);
    const inquiry = stage.inquire();
    stage.store.sending('textDocument/didClose', { textDocument: { uri: pathToUri(A) } });
    expect(inquiry.judge()).toEqual({ kind: 'void' });
  });
});

describe('what is heard about borrowed text', () => {
  it('is forgotten when it is given back', () => {
    const stage = new Stage();
    stage.store.textChanges(A, 1);
    stage.publish(1);
    const lent = stage.store.setAside();
    stage.store.textChanges(A, 2);
    stage.publish(0);
    expect(stage.store.lastKnown(A)?.diagnostics).toEqual([]);
    lent[Symbol.dispose]();
    expect(stage.store.lastKnown(A)?.diagnostics).toEqual([problem]);
  });
});
