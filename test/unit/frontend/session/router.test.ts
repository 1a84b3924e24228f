import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Router } from '../../../../src/frontend/session/router.ts';
import { Roots } from '../../../../src/frontend/workspace/roots.ts';
import type { AbsPath } from '../../../../src/shared/base/brand.ts';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { type Clock, systemClock } from '../../../../src/shared/base/lifetime.ts';
import { loadConfig } from '../../../../src/shared/config/config.ts';
import { currentEnvironment, packageRootOf } from '../../../../src/shared/languages/environment.ts';
import type { ServerLink } from '../../../../src/shared/link/server-link.ts';
import type { ServerPlan } from '../../../../src/shared/link/server-plan.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

interface Routed {
  readonly router: Router;
  readonly roots: Roots;
  readonly plans: readonly ServerPlan[];
  readonly closed: readonly string[];
  failNext(): void;
}

async function routerIn(
  workspace: Workspace,
  roots: readonly string[] = [],
  clock: Clock = systemClock,
): Promise<Routed> {
  const environment = currentEnvironment(packageRootOf(import.meta.filename));
  const config = await loadConfig({ environment, cwd: workspace.root, userConfigDir: workspace.home });
  const [plans, closed]: [ServerPlan[], string[]] = [[], []];
  const workspaceFolders = { supported: true, changeNotifications: true };
  const boundary = new Roots({ given: roots, cwd: workspace.root, alsoAllowed: [] });
  let fails = false;
  const router = new Router({
    clock,
    config,
    environment,
    roots: boundary,
    open: async (plan) => {
      plans.push(plan);
      if (fails) {
        fails = false;
        throw new Error('could not be opened');
      }
      const { root, language } = plan;
      // Only what a router looks at.
      const link = {
        root,
        language,
        folders: [] as readonly AbsPath[],
        facts: async () => ({ serverName: 'some', capabilities: { workspace: { workspaceFolders } } }),
        setFolders: async (folders: readonly AbsPath[]) => void Object.assign(link, { folders }),
        close: async () => void closed.push(root),
      };
      return link as unknown as ServerLink;
    },
  });
  return { router, roots: boundary, plans, closed, failNext: () => (fails = true) };
}

const TWO_TREES = `
//- one/package.json
{}
//- one/package-lock.json
{}
//- one/tsconfig.json
{}
//- one/src/a.ts
export {};
//- two/package.json
{}
//- two/package-lock.json
{}
//- two/tsconfig.json
{}
//- two/src/a.ts
export {};
//- two/src/b.js
export {};
`;

describe('the router', () => {
  it('keeps checkouts apart and languages of one family together', async () => {
    await using workspace = createWorkspace(TWO_TREES);
    const { router } = await routerIn(workspace);
    const rootFor = async (name: string) => (await router.linkFor(workspace.file(name))).root;
    expect(await rootFor('one/src/a.ts')).toBe(workspace.file('one'));
    expect(await rootFor('two/src/a.ts')).toBe(workspace.file('two'));
    expect(await router.linkFor(workspace.file('two/src/b.js'))).toBe(
      await router.linkFor(workspace.file('two/src/a.ts')),
    );
    expect(router.open.map(({ root }) => root)).toEqual([workspace.file('one'), workspace.file('two')]);
  });

  it('notices a project that appears in a directory it knows, though not at once', async () => {
    await using workspace = createWorkspace(TWO_TREES);
    const clock = new FakeClock();
    const { router } = await routerIn(workspace, [], clock);
    const file = workspace.file('one/src/a.ts');
    expect((await router.linkFor(file)).root).toBe(workspace.file('one'));
    workspace.write('one/src/package.json', '{}');
    workspace.write('one/src/package-lock.json', '{}');
    workspace.write('one/src/tsconfig.json', '{}');
    expect((await router.linkFor(file)).root).toBe(workspace.file('one'));
    await clock.advance(1_000);
    expect((await router.linkFor(file)).root).toBe(workspace.file('one/src'));
  });

  it('opens a link once for calls that come together', async () => {
    await using workspace = createWorkspace(TWO_TREES);
    const { router, plans } = await routerIn(workspace);
    const file = workspace.file('one/src/a.ts');
    const links = await Promise.all([1, 2, 3, 4].map(() => router.linkFor(file)));
    expect(new Set(links).size).toBe(1);
    expect(plans).toHaveLength(1);
  });

  it('tries again after a failure', async () => {
    await using workspace = createWorkspace(TWO_TREES);
    const { router, plans, failNext } = await routerIn(workspace);
    failNext();
    await expect(router.linkFor(workspace.file('one/src/a.ts'))).rejects.toThrow('could not be opened');
    expect((await router.linkFor(workspace.file('one/src/a.ts'))).language).toBe('typescript');
    expect(plans).toHaveLength(2);
  });

  it('takes a root that was named over the nearest project', async () => {
    await using workspace = createWorkspace(TWO_TREES);
    const { router } = await routerIn(workspace);
    await router.choose(router.familyNamed('ts'), workspace.root);
    expect((await router.linkFor(workspace.file('one/src/a.ts'))).root).toBe(workspace.root);
    await router.choose(router.familyNamed('ts'), workspace.file('two'));
    expect((await router.linkFor(workspace.file('two/src/a.ts'))).root).toBe(workspace.file('two'));
    expect((await router.linkFor(workspace.file('one/src/a.ts'))).root).toBe(workspace.root);
  });

  it('reaches one server through all spellings of a path', async () => {
    await using workspace = createWorkspace(TWO_TREES);
    symlinkSync(workspace.file('one'), workspace.file('alias'));
    const roots = new Roots({ given: [], cwd: workspace.root, alsoAllowed: [] });
    const { router, plans } = await routerIn(workspace);
    for (const spelling of ['one/src/a.ts', 'alias/src/a.ts'])
      await router.linkFor(roots.resolve(spelling) as AbsPath);
    expect(plans).toHaveLength(1);
  });

  it('does not look for a project above the roots', async () => {
    await using workspace = createWorkspace(TWO_TREES);
    const { router } = await routerIn(workspace, ['one/src']);
    expect((await router.linkFor(workspace.file('one/src/a.ts'))).root).toBe(workspace.file('one/src'));
  });

  it('says which languages it knows when it does not know one', async () => {
    await using workspace = createWorkspace('//- a.unknown\n\n');
    const { router } = await routerIn(workspace);
    const failure = await router.linkFor(workspace.file('a.unknown')).catch(failureOf);
    expect(failure).toMatchObject({
      kind: 'unknown-language',
      known: expect.arrayContaining(['go', 'python']),
    });
  });

  it('has one server for the roots that the session was given, and not for projects that it found', async () => {
    await using workspace = createWorkspace(TWO_TREES);
    const { router, plans } = await routerIn(workspace, ['one', 'two']);
    const link = await router.linkFor(workspace.file('one/src/a.ts'));
    expect(await router.linkFor(workspace.file('two/src/a.ts'))).toBe(link);
    expect(link.folders).toEqual([workspace.file('two')]);
    expect(plans).toHaveLength(1);
    workspace.write('two/inner/package.json', '{}');
    workspace.write('two/inner/package-lock.json', '{}');
    workspace.write('two/inner/tsconfig.json', '{}');
    const inner = await router.linkFor(workspace.write('two/inner/c.ts', ''));
    expect(inner.root).toBe(workspace.file('two/inner'));
  });

  it('lets go of servers with their roots, and serves anew whoever shared them', async () => {
    await using workspace = createWorkspace(TWO_TREES);
    const { router, roots, closed } = await routerIn(workspace, ['one', 'two']);
    const [one, two] = [workspace.file('one/src/a.ts'), workspace.file('two/src/a.ts')];
    const first = await router.linkFor(two);
    expect(await router.linkFor(one)).toBe(first);
    roots.remove(workspace.file('two'));
    await router.followRoots();
    expect(closed).toEqual([workspace.file('two')]);
    expect(router.open).toEqual([]);
    const next = await router.linkFor(one);
    expect(next).not.toBe(first);
    expect(next.root).toBe(workspace.file('one'));
  });

  it('closes all its links and opens no more', async () => {
    await using workspace = createWorkspace(TWO_TREES);
    const { router, closed } = await routerIn(workspace);
    await router.linkFor(workspace.file('one/src/a.ts'));
    await router.close();
    expect(closed).toEqual([workspace.file('one')]);
    expect(await router.linkFor(workspace.file('two/src/a.ts')).catch(failureOf)).toEqual({
      kind: 'cancelled',
    });
  });
});
