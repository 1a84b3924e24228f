/** How long a question waits while a server loads the projects that have to do with it, and what becomes of the rest. */

import { describe, expect, it } from 'vitest';
import type { AbsPath } from '../../../../../src/shared/base/brand.ts';
import { nearestFirst, showInTurn } from '../../../../../src/shared/host/calls/show-in-turn.ts';
import { ShownProjects } from '../../../../../src/shared/host/calls/shown-projects.ts';
import { PinBook } from '../../../../../src/shared/host/documents/pin-book.ts';
import { quirksOf } from '../../../../../src/shared/host/protocol/server-quirks.ts';
import type { ServerInstance } from '../../../../../src/shared/host/server-instance.ts';
import { languageById } from '../../../../../src/shared/languages/lookup.ts';
import type { ServerPlan } from '../../../../../src/shared/link/server-plan.ts';
import { memoryPlan } from '../../../../support/broker-world.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import { createWorkspace, type Workspace } from '../../../../support/workspace.ts';

const PACKAGES = ['a', 'b', 'c', 'd', 'e', 'f'];

function packages(): Workspace {
  const parts = PACKAGES.map(
    (name) => `//- ${name}/tsconfig.json\n{ "include": ["."] }\n//- ${name}/index.ts\nexport const stop = 1;`,
  );
  return createWorkspace(`${parts.join('\n')}\n`);
}

function planFor(workspace: Workspace): ServerPlan {
  const languageIds = languageById('typescript')?.family.extensions ?? {};
  return { ...memoryPlan(workspace.root), root: workspace.root, language: 'typescript', languageIds };
}

/** A server that needs `loadMs` for each project that it is shown, and answers nothing while it is busy. */
function slowServer(clock: FakeClock, loadMs: number, isBusy = () => false) {
  const open = new Set<AbsPath>();
  let unread = 0;
  const port = {
    watchedFiles: {
      catchUp: async () => {},
      seesAll: true,
      onDiskChanged: () => ({ [Symbol.dispose]() {} }),
    },
    documents: {
      files: () => [...open],
      sync: async (file: AbsPath) => {
        if (!open.has(file)) unread++;
        open.add(file);
      },
      close: (file: AbsPath) => void open.delete(file),
    },
    connection: {
      request: async () => {
        if (isBusy()) {
          await clock.advance(2_000);
          await new Promise(() => {});
        }
        await clock.advance(unread * loadMs);
        unread = 0;
      },
    },
    quirks: quirksOf('typescript'),
  };
  return port as unknown as ServerInstance;
}

/** A question from the first package that has time for all. */
function about({ file, root }: Workspace, name: string) {
  return {
    name,
    file: file('a/index.ts'),
    boundary: root,
    folders: [root],
    lookMs: 15_000,
    stateDir: file('state'),
  };
}

describe('projects that a question needs', () => {
  it('are loaded for two seconds, and each further question goes on with the rest', async () => {
    await using workspace = packages();
    const clock = new FakeClock();
    const server = slowServer(clock, 900);
    const shown = new ShownProjects(planFor(workspace), new PinBook(), clock);
    shown.follow(server);
    const ask = async (name: string, lookMs: number, showMs?: number, waitedMs = 0) => {
      const began = clock.now();
      const question = {
        name,
        file: workspace.file('a/index.ts'),
        boundary: workspace.root,
        folders: [workspace.root],
        lookMs,
        showMs,
        stateDir: workspace.file('state'),
      };
      const { later } = await shown.reach(server, [], question, began - waitedMs);
      return [later.map((file) => file.slice(workspace.root.length + 1)).sort(), clock.now() - began];
    };
    // The first question finds a server that knows nothing yet; it may take what it is given.
    expect(await ask('nothing', 15_000)).toEqual([[], 0]);
    expect(await ask('stop', 15_000)).toEqual([['d/index.ts', 'e/index.ts', 'f/index.ts'], 2_000]);
    // A call that has waited already.
    expect((await ask('stop', 15_000, 500))[1]).toBe(500);
    // One that has waited for its turn with the server all the time, while a text was tried out.
    expect((await ask('stop', 15_000, undefined, 3_000))[1]).toBe(0);
    expect(await ask('stop', 15_000)).toEqual([['f/index.ts'], 2_000]);
    expect(await ask('stop', 15_000)).toEqual([[], 0]);
    expect(await ask('stop', 15_000)).toEqual([[], 0]);
  });

  it('are not loaded while the server works on another question: it would answer that one later', async () => {
    await using workspace = packages();
    const clock = new FakeClock();
    let isBusy = false;
    const server = slowServer(clock, 10, () => isBusy);
    const shown = new ShownProjects(planFor(workspace), new PinBook(), clock);
    shown.follow(server);
    const ask = async (name: string) => {
      const question = about(workspace, name);
      const { later } = await shown.reach(server, [], question, clock.now());
      return { later: later.length, open: server.documents.files().length };
    };
    await server.documents.sync(workspace.file('a/index.ts'));
    await ask('nothing');
    isBusy = true;
    expect(await ask('stop')).toEqual({ later: 5, open: 1 });
    isBusy = false;
    expect(await ask('stop')).toEqual({ later: 0, open: 6 });
  });

  it('are all loaded by the first question, which has the time', async () => {
    await using workspace = packages();
    const clock = new FakeClock();
    const server = slowServer(clock, 900);
    const shown = new ShownProjects(planFor(workspace), new PinBook(), clock);
    shown.follow(server);
    const question = {
      name: 'stop',
      file: workspace.file('a/index.ts'),
      boundary: workspace.root,
      folders: [workspace.root],
      lookMs: 15_000,
      stateDir: workspace.file('state'),
    };
    // The server has started only now: that wait is not the question's.
    const { later, documents } = await shown.reach(server, [], question, clock.now() - 20_000);
    expect([later, documents.length]).toEqual([[], 5]);
  });
});

/** Questions to a server whose watcher tells nothing: what was learned of a file stays as it was. */
function counting(workspace: Workspace) {
  const clock = new FakeClock();
  const server = slowServer(clock, 0);
  const shown = new ShownProjects(planFor(workspace), new PinBook(), clock);
  shown.follow(server);
  const counted = async (name: string) => {
    const question = { ...about(workspace, name), wantsMentions: true };
    const { mentions } = await shown.reach(server, [], question, clock.now());
    return mentions?.files.length;
  };
  const rewrite = (name: string) => workspace.write('b/index.ts', `${name}();\n`);
  return { clock, counted, rewrite };
}

const CALLED = '//- tsconfig.json\n{ "include": ["."] }\n//- a/index.ts\nstop();\n//- b/index.ts\nstop();\n';

describe('the words of all files', () => {
  it('are learned once nobody has asked for a second, so that no question waits for it', async () => {
    await using workspace = createWorkspace(CALLED);
    const { clock, counted, rewrite } = counting(workspace);
    expect(await counted('stop')).toBe(2);
    rewrite('other');
    await clock.advance(900);
    expect(await counted('other')).toBe(1);
    await clock.advance(1_100);
    // What is known of a file counts until a change of it is heard of.
    rewrite('late');
    expect([await counted('other'), await counted('late')]).toEqual([1, 0]);
  });

  it('are learned at last where somebody always asks', async () => {
    await using workspace = createWorkspace(CALLED);
    const { clock, counted, rewrite } = counting(workspace);
    for (let asked = 0; asked < 40; asked++) {
      expect(await counted('stop')).toBe(2);
      await clock.advance(500);
    }
    await clock.advance(500);
    rewrite('other');
    expect(await counted('stop')).toBe(2);
  });
});

describe('files that are opened in turn', () => {
  it('begin with what lies beside the name, or stands for something there', () => {
    const files = ['/project/b/index.ts', '/project/a/src/x.spec.ts', '/project/c/index.ts'] as AbsPath[];
    const behind = (file: AbsPath) =>
      file.includes('/c/') ? [file, '/project/a/test/y.ts' as AbsPath] : [file];
    expect(nearestFirst(files, '/project/a/src/x.ts' as AbsPath, behind)).toEqual([
      '/project/a/src/x.spec.ts',
      '/project/c/index.ts',
      '/project/b/index.ts',
    ]);
  });

  it('are opened in larger portions while the server is quick', async () => {
    const clock = new FakeClock();
    const portions: number[] = [];
    const files = Array.from({ length: 20 }, (_, at) => `/project/${at}.ts` as AbsPath);
    const { opened, read } = await showInTurn(files, {
      clock,
      open: async (portion) => {
        portions.push(portion.length);
        await clock.advance(portion.length > 4 ? 500 : 10);
        return true;
      },
      isOver: () => false,
    });
    expect(portions).toEqual([1, 2, 4, 8, 1, 2, 2]);
    expect({ opened, read }).toEqual({ opened: files, read: 20 });
  });

  it('count as not read when the server is still at them as the time ends', async () => {
    const clock = new FakeClock();
    const files = Array.from({ length: 9 }, (_, at) => `/project/${at}.ts` as AbsPath);
    const { opened, read } = await showInTurn(files, {
      clock,
      open: async (portion) => portion.length < 4,
      isOver: () => false,
    });
    expect({ opened, read }).toEqual({ opened: files.slice(0, 7), read: 3 });
  });
});
