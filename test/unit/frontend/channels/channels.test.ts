import { describe, expect, it } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { Channels } from '../../../../src/frontend/channels/channels.ts';
import { SubscriptionBook } from '../../../../src/frontend/channels/subscription-book.ts';
import { Roots } from '../../../../src/frontend/workspace/roots.ts';
import type { AbsPath } from '../../../../src/shared/base/brand.ts';
import { Listeners } from '../../../../src/shared/base/lifetime.ts';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import type {
  DiagnosticReport,
  LinkEvent,
  ServerLink,
  ServerState,
} from '../../../../src/shared/link/server-link.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const ROOT = absolutePath('/w');
const [A, B] = [absolutePath('/w/a.fake'), absolutePath('/w/b.fake')];
const READY: ServerState = { kind: 'ready', proof: 'test' };

/** A link that only does what channels use; anything else would start the server. */
class HeardLink {
  readonly language = 'fake';
  readonly root = ROOT;
  readonly folders = [];
  state: ServerState = { kind: 'idle' };
  readonly asked: AbsPath[] = [];
  readonly states = new Listeners<ServerState>();
  readonly events = new Listeners<LinkEvent>();
  found: readonly Diagnostic[] = [];
  open: readonly AbsPath[] = [];

  onState = (listener: (state: ServerState) => void) => this.states.add(listener);
  onEvent = (listener: (event: LinkEvent) => void) => this.events.add(listener);
  openDocuments = async () => this.open.map((file) => ({ file, version: 1 }));
  diagnostics = async (file: AbsPath): Promise<DiagnosticReport> => {
    this.asked.push(file);
    return { file, version: 1, freshness: { kind: 'exact', proof: 'pull' }, diagnostics: this.found };
  };

  become(state: ServerState): void {
    this.state = state;
    this.states.emit(state);
  }

  publish(file: AbsPath, diagnostics: readonly Diagnostic[]): void {
    this.events.emit({ kind: 'diagnostics', file, diagnostics });
  }

  get link(): ServerLink {
    return this as unknown as ServerLink;
  }
}

function problems(...messages: string[]): Diagnostic[] {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  return messages.map((message) => ({ range, message, severity: 1 }));
}

function world({ takesMessages = true } = {}) {
  const clock = new FakeClock();
  const server = new HeardLink();
  const opened = new Listeners<ServerLink>();
  const book = new SubscriptionBook();
  const updated: string[] = [];
  const told: (readonly [string, string, unknown])[] = [];
  const session = {
    clock,
    roots: new Roots({ given: [ROOT], cwd: ROOT, alsoAllowed: [] }),
    links: [],
    onLink: (listener: (link: ServerLink) => void) => opened.add(listener),
    isJudge: () => true,
    familyOf: (file: AbsPath) => (file.endsWith('.fake') ? 'fake' : undefined),
  };
  const outlet = {
    takesMessages,
    updated: (uri: string) => void updated.push(uri),
    tell: (level: string, channel: string, data: unknown) => void told.push([level, channel, data]),
  };
  const channels = new Channels(session, book, outlet);
  opened.emit(server.link);
  return { clock, server, book, updated, told, channels };
}

describe('the diagnostics channel', () => {
  it('tells subscribers of their file or of all, once things have been quiet for 2 s', async () => {
    const { clock, server, book, updated } = world();
    for (const uri of ['lsp-diagnostics://', 'lsp-diagnostics:///w/a.fake', 'lsp-diagnostics:///w/c.fake'])
      book.subscribe(uri);
    server.publish(A, problems('one'));
    await clock.advance(1_500);
    server.publish(A, problems('one', 'two'));
    server.publish(B, problems('three'));
    await clock.advance(1_999);
    expect(updated).toEqual([]);
    await clock.advance(1);
    expect(updated).toEqual(['lsp-diagnostics://', 'lsp-diagnostics:///w/a.fake']);
    expect(clock.pending).toBe(0);
  });

  it('does not wait for ever for a server that never falls silent', async () => {
    const { clock, server, book, updated } = world();
    book.subscribe('lsp-diagnostics://');
    for (let count = 0; count < 11; count++) {
      server.publish(A, problems(`${count}`));
      await clock.advance(1_000);
    }
    expect(updated).toEqual(['lsp-diagnostics://']);
  });

  it('says nothing when a server publishes the same again', async () => {
    const { clock, server, book, updated } = world();
    book.subscribe('lsp-diagnostics:///w/a.fake');
    server.publish(A, problems('one'));
    await clock.advance(2_000);
    server.publish(A, problems('one'));
    await clock.advance(10_000);
    expect(updated).toHaveLength(1);
    server.publish(A, []);
    await clock.advance(2_000);
    expect(updated).toHaveLength(2);
  });

  it('tells nothing more after the subscription ended', async () => {
    const { clock, server, book, updated } = world();
    book.subscribe('lsp-diagnostics:///w/a.fake');
    server.publish(A, problems('one'));
    book.unsubscribe('lsp-diagnostics:///w/a.fake');
    await clock.advance(5_000);
    expect(updated).toEqual([]);
  });

  it('counts errors and warnings in a message, for files where they changed', async () => {
    const { clock, server, told } = world();
    server.publish(A, problems('one'));
    server.publish(B, []);
    await clock.advance(2_000);
    server.publish(A, problems('another'));
    await clock.advance(2_000);
    expect(told).toEqual([
      [
        'info',
        'diagnostics',
        { type: 'diagnostics_changed', updates: [{ uri: 'file:///w/a.fake', errors: 1, warnings: 0 }] },
      ],
    ]);
  });

  it('checks subscribed files again after a change on disk, also those that did not change themselves', async () => {
    const { clock, server, book, updated } = world();
    server.become(READY);
    book.subscribe('lsp-diagnostics:///w/a.fake');
    const change = async (file: AbsPath, ...messages: string[]) => {
      server.found = problems(...messages);
      server.events.emit({ kind: 'files-changed', files: [file] });
      await clock.advance(2_000);
      return updated.length;
    };
    expect(await change(B)).toBe(0);
    expect(await change(B, 'broken by b')).toBe(1);
    expect(await change(B, 'broken by b')).toBe(1);
    expect(await change(A)).toBe(2);
    expect(server.asked).toEqual([A, A, A, A]);
    expect(new Set(updated)).toEqual(new Set(['lsp-diagnostics:///w/a.fake']));
  });

  it('tells once what was published because of a change on disk', async () => {
    const { clock, server, book, updated, told } = world();
    server.become(READY);
    book.subscribe('lsp-diagnostics:///w/a.fake');
    server.found = problems('one');
    server.events.emit({ kind: 'files-changed', files: [A] });
    server.publish(A, problems('one'));
    await clock.advance(2_000);
    server.publish(A, problems('one'));
    await clock.advance(2_000);
    expect(updated).toEqual(['lsp-diagnostics:///w/a.fake']);
    expect(told.filter(([, channel]) => channel === 'diagnostics')).toHaveLength(1);
  });

  it('compares with what the client has read', async () => {
    const { clock, server, book, updated, channels } = world();
    server.become(READY);
    book.subscribe('lsp-diagnostics:///w/a.fake');
    server.found = problems('one');
    channels.wasRead(await server.diagnostics(A));
    server.events.emit({ kind: 'files-changed', files: [B] });
    await clock.advance(2_000);
    expect(updated).toEqual([]);
    server.found = [];
    server.events.emit({ kind: 'files-changed', files: [B] });
    await clock.advance(2_000);
    expect(updated).toHaveLength(1);
  });

  it('asks no server that is not there, and tells that the file may have changed', async () => {
    const { clock, server, book, updated } = world();
    for (const uri of ['lsp-diagnostics:///w/a.fake', 'lsp-diagnostics://']) book.subscribe(uri);
    server.become({ kind: 'crashed', reason: 'x', stderr: '', retryMs: 1 });
    server.events.emit({ kind: 'files-changed', files: [A] });
    await clock.advance(2_000);
    expect(server.asked).toEqual([]);
    expect(updated).toEqual(['lsp-diagnostics:///w/a.fake', 'lsp-diagnostics://']);
  });

  it('checks the open files for those who subscribed to all', async () => {
    const { clock, server, book, updated } = world();
    server.become(READY);
    server.open = [A];
    server.found = problems('one');
    book.subscribe('lsp-diagnostics://');
    server.events.emit({ kind: 'files-changed', files: [B, absolutePath('/w/notes.txt')] });
    await clock.advance(2_000);
    expect(server.asked).toEqual([A]);
    expect(updated).toEqual(['lsp-diagnostics://']);
  });

  it('tells of hovers and completions when their file changed', async () => {
    const { clock, server, book, updated } = world();
    book.subscribe('lsp-hover:///w/a.fake?line=1&column=1');
    server.events.emit({ kind: 'files-changed', files: [B] });
    await clock.advance(2_000);
    expect(updated).toEqual([]);
    server.events.emit({ kind: 'files-changed', files: [A] });
    await clock.advance(2_000);
    expect(updated).toEqual(['lsp-hover:///w/a.fake?line=1&column=1']);
  });

  it('tells all subscribers when events were missed', async () => {
    const { clock, server, book, updated } = world();
    for (const uri of ['lsp-diagnostics:///w/a.fake', 'lsp-diagnostics://']) book.subscribe(uri);
    server.events.emit({ kind: 'missed' });
    await clock.advance(2_000);
    expect(updated).toEqual(['lsp-diagnostics:///w/a.fake', 'lsp-diagnostics://']);
  });
});

describe('the channel for servers', () => {
  it('tells once that the workspace is ready', async () => {
    const { clock, server, book, told, updated } = world();
    book.subscribe('lsp-servers://');
    server.become({ kind: 'starting', sinceMs: 0 });
    server.become({ kind: 'indexing', sinceMs: 0, what: 'x', percent: 10 });
    server.become({ kind: 'indexing', sinceMs: 0, what: 'x', percent: 90 });
    server.become(READY);
    server.become({ kind: 'indexing', sinceMs: 0, what: 'y' });
    server.become(READY);
    expect(told).toEqual([
      [
        'info',
        'workspace',
        expect.objectContaining({ type: 'workspace_ready', language: 'fake', root: ROOT }),
      ],
    ]);
    expect(updated).toHaveLength(5);
    await clock.advance(600_000);
    expect(told).toHaveLength(1);
  });

  it('says after 5 minutes that the workspace is still not ready', async () => {
    const { clock, server, told } = world();
    server.become({ kind: 'indexing', sinceMs: 0, what: 'x' });
    await clock.advance(5 * 60_000);
    expect(told).toMatchObject([['info', 'workspace', { type: 'workspace_not_ready' }]]);
    await clock.advance(60 * 60_000);
    expect(told).toHaveLength(1);
    server.become(READY);
    expect(told).toHaveLength(2);
  });

  it('tells at once of a crash, and once of the recovery', () => {
    const { server, told } = world();
    server.become(READY);
    server.become({ kind: 'crashed', reason: 'killed by SIGKILL', stderr: '', retryMs: 500 });
    server.become({ kind: 'starting', sinceMs: 0 });
    server.become({ kind: 'indexing', sinceMs: 0, what: 'x' });
    server.become(READY);
    expect(told.slice(1)).toMatchObject([
      ['error', 'health', { status: 'crashed', message: expect.stringContaining('killed by SIGKILL') }],
      ['info', 'health', { status: 'recovered' }],
    ]);
  });
});

describe('the channel for stale references', () => {
  it('tells 3 s after files changed on disk, as one', async () => {
    const { clock, server, book, updated, told, channels } = world();
    book.subscribe('lsp-references://');
    server.events.emit({ kind: 'files-changed', files: [A] });
    await clock.advance(2_500);
    server.events.emit({ kind: 'files-changed', files: [A, B] });
    await clock.advance(2_999);
    expect([updated, told]).toEqual([[], []]);
    await clock.advance(1);
    expect(updated).toEqual(['lsp-references://']);
    expect(told).toMatchObject([['info', 'file_watcher', { type: 'stale_references', files_changed: 2 }]]);
    await clock.advance(7_000);
    expect(channels.changes).toEqual({
      isWatching: true,
      files: [
        { file: A, secondsAgo: 10 },
        { file: B, secondsAgo: 10 },
      ],
    });
  });
});

describe('channels', () => {
  it('listen to events only while somebody would hear of them', () => {
    const { server, book, channels } = world({ takesMessages: false });
    expect(server.events.size).toBe(0);
    expect(channels.changes.isWatching).toBe(false);
    book.subscribe('lsp-references://');
    expect(server.events.size).toBe(1);
    book.subscribe('file:///not/one');
    book.unsubscribe('lsp-references://');
    expect(server.events.size).toBe(0);
  });

  it('leave nothing behind when the session ends', async () => {
    const { clock, server, book, channels, updated, told } = world();
    for (const uri of ['lsp-references://', 'lsp-diagnostics://']) book.subscribe(uri);
    server.become({ kind: 'indexing', sinceMs: 0, what: 'x' });
    server.publish(A, problems('one'));
    server.events.emit({ kind: 'files-changed', files: [A] });
    channels[Symbol.dispose]();
    expect([clock.pending, server.events.size, server.states.size]).toEqual([0, 0, 0]);
    await clock.advance(600_000);
    expect([updated, told]).toEqual([[], []]);
  });
});
