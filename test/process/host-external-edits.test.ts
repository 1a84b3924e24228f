/** Files that others write behind the product's back: the server knows of them before it is asked the next question. */
import { execFileSync } from 'node:child_process';
import { linkSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileEvent, ResponseError } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { type Clock, deferred, systemClock } from '../../src/shared/base/lifetime.ts';
import { silentLog } from '../../src/shared/base/log.ts';
import { uriToPath } from '../../src/shared/base/paths.ts';
import { WatchedFiles } from '../../src/shared/host/disk/watched-files.ts';
import type { SweepOptions } from '../../src/shared/host/disk/workspace-sweep.ts';
import type { Quirks } from '../../src/shared/host/protocol/quirks.ts';
import { gate, type JournalEntry, until } from '../support/events.ts';
import { FakeClock } from '../support/fake-clock.ts';
import type { Rule } from '../support/fake-server.ts';
import { type HostWorld, type HostWorldOptions, hostWorld } from '../support/host.ts';
import { describeWith } from '../support/requirements.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const REGISTER = {
  ask: {
    method: 'client/registerCapability',
    params: {
      registrations: [
        {
          id: 'w',
          method: 'workspace/didChangeWatchedFiles',
          registerOptions: { watchers: [{ globPattern: '**/*.fake' }] },
        },
      ],
    },
  },
} as const;
const REGISTERS: Rule = { on: 'initialized', do: REGISTER };
const SPANS_FILES = { whenReady: true } as const;

/** A world whose server has registered and was asked once, so that all files are known. */
async function watchingWorld(options: HostWorldOptions = {}): Promise<HostWorld> {
  const here = hostWorld({ scenario: { rules: [REGISTERS] }, ...options });
  await here.host.facts();
  await here.server.journal.waitFor(['answer', 'client/registerCapability']);
  await here.host.request('fake/echo', 'first', SPANS_FILES);
  asked.add(here);
  return here;
}

const asked = new WeakSet<HostWorld>();

const TYPES = ['', 'created', 'changed', 'deleted'];

function named(changes: readonly FileEvent[], root: string): readonly string[] {
  return changes.map(({ uri, type }) => `${TYPES[type]} ${path.relative(root, uriToPath(uri) ?? uri)}`);
}

function eventsOf({ message }: JournalEntry): readonly FileEvent[] {
  const params = message?.params as { readonly changes: readonly FileEvent[] } | undefined;
  return params?.changes ?? [];
}

function batches(world: HostWorld): readonly (readonly string[])[] {
  return afterFirstQuestion(world)
    .filter(({ method }) => method === 'workspace/didChangeWatchedFiles')
    .map((entry) => named(eventsOf(entry), world.workspace.root));
}

/** Files that were written right before the server started are told to it for safety; that is not what is tested. */
function afterFirstQuestion(world: HostWorld): readonly JournalEntry[] {
  const received = world.server.journal.matching(['received']);
  return asked.has(world)
    ? received.slice(received.findIndex(({ method }) => method === 'fake/echo'))
    : received;
}

/** What the server got, oldest first, as far as it matters here. */
function received(world: HostWorld): readonly string[] {
  const methods = ['workspace/didChangeWatchedFiles', 'fake/echo', 'textDocument/diagnostic'];
  return afterFirstQuestion(world)
    .map((entry) => entry.method ?? '')
    .filter((method) => methods.includes(method));
}

describe('files that others write', () => {
  it('are reported created, changed and deleted before the next question, in one batch', async () => {
    await using here = await watchingWorld({ text: '//- a.fake\na\n//- lib/b.fake\nb\n//- lib/c.fake\nc\n' });
    here.workspace.write('new/deep/n.fake', 'n');
    here.workspace.write('a.fake', 'other');
    here.workspace.remove('lib/b.fake');
    here.workspace.write('other.txt', 'not registered');
    here.workspace.write('node_modules/dep.fake', 'skipped');
    await here.host.request('fake/echo', 'second', SPANS_FILES);
    expect(batches(here)).toEqual([['deleted lib/b.fake', 'created new/deep/n.fake', 'changed a.fake']]);
    expect(received(here)).toEqual(['fake/echo', 'workspace/didChangeWatchedFiles', 'fake/echo']);
  });

  it('are reported before a question about one file, too', async () => {
    await using here = await watchingWorld();
    for (let round = 0; round < 20; round++) {
      here.workspace.write('other.fake', `round ${round}`);
      await here.host.request('fake/echo', round);
    }
    expect(batches(here)).toEqual([
      ['created other.fake'],
      ...Array.from({ length: 19 }, () => ['changed other.fake']),
    ]);
  });

  it('are reported before diagnostics are asked for', async () => {
    await using here = await watchingWorld({
      scenario: { diagnostics: { profile: 'pull' }, rules: [REGISTERS] },
    });
    await here.host.diagnostics(here.workspace.file('a.fake'));
    here.workspace.write('other.fake', 'x');
    await here.host.diagnostics(here.workspace.file('a.fake'));
    expect(received(here).slice(-2)).toEqual(['workspace/didChangeWatchedFiles', 'textDocument/diagnostic']);
  });

  it('are a delete and a create when they were renamed, also with their directory', async () => {
    await using here = await watchingWorld({ text: '//- a.fake\na\n//- lib/b.fake\nb\n' });
    renameSync(here.workspace.file('a.fake'), here.workspace.file('z.fake'));
    await here.host.request('fake/echo', 1, SPANS_FILES);
    renameSync(here.workspace.file('lib'), here.workspace.file('library'));
    await here.host.request('fake/echo', 2, SPANS_FILES);
    expect(batches(here)).toEqual([
      ['deleted a.fake', 'created z.fake'],
      ['deleted lib/b.fake', 'created library/b.fake'],
    ]);
  });

  it('are reported without a question as well, and never twice', async () => {
    await using here = await watchingWorld();
    here.workspace.write('asked.fake', 'x');
    await here.host.request('fake/echo', 1, SPANS_FILES);
    here.workspace.write('unasked.fake', 'x');
    await until(() => batches(here).length > 1, { what: 'a batch nobody asked for' });
    await here.host.request('fake/echo', 2, SPANS_FILES);
    expect(batches(here)).toEqual([['created asked.fake'], ['created unasked.fake']]);
  });

  it('are reported both as a file and as a text when they are open', async () => {
    await using here = await watchingWorld();
    const documents = [here.workspace.file('a.fake')];
    await here.host.request('fake/echo', 1, { documents });
    here.workspace.write('a.fake', 'other\n');
    await here.host.request('fake/echo', 2, { documents });
    expect(batches(here)).toEqual([['changed a.fake']]);
    expect(here.server.journal.received('textDocument/didChange')).toHaveLength(1);
  });

  it('are reported when they were written between the start of the server and its registration', async () => {
    await using here = hostWorld({
      scenario: ({ scratch }) => ({
        rules: [{ on: 'initialized', do: [{ gate: `${scratch}/register.gate` }, REGISTER] }],
      }),
    });
    await here.host.facts();
    here.workspace.write('early.fake', 'x');
    gate(here.workspace.scratch, 'register').open();
    await until(() => batches(here).length > 0, { what: 'the file that came early' });
    expect(batches(here)[0]).toContain('created early.fake');
  });

  it('are known to a restarted server without being reported', async () => {
    await using here = await watchingWorld();
    here.workspace.write('before.fake', 'x');
    await here.host.restart();
    await here.server.journal.waitFor(['answer', 'client/registerCapability'], { count: 2 });
    await here.host.request('fake/echo', 1, SPANS_FILES);
    here.workspace.write('after.fake', 'x');
    await here.host.request('fake/echo', 2, SPANS_FILES);
    expect(batches(here).at(-1)).toEqual(['created after.fake']);
  });
});

describeWith('git', 'a branch switch', (tools) => {
  it('of 2,000 files is one batch before the next answer', async () => {
    await using here = await watchingWorld();
    const { workspace } = here;
    const git = (...args: readonly string[]) =>
      execFileSync(tools.git, ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
        cwd: workspace.root,
        env: workspace.env(),
        stdio: 'pipe',
      });
    git('init', '--quiet', '--initial-branch', 'few');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'few');
    git('checkout', '--quiet', '-b', 'many');
    for (let n = 0; n < 2000; n++) workspace.write(`d${n % 50}/f${n}.fake`, `${n}`);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'many');
    await here.host.request('fake/echo', 1, SPANS_FILES);
    const before = batches(here).length;
    git('checkout', '--quiet', 'few');
    await here.host.request('fake/echo', 2, SPANS_FILES);
    git('checkout', '--quiet', 'many');
    await here.host.request('fake/echo', 3, SPANS_FILES);
    const counts = batches(here)
      .slice(before)
      .map((batch) => [batch.length, new Set(batch.map((line) => line.split(' ')[0])).size]);
    expect(counts).toEqual([
      [2000, 1],
      [2000, 1],
    ]);
  });
});

interface Watching extends AsyncDisposable {
  readonly files: WatchedFiles;
  readonly sent: (readonly string[])[];
  readonly noticed: (readonly AbsPath[])[];
  /** How often the server was to read everything again. */
  readonly readAgain: () => number;
}

interface WatchingOptions extends SweepOptions {
  readonly fileListTaken?: RegExp;
  readonly fileText?: string;
  readonly loadsAlone?: NonNullable<Quirks['loadsAlone']>;
  readonly request?: (method: string, params: unknown) => Promise<unknown>;
  readonly clock?: Clock;
}

function watching(workspace: Workspace, options: WatchingOptions): Watching {
  const sent: (readonly string[])[] = [];
  const noticed: (readonly AbsPath[])[] = [];
  let readAgain = 0;
  const files = new WatchedFiles(
    { root: workspace.root, language: 'src', languageIds: { src: 'src' } },
    {
      clock: options.clock ?? systemClock,
      log: silentLog,
      send: (changes) => sent.push(named(changes, workspace.root)),
      worldChanges: () => {},
      request: options.request ?? (async () => null),
      fileListTaken: options.fileListTaken,
      fileText: options.fileText,
      loadsAlone: options.loadsAlone,
      readAgain: () => void readAgain++,
    },
    options,
  );
  files.onFilesChanged((changed) => noticed.push(changed));
  files.begin();
  return { files, sent, noticed, readAgain: () => readAgain, [Symbol.asyncDispose]: () => files.dispose() };
}

describe('the disk', () => {
  it('is read again after changes by a server that has registered for none, and only by such a one', async () => {
    await using workspace = createWorkspace('//- a.src\na\n');
    await using here = watching(workspace, {});
    await here.files.catchUp({ spansFiles: true });
    workspace.write('b.src', 'b');
    await here.files.catchUp({ spansFiles: true });
    expect(here.readAgain()).toBe(1);
    const registerOptions = { watchers: [{ globPattern: '**/*.src' }] };
    here.files.registered([{ id: '1', method: 'workspace/didChangeWatchedFiles', registerOptions }]);
    workspace.write('c.src', 'c');
    await here.files.catchUp({ spansFiles: true });
    expect(here.sent).toEqual([['created b.src'], ['created c.src']]);
    expect(here.readAgain()).toBe(1);
  });

  it('is compared before each answer that spans files where no watch can be trusted', async () => {
    await using workspace = createWorkspace('//- a.src\na\n');
    await using here = watching(workspace, { trustWatches: false });
    for (let round = 0; round < 20; round++) {
      workspace.write('b.src', `${round}`);
      await here.files.catchUp({ spansFiles: true });
      expect(here.sent.length).toBe(round + 1);
      expect(here.files.certain).toBe(true);
    }
  });

  it('is compared once in a while where watches are trusted, and always once one of them was deaf', async () => {
    await using workspace = createWorkspace('//- a.src\na\n');
    const elsewhere = path.join(workspace.scratch, 'a.src');
    linkSync(workspace.file('a.src'), elsewhere);
    const clock = new FakeClock();
    await using here = watching(workspace, { clock });
    await here.files.catchUp({ spansFiles: true });
    // No directory of the workspace hears of a write under a name outside it.
    writeFileSync(elsewhere, 'once');
    await clock.advance(10_000);
    await here.files.catchUp({ spansFiles: true });
    expect(here.sent).toEqual([['changed a.src']]);
    await clock.advance(10_000);
    await here.files.catchUp({ spansFiles: true });
    writeFileSync(elsewhere, 'twice');
    await here.files.catchUp({ spansFiles: true });
    expect(here.sent).toHaveLength(2);
    expect(here.files.certain).toBe(true);
  });

  it('is not said to be known when there is too much of it, but what is heard is told', async () => {
    await using workspace = createWorkspace('//- a.src\na\n//- b.src\nb\n//- c.src\nc\n');
    await using here = watching(workspace, { most: 2 });
    await here.files.catchUp({ spansFiles: true });
    expect(here.files.certain).toBe(false);
    let round = 0;
    await until(() => workspace.write('a.src', `${round++}`) && here.sent.length > 0, { what: 'an event' });
    expect(here.sent[0]).toEqual(['changed a.src']);
  });

  it('tells of sources that changed whoever listens, and not of other files', async () => {
    await using workspace = createWorkspace('//- a.src\na\n');
    await using here = watching(workspace, {});
    here.files.registered([
      { id: '1', method: 'x', registerOptions: { watchers: [{ globPattern: '**/*.json' }] } },
    ]);
    workspace.write('settings.json', '{}');
    const file = workspace.write('a.src', 'other');
    await here.files.catchUp({ spansFiles: true });
    expect(here.noticed.flat()).toEqual([file]);
    expect(here.sent).toEqual([['created settings.json']]);
  });

  it('waits for a server that lists files in its own time, and only if files came or went', async () => {
    await using workspace = createWorkspace('//- a.src\na\n');
    const read = deferred<void>();
    const options = { fileListTaken: /^Found \d+/, request: () => read.promise };
    await using here = watching(workspace, options);
    const asked = { spansFiles: true, fileList: true };
    workspace.write('a.src', 'changed');
    await here.files.catchUp(asked);
    workspace.write('b.src', 'created');
    let isOver = false;
    const held = here.files.catchUp(asked).then(() => {
      isOver = true;
    });
    await until(() => here.sent.length === 2, { what: 'both batches' });
    const say = (message: string) => here.files.hear('window/logMessage', { type: 3, message });
    // About an earlier list: the server has not read of the new file.
    say('Found 1 source file');
    await here.files.catchUp({ spansFiles: true });
    expect(isOver).toBe(false);
    read.resolve();
    await until(() => say('Found 2 source files') === undefined && isOver, { what: 'the end of the wait' });
    await held;
  });

  it('waits for a server that reads files in its own time until it has the text of the disk', async () => {
    await using workspace = createWorkspace('//- a.src\na\n');
    const answers = ['old', 'old', 'new'];
    const request = async (method: string) => {
      expect(method).toBe('server/text');
      return answers.shift();
    };
    await using here = watching(workspace, { fileText: 'server/text', request });
    await here.files.catchUp({ spansFiles: false });
    expect(answers).toHaveLength(3);
    workspace.write('a.src', 'new');
    await here.files.catchUp({ spansFiles: true });
    expect(answers).toEqual([]);
  });

  it('waits for such a server until it has no text of a file that is gone', async () => {
    await using workspace = createWorkspace('//- a.src\na\n');
    const answers = [async () => 'a', () => Promise.reject(new ResponseError(-32603, 'file not found'))];
    const request = async () => answers.shift()?.();
    await using here = watching(workspace, { fileText: 'server/text', request });
    await here.files.catchUp({ spansFiles: true });
    workspace.remove('a.src');
    await here.files.catchUp({ spansFiles: true });
    expect(here.sent).toEqual([['deleted a.src']]);
    expect(answers).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'makes a server load anew that may have looked while a file was gone, or there for a moment',
    async () => {
      await using workspace = createWorkspace('//- a.src\na\n');
      const loadsAlone = { sign: /missing/, anewFor: 'list.txt' };
      await using here = watching(workspace, { loadsAlone });
      await here.files.catchUp({ spansFiles: true });
      workspace.write('a.src', 'new');
      await here.files.catchUp({ spansFiles: true });
      workspace.remove('a.src');
      workspace.write('a.src', 'again');
      await here.files.catchUp({ spansFiles: true });
      workspace.write('b.src', 'b');
      workspace.remove('b.src');
      workspace.write('notes.log', '');
      workspace.remove('notes.log');
      await here.files.catchUp({ spansFiles: true });
      workspace.write('notes.log', '');
      workspace.remove('notes.log');
      await here.files.catchUp({ spansFiles: true });
      expect(here.sent).toEqual([
        ['changed a.src'],
        ['changed a.src'],
        ['changed list.txt'],
        ['changed list.txt'],
      ]);
    },
  );
});

describe('a question that is overtaken by a change', () => {
  it('is asked again unless it has side effects', async () => {
    const modified = { error: { code: -32801, message: 'content modified' } };
    await using here = await watchingWorld({
      scenario: {
        rules: [REGISTERS, ...[2, 3, 5].map((nth) => ({ on: 'fake/echo', nth, do: modified }))],
      },
    });
    expect(await here.host.request('fake/echo', 'again')).toBe('again');
    expect(here.server.journal.received('fake/echo')).toHaveLength(4);
    await expect(here.host.request('fake/echo', 'once', { idempotent: false })).rejects.toThrow();
  });

  it('is asked again after an error that its server is known to get over', async () => {
    const stumbles = { error: { code: -32603, message: 'failed: this._token.cancel is not a function' } };
    const scenario = { rules: [{ on: 'fake/echo', nth: 1, do: stumbles }] };
    await using known = hostWorld({ serverId: 'pyright', scenario });
    expect(await known.host.request('fake/echo', 'again')).toBe('again');
    await using other = hostWorld({ scenario });
    await expect(other.host.request('fake/echo', 'again')).rejects.toThrow('is not a function');
  });
});
