import { describe, expect, it } from 'vitest';
import { Router } from '../../../../src/frontend/session/router.ts';
import { ServersOfSession } from '../../../../src/frontend/session/session-servers.ts';
import { Roots } from '../../../../src/frontend/workspace/roots.ts';
import { systemClock } from '../../../../src/shared/base/lifetime.ts';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import { loadConfig } from '../../../../src/shared/config/config.ts';
import { currentEnvironment, packageRootOf } from '../../../../src/shared/languages/environment.ts';
import type { ServerLink } from '../../../../src/shared/link/server-link.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

/** Packages that are installed apart, each with a lock file of its own. */
const APART = `
//- package.json
{ "name": "top" }
//- package-lock.json
{}
//- src/top.ts
export const topName = 1;
//- examples/one/package.json
{ "name": "one" }
//- examples/one/package-lock.json
{}
//- examples/one/one.ts
export const oneName = 1;
//- examples/two/package.json
{ "name": "two" }
//- examples/two/package-lock.json
{}
//- examples/two/two.ts
export const twoName = 1;
`;

/** Python projects without one around them. */
const PROJECTS = ['a', 'b', 'c', 'd', 'e', 'f']
  .map(
    (name) => `
//- ${name}/pyproject.toml
[project]
name = "${name}"
//- ${name}/mod.py
def shared_name():
    return "${name}"
def only_in_${name}():
    return 1
`,
  )
  .join('');

interface Asked {
  readonly opened: readonly string[];
  /** Opens the server of a file, as a question about it does. */
  at(file: string): Promise<void>;
  choose(directory: string): Promise<void>;
  /** Where the servers are that a question about the name goes to, and what is not asked. */
  about(name: string, lookMs?: number): Promise<{ roots: readonly string[]; notAsked: readonly string[] }>;
}

interface Place {
  readonly homedir?: string;
  /** Folders that a server has beside its root. */
  readonly foldersOf?: Readonly<Record<string, readonly string[]>>;
}

async function sessionIn(
  workspace: Workspace,
  languageId: string,
  { foldersOf = {}, ...place }: Place = {},
): Promise<Asked> {
  const environment = currentEnvironment(packageRootOf(import.meta.filename));
  const config = await loadConfig({ environment, cwd: workspace.root, userConfigDir: workspace.home });
  const roots = new Roots({ given: [], cwd: workspace.root, alsoAllowed: [], ...place });
  const opened: string[] = [];
  const relative = (root: string) => root.slice(workspace.root.length + 1);
  const router = new Router({
    clock: systemClock,
    config,
    environment,
    roots,
    open: async ({ root, language }) => {
      opened.push(relative(root));
      // Only what finding servers looks at.
      const folders = (foldersOf[relative(root)] ?? []).map((folder) => absolutePath(folder, workspace.root));
      return { root, language, folders } as unknown as ServerLink;
    },
  });
  const servers = new ServersOfSession({ router, config, roots, environment, clock: systemClock });
  return {
    opened,
    at: async (file) => void (await router.linkFor(absolutePath(file, workspace.root))),
    choose: async (directory) => {
      const family = router.familyNamed(languageId);
      await router.choose(family, absolutePath(directory, workspace.root));
    },
    async about(name, lookMs = 10_000) {
      const { signal } = new AbortController();
      const { links, notAsked } = await servers.workspace({ languageId, name, signal, lookMs });
      return {
        roots: links.map(({ root }) => relative(root)).sort(),
        notAsked: notAsked.map(({ why }) => why),
      };
    },
  };
}

describe('a question about a name', () => {
  it('starts no further server where no other file can have it', async () => {
    await using workspace = createWorkspace(APART);
    const session = await sessionIn(workspace, 'typescript');
    await session.at('examples/one/one.ts');
    expect(await session.about('oneName')).toEqual({ roots: ['examples/one'], notAsked: [] });
    expect(session.opened).toEqual(['examples/one']);
  });

  it('goes to the server that has the other files, whichever was asked first, and to none twice', async () => {
    await using workspace = createWorkspace(APART);
    const session = await sessionIn(workspace, 'typescript');
    await session.at('examples/one/one.ts');
    await session.at('examples/two/two.ts');
    // A part of it in either case is enough, as it is for servers.
    for (const name of ['topName', 'tpnm'])
      expect(await session.about(name)).toEqual({ roots: [''], notAsked: [] });
    expect(await session.about('twoName')).toEqual({ roots: [''], notAsked: [] });
    expect(session.opened).toEqual(['examples/one', 'examples/two', '']);
  });

  it('also goes to a server below another one that works in a folder beside it', async () => {
    await using workspace = createWorkspace(APART);
    const foldersOf = { 'examples/one': ['../beside'] };
    const session = await sessionIn(workspace, 'typescript', { foldersOf });
    await session.at('examples/one/one.ts');
    await session.at('examples/two/two.ts');
    expect(await session.about('topName')).toEqual({ roots: ['', 'examples/one'], notAsked: [] });
  });

  it('knows of text that was written since', async () => {
    await using workspace = createWorkspace(APART);
    const session = await sessionIn(workspace, 'typescript');
    await session.at('examples/one/one.ts');
    expect(await session.about('laterName')).toEqual({ roots: ['examples/one'], notAsked: [] });
    workspace.write('src/top.ts', 'export const laterName = 1;\n');
    expect(await session.about('laterName')).toEqual({ roots: [''], notAsked: [] });
  });

  it('starts a few servers where each has a project of its own, and names what is left', async () => {
    await using workspace = createWorkspace(PROJECTS);
    const session = await sessionIn(workspace, 'python');
    await session.at('a/mod.py');
    expect(await session.about('only_in_b')).toEqual({ roots: ['a', 'b'], notAsked: [] });
    const { roots, notAsked } = await session.about('shared_name');
    expect(roots).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(notAsked).toEqual([
      '1 file that may have shared_name, such as f/mod.py; ask for symbols of that file first',
    ]);
  });

  it('starts none beside a root that was chosen, and names what is outside of it', async () => {
    await using workspace = createWorkspace(PROJECTS);
    const session = await sessionIn(workspace, 'python');
    await session.choose('a');
    const { roots, notAsked } = await session.about('only_in_b');
    expect(roots).toEqual(['a']);
    expect(notAsked).toEqual([
      '1 file that may have only_in_b, such as b/mod.py; ask for symbols of that file first',
    ]);
  });

  it('does not look through a home, and says so', async () => {
    await using workspace = createWorkspace(PROJECTS);
    const session = await sessionIn(workspace, 'python', { homedir: workspace.root });
    await session.at('a/mod.py');
    expect(await session.about('only_in_b')).toEqual({
      roots: ['a'],
      notAsked: [
        `${workspace.root} is a home or a disk: only projects of which a file was asked about are searched there`,
      ],
    });
  });

  it('says when there was no time to look', async () => {
    await using workspace = createWorkspace(PROJECTS);
    const session = await sessionIn(workspace, 'python');
    await session.at('a/mod.py');
    const { notAsked } = await session.about('only_in_b', -1);
    expect(notAsked).toEqual([
      `there was no time to look for only_in_b in all files of ${workspace.root}; call again`,
    ]);
  });
});
