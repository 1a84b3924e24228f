/**
 * Text that is tried out on real servers: its errors are seen where it is and in the files that depend on it, and the
 * next question, asked at once, is answered from the disk. Each language has the same project of two files.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DiagnosticSeverity, HoverRequest, type Position } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { textHash } from '../../src/shared/base/text-file.ts';
import { parseDialAddress } from '../../src/shared/config/dial-address.ts';
import { createHost } from '../../src/shared/host/create-host.ts';
import { currentEnvironment } from '../../src/shared/languages/environment.ts';
import { makeConnectPlan, makePlan } from '../../src/shared/languages/plan.ts';
import { languageTable } from '../../src/shared/languages/table.ts';
import type { DiagnosticReport } from '../../src/shared/link/server-link.ts';
import { until } from '../support/events.ts';
import { describeWith } from '../support/requirements.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const PACKAGE_ROOT = path.resolve(import.meta.dirname, '../..');
const ROUNDS = 2;
const LONG = { timeout: 180_000 };

interface Project {
  readonly family: string;
  readonly serverId: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Declares `price`, which gives a number. */
  readonly library: readonly [file: string, text: string];
  /** The library with a `price` that promises a text and still gives a number: wrong here and wrong for who uses it. */
  readonly wrong: string;
  /** Assigns `price()` to a number. */
  readonly main: readonly [file: string, text: string];
  /** What is said about `price` where it is used, with the one library and with the other. */
  readonly hover: readonly [right: RegExp, wrong: RegExp];
  /** A file that does not exist yet, and `main` with a use of it. */
  readonly created: { readonly file: string; readonly text: string; readonly main: string };
  /** Finds modules on disk only. */
  readonly missesNewFiles?: true;
  prepare?(workspace: Workspace): void;
}

const typescript: Project = {
  family: 'typescript',
  serverId: 'typescript-7',
  settings: {
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","target":"es2022"},"include":["src"]}',
  },
  library: ['src/library.ts', 'export function price(): number {\n  return 1;\n}\n'],
  wrong: 'export function price(): string {\n  return 1;\n}\n',
  main: ['src/main.ts', "import { price } from './library';\nexport const total: number = price();\n"],
  hover: [/price\(\): number/, /price\(\): string/],
  created: {
    file: 'src/extra.ts',
    text: 'export const price = (): number => 2;\n',
    main: "import { price } from './extra';\nexport const total: number = price();\n",
  },
};

const typescript5: Project = {
  ...typescript,
  serverId: 'typescript-language-server',
  prepare(workspace) {
    mkdirSync(workspace.file('node_modules'));
    symlinkSync(
      path.join(PACKAGE_ROOT, 'node_modules/typescript5'),
      workspace.file('node_modules/typescript'),
    );
  },
};

const python: Project = {
  family: 'python',
  serverId: 'pyright',
  settings: { 'pyproject.toml': '[tool.pyright]\n' },
  library: ['library.py', 'def price() -> int:\n    return 1\n'],
  wrong: 'def price() -> str:\n    return 1\n',
  main: ['main.py', 'from library import price\n\ntotal: int = price()\n'],
  hover: [/price\(\) -> int/, /price\(\) -> str/],
  created: {
    file: 'extra.py',
    text: 'def price() -> int:\n    return 2\n',
    main: 'from extra import price\n\ntotal: int = price()\n',
  },
  missesNewFiles: true,
};

const go: Project = {
  family: 'go',
  serverId: 'gopls',
  settings: { 'go.mod': 'module example.org/shop\n\ngo 1.20\n' },
  library: ['library.go', 'package shop\n\nfunc price() int {\n\treturn 1\n}\n'],
  wrong: 'package shop\n\nfunc price() string {\n\treturn 1\n}\n',
  main: ['main.go', 'package shop\n\nvar total int = price()\n'],
  hover: [/func price\(\) int/, /func price\(\) string/],
  created: {
    file: 'extra.go',
    text: 'package shop\n\nfunc cost() int {\n\treturn 2\n}\n',
    main: 'package shop\n\nvar total int = cost()\n',
  },
};

/** Asks again and again, because what leaks does not leak each time. */
async function triesOut(
  project: Project,
  options: { readonly address?: (workspace: Workspace) => Promise<string> } = {},
) {
  await using workspace = createWorkspace();
  const { library, main, wrong } = project;
  for (const [name, text] of [...Object.entries(project.settings), library, main])
    workspace.write(name, text);
  project.prepare?.(workspace);
  const host = createHost(await planOf(project, workspace, await options.address?.(workspace)));
  try {
    const [a, b] = [workspace.file(library[0]), workspace.file(main[0])];
    const hover = {
      method: HoverRequest.method,
      params: {
        textDocument: { uri: pathToUri(b) },
        position: place(main[1], 'price', main[1].indexOf('total')),
      },
    };
    const fromDisk = async () => {
      const reports = await Promise.all([host.diagnostics(a), host.diagnostics(b)]);
      expect(reports.map(errors)).toEqual([0, 0]);
      const seen = await host.request(hover.method, hover.params, { documents: [b] });
      expect(JSON.stringify(seen)).toMatch(project.hover[0]);
    };
    for (let round = 0; round < ROUNDS; round++) {
      const { answers, before, after, coverage } = await host.evaluate(
        {
          overlay: [{ file: a, text: wrong, base: textHash(library[1]) }],
          requests: [hover],
          diagnosticsFor: [a, b],
        },
        { whenReady: true },
      );
      expect(JSON.stringify(answers)).toMatch(project.hover[1]);
      expect(before.map(errors)).toEqual([0, 0]);
      expect(after.map(errors)).toEqual([1, 1]);
      expect(coverage).toBe('full');
      await fromDisk();
    }
    const { created, missesNewFiles } = project;
    const withNew = await host.evaluate({
      overlay: [
        { file: workspace.file(created.file), text: created.text, base: null },
        { file: b, text: created.main, base: textHash(main[1]) },
      ],
      requests: [],
      diagnosticsFor: [b],
    });
    expect(withNew.coverage).toBe(missesNewFiles ? 'analysis' : 'full');
    expect(withNew.after.map(errors)).toEqual([missesNewFiles ? 1 : 0]);
    await fromDisk();
    // Tried by two at once, and read by others meanwhile.
    const other = wrong.replace('1', '2');
    const trials = [wrong, library[1], other].map(async (text) => {
      const overlay = [{ file: a, text, base: textHash(library[1]) }];
      const { after } = await host.evaluate({ overlay, requests: [], diagnosticsFor: [b] });
      expect(after.map(errors)).toEqual([text === library[1] ? 0 : 1]);
    });
    await Promise.all([...trials, fromDisk(), fromDisk()]);
  } finally {
    await host.stop();
  }
}

async function planOf(project: Project, workspace: Workspace, address: string | undefined) {
  const family = languageTable.find(({ id }) => id === project.family);
  if (!family) throw new Error(`no such family: ${project.family}`);
  const config = { overrides: new Map(), stateDir: workspace.stateDir };
  const { root } = workspace;
  if (address !== undefined) {
    const { host, port } = parseDialAddress(address);
    const server = { kind: 'connect', host, port, addresses: [host] } as const;
    return makeConnectPlan({ family, root, config, server });
  }
  const environment = { ...currentEnvironment(PACKAGE_ROOT), env: workspace.env() };
  const plan = await makePlan({ family, root, config, environment, role: 'types' });
  expect(plan.serverId).toBe(project.serverId);
  if (plan.server.kind !== 'spawn') throw new Error('the server is spawned');
  return { ...plan, server: { ...plan.server, env: workspace.env(plan.server.env) } };
}

/** How many there are; the report must be known to be about its text. */
function errors({ freshness, diagnostics }: DiagnosticReport): number {
  expect(['exact', 'inferred']).toContain(freshness.kind);
  return diagnostics.filter(({ severity }) => severity === DiagnosticSeverity.Error).length;
}

function place(text: string, word: string, from: number): Position {
  const before = text.slice(0, text.indexOf(word, from)).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

describe('text that is tried out', () => {
  it.each([
    { server: 'TypeScript 7', project: typescript },
    { server: 'typescript-language-server', project: typescript5 },
    { server: 'pyright', project: python },
  ])(
    'is judged by $server, here and in what depends on it, and leaves no trace',
    LONG,
    async ({ project }) => {
      await triesOut(project);
    },
  );
});

describeWith(['gopls', 'go'], 'text that is tried out on gopls', ({ gopls }) => {
  it('is judged, here and in what depends on it, and leaves no trace', LONG, async () => {
    await triesOut(go);
  });

  it('is judged by one that somebody else runs, since its sessions are kept apart', LONG, async () => {
    await triesOut(go, { address: (workspace) => listen(gopls, workspace) });
  });
});

/** gopls does not say which port it took, so a free one is looked for first. It ends with the workspace. */
async function listen(gopls: string, workspace: Workspace): Promise<string> {
  const port = await freePort();
  spawn(gopls, [`-listen=127.0.0.1:${port}`], { env: workspace.env(), cwd: workspace.root, stdio: 'ignore' });
  await until(() => accepts(port), { what: `gopls at port ${port}` });
  return `127.0.0.1:${port}`;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
