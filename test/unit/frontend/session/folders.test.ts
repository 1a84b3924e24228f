import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SharedLinks } from '../../../../src/frontend/session/shared-links.ts';
import { reasonAgainstSharing } from '../../../../src/frontend/session/shared-roots.ts';
import { Roots } from '../../../../src/frontend/workspace/roots.ts';
import type { AbsPath } from '../../../../src/shared/base/brand.ts';
import { FolderBook } from '../../../../src/shared/host/documents/folder-book.ts';
import type { ServerLink } from '../../../../src/shared/link/server-link.ts';
import type { ServerPlan } from '../../../../src/shared/link/server-plan.ts';
import { MentionIndex } from '../../../../src/shared/projects/mention-index.ts';
import { elsewhere, joinedPlans, otherFolderRule } from '../../../../src/shared/projects/other-folders.ts';
import { reachOf } from '../../../../src/shared/projects/reach.ts';
import { survey } from '../../../../src/shared/projects/survey.ts';
import { memoryPlan } from '../../../support/broker-world.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

const THREE = '//- a/x.ts\n\n//- b/y.ts\n\n//- b/deep/z.ts\n\n//- c/w.ts\n\n';

function planIn(root: AbsPath, change: Partial<ServerPlan> = {}): ServerPlan {
  return { ...memoryPlan(root), ...change };
}

/** Only what is asked about folders. */
class FolderLink {
  readonly root: AbsPath;
  folders: readonly AbsPath[] = [];
  readonly takes: boolean;

  constructor(root: AbsPath, takes = true) {
    this.root = root;
    this.takes = takes;
  }

  facts = async () => ({
    serverName: 'memory',
    capabilities: { workspace: { workspaceFolders: { supported: true, changeNotifications: this.takes } } },
  });

  setFolders = async (folders: readonly AbsPath[]) => {
    this.folders = folders;
  };

  get link(): ServerLink {
    return this as unknown as ServerLink;
  }
}

describe('folders of a session', () => {
  it('widen what may be looked at, and narrow it again', async () => {
    await using workspace = createWorkspace(THREE);
    const roots = new Roots({ given: ['a'], cwd: workspace.root, alsoAllowed: ['c'] });
    const [a, b, c] = [workspace.file('a'), workspace.file('b'), workspace.file('c')];
    expect(roots.folders).toEqual([{ path: a, from: 'start' }]);
    expect(roots.holds(c)).toBe(true);
    roots.add(b);
    roots.add(workspace.file('b/deep'));
    expect(roots.folders.map(({ path }) => path)).toEqual([a, b]);
    expect(roots.folderAround(workspace.file('b/deep'))).toBe(b);
    expect(roots.resolve(`${b}/y.ts`)).toBe(workspace.file('b/y.ts'));
    expect(roots.around(workspace.file('b/deep/z.ts'))).toBe(b);
    roots.remove(b);
    expect(roots.holds(b)).toBe(false);
    expect(roots.all).toEqual([a, c]);
  });

  it('are shown relative to the primary root, and by their whole path everywhere else', async () => {
    await using workspace = createWorkspace(THREE);
    const roots = new Roots({ given: ['a', 'b'], cwd: workspace.root, alsoAllowed: [] });
    expect(roots.display(workspace.file('a/x.ts'))).toBe('x.ts');
    expect(roots.display(workspace.file('b/y.ts'))).toBe(workspace.file('b/y.ts'));
    for (const name of ['a/x.ts', 'b/y.ts'])
      expect(roots.resolve(roots.display(workspace.file(name)))).toBe(workspace.file(name));
  });

  it('come from the client only where nobody said otherwise', async () => {
    await using workspace = createWorkspace(THREE);
    const options = { cwd: workspace.file('a'), alsoAllowed: [], homedir: workspace.home };
    const [a, b, c] = [workspace.file('a'), workspace.file('b'), workspace.file('c')];
    const free = new Roots({ ...options, given: [] });
    // What lies in the root adds nothing, and changes nothing.
    expect(free.setClientRoots([a, b])).toEqual([]);
    expect(free.folders).toEqual([
      { path: a, from: 'start' },
      { path: b, from: 'client' },
    ]);
    expect(free.setClientRoots([c])).toEqual([]);
    expect(free.holds(b)).toBe(false);
    const odd = ['/' as AbsPath, workspace.home, workspace.file('gone'), workspace.file('b/y.ts')];
    expect(free.setClientRoots(odd)).toEqual(odd);
    expect(free.folders).toHaveLength(1);
    const fixed = new Roots({ ...options, given: [a] });
    expect(fixed.setClientRoots([b])).toEqual([b]);
    expect(fixed.folders).toHaveLength(1);
  });
});

describe('one server for two folders', () => {
  it('is right only for the same server with the same settings', async () => {
    await using workspace = createWorkspace(THREE);
    const [a, b] = [workspace.file('a'), workspace.file('b')];
    expect(reasonAgainstSharing(planIn(a), planIn(b))).toBeUndefined();
    const venv = planIn(b, { settings: { python: { pythonPath: '/venv/bin/python' } } });
    expect(reasonAgainstSharing(planIn(a), venv)).toContain('settings differ');
    const server = { kind: 'connect', host: '127.0.0.1', port: 1, addresses: ['127.0.0.1'] } as const;
    const dialled = planIn(a, { server });
    expect(reasonAgainstSharing(dialled, venv)).toBeUndefined();
    expect(reasonAgainstSharing(planIn(b), planIn(workspace.file('b/deep')))).toContain('overlaps');
  });

  it('is never right for worktrees and copies of one project', async () => {
    await using workspace = createWorkspace(THREE);
    const [a, b, c] = [workspace.file('a'), workspace.file('b'), workspace.file('c')];
    const against = (one: AbsPath, two: AbsPath) => reasonAgainstSharing(planIn(one), planIn(two));
    workspace.write('a/.git/HEAD', 'ref: refs/heads/main\n');
    writeFileSync(`${b}/.git`, `gitdir: ${a}/.git/worktrees/b\n`);
    expect(against(a, b)).toContain('another checkout');
    // A submodule is a repository of its own.
    writeFileSync(`${b}/.git`, `gitdir: ${a}/.git/modules/b\n`);
    expect(against(a, b)).toBeUndefined();
    workspace.write('a/go.mod', 'module example.com/shop\n');
    workspace.write('c/go.mod', 'module example.com/shop\n');
    expect(against(a, c)).toContain('another checkout');
    workspace.write('c/go.mod', 'module example.com/other\n');
    expect(against(a, c)).toBeUndefined();
  });

  it('is found among those that are there, for roots that the session was given', async () => {
    await using workspace = createWorkspace(THREE);
    const [a, b, c] = [workspace.file('a'), workspace.file('b'), workspace.file('c')];
    const roots = new Roots({ given: [a, b], cwd: workspace.root, alsoAllowed: [] });
    const shared = new SharedLinks(roots);
    const first = new FolderLink(a);
    expect(await shared.join(planIn(b))).toBeUndefined();
    shared.opened(first.link, planIn(a));
    expect(await shared.join(planIn(b, { language: 'other' }))).toBeUndefined();
    expect(await shared.join(planIn(c))).toBeUndefined();
    roots.add(c);
    // Together, as calls come.
    const joined = await Promise.all([
      shared.join(planIn(b)),
      shared.join(planIn(c)),
      shared.join(planIn(b)),
    ]);
    expect(joined).toEqual([{ link: first }, { link: first }, { link: first }]);
    expect(first.folders).toEqual([b, c]);
    roots.remove(b);
    await shared.followRoots();
    expect(first.folders).toEqual([c]);
  });

  it('is not to be had where it works in one folder at a time', async () => {
    await using workspace = createWorkspace(THREE);
    const [a, b] = [workspace.file('a'), workspace.file('b')];
    const shared = new SharedLinks(new Roots({ given: [a, b], cwd: workspace.root, alsoAllowed: [] }));
    shared.opened(new FolderLink(a, false).link, planIn(a));
    expect(await shared.join(planIn(b))).toEqual({ against: 'memory works in one folder at a time' });
  });
});

describe('a name that several folders use', () => {
  const PYTHON = `
//- a/shop/__init__.py

//- a/shop/money.py
def price(): ...
price()
//- b/use.py
from shop.money import price
price()
//- c/own.py
price = 1
`;

  /** Files of the other folders that have to do with `price`, for a question in the named file. */
  async function concerned(workspace: Workspace, file: string): Promise<readonly string[]> {
    const folders = ['a', 'b', 'c'].map((name) => workspace.file(name));
    const asked = workspace.file(file);
    const home = folders.find((folder) => asked.startsWith(folder)) ?? expect.unreachable();
    const link = { root: folders[0] ?? expect.unreachable(), folders: folders.slice(1) };
    const about = { name: 'price', file: asked };
    const deps = { index: new MentionIndex(), verify: true, mostProjects: 100, isOver: () => false };
    const others = folders.filter((folder) => folder !== home);
    const parts = others.map(async (folder) => {
      const found = await survey(otherFolderRule('python', folder, link), { py: 'python' });
      return reachOf(found, home, about, deps, elsewhere(folder, folders, 'python', about));
    });
    const { documents, unopened } = joinedPlans(await Promise.all(parts));
    expect(documents).toEqual([]);
    return unopened.map((each) => path.relative(workspace.root, each));
  }

  it('is looked for in those that speak of each other, whichever is asked', async () => {
    await using workspace = createWorkspace(PYTHON);
    expect(await concerned(workspace, 'a/shop/money.py')).toEqual(['b/use.py']);
    expect(await concerned(workspace, 'b/use.py')).toContain('a/shop/money.py');
    workspace.write('c/own.py', 'import shop\nprice = 1\n');
    expect(await concerned(workspace, 'a/shop/money.py')).toEqual(['b/use.py', 'c/own.py']);
  });
});

describe('the book of folders', () => {
  it('has those of all users, each once, without what lies in the root', () => {
    const book = new FolderBook('/root' as AbsPath);
    const [b, c] = ['/b', '/c'] as AbsPath[];
    book.set(1, ['/root/inside', b] as AbsPath[]);
    book.set(2, [b, c] as AbsPath[]);
    expect(book.all).toEqual([b, c]);
    book.set(1, []);
    expect(book.all).toEqual([b, c]);
    book.set(2, [c] as AbsPath[]);
    expect(book.all).toEqual([c]);
  });
});
