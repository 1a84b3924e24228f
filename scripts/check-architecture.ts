/**
 * The rules of the tree as data with a reason each: its rooms (`rooms.ts`), packages, globals, module state, sizes and
 * forbidden words. `lib/architecture.ts` applies them. Loosen a row only together with ARCHITECTURE.md.
 */
import { languageIdsOf } from '../src/shared/languages/lookup.ts';
import { languageTable } from '../src/shared/languages/table.ts';
import { type ArchitectureRules, applyRules } from './lib/architecture.ts';
import { type CheckResult, runWhenMain } from './lib/report.ts';
import { rooms } from './rooms.ts';

/** These run tools of the operating system that tell about processes, or end them. */
const asksTheSystem = [
  'src/shared/process/process-identity.ts',
  'src/shared/process/process-tree.ts',
  'src/broker/reaper.ts',
];
/** These give the environment on to a process they start, and read nothing from it. */
const handOverEnvironment = [
  'src/shared/host/process/spawned-server.ts',
  'src/shared/process/process-identity.ts',
];
/** Builds, tests, git and questions to a compiler are processes that end with their call. */
const runsCommands = [
  'src/frontend/processes/run-process.ts',
  'src/frontend/processes/run-git.ts',
  'src/shared/languages/run-typescript.ts',
];
const mains = ['src/main.ts', 'src/{broker,frontend}/main.ts'];

export const rules: ArchitectureRules = {
  rooms,

  /** Files that only one other file may import. */
  onlyFrom: [
    {
      files: 'src/frontend/features/*/{tools,*-tools}.ts',
      importer: 'src/frontend/features/registry.ts',
      reason: 'only the registry imports the literals of tools; what they share is in files of its own',
    },
  ],

  /** Where a package may be imported; packages without a row are free. */
  packages: [
    {
      packages: '@modelcontextprotocol/**',
      only: ['src/frontend/{mcp,http}/**'],
      reason: 'MCP is one edge of the product',
    },
    {
      packages: 'zod',
      only: [
        'src/frontend/tools/**',
        'src/frontend/features/**',
        'src/frontend/extensions/**',
        'src/shared/config/**',
        'src/frontend/mcp/**',
      ],
      reason: 'input is parsed once, at the edge',
    },
    {
      packages: 'yargs{,/**}',
      only: ['src/frontend/cli/**'],
      reason: 'the command line is one edge',
    },
    {
      packages: 'vscode-jsonrpc{,/**}',
      only: ['src/shared/wire/**'],
      reason: 'wire is the one door to JSON-RPC',
    },
    {
      packages: 'proper-lockfile',
      only: ['src/frontend/link/**'],
      reason: 'it is the spawn lock only; ownership never rests on it',
    },
    {
      packages: 'pidusage',
      only: ['src/broker/**', 'src/shared/**'],
      reason: 'process figures are measured where the processes are',
    },
  ],

  /** Folders that take only types from packages. */
  typesOnlyPackages: [{ files: 'src/shared/base/**', reason: 'base runs on the language and Node alone' }],

  /** Where a part of Node may be imported. Types are free: a type starts no process and opens no socket. */
  builtins: [
    {
      builtins: 'node:child_process',
      only: ['src/shared/host/**', 'src/frontend/link/**', ...asksTheSystem, ...runsCommands],
      reason: 'who starts a process must also end it',
    },
    {
      builtins: 'node:net',
      only: [
        'src/shared/rendezvous/endpoint.ts',
        'src/shared/host/**',
        'src/broker/listener.ts',
        // It opens none: it judges addresses.
        'src/frontend/access/dial.ts',
      ],
      reason: 'sockets and pipes have one door',
    },
    {
      builtins: 'node:timers{,/promises}',
      only: ['src/shared/base/lifetime.ts'],
      reason: 'time comes from the clock that is passed in',
    },
    {
      builtins: 'node:process',
      only: [],
      reason: 'the global `process` is what the other rules look for',
    },
  ],

  /** Where a global may be touched. */
  globals: [
    {
      global: 'process.exit',
      only: mains,
      reason: 'everything else ends by returning, so that it can clean up',
    },
    {
      global: 'process.env',
      only: [...mains, 'src/shared/config/**', 'src/**/environment.ts', ...handOverEnvironment],
      reason: 'the environment is read once and passed on',
    },
    {
      global: 'setTimeout',
      only: ['src/shared/base/lifetime.ts'],
      reason: 'waits take a signal and a clock from lifetime.ts, so a sleep cannot be written elsewhere',
    },
    {
      global: 'setInterval',
      only: ['src/shared/base/lifetime.ts'],
      reason: 'waits take a signal and a clock from lifetime.ts, so a sleep cannot be written elsewhere',
    },
  ],

  /** What lives as long as the process: only what can be forgotten, or what is the process itself. */
  moduleState: [
    { files: 'src/launcher.ts', reason: 'it is the process: the packs and parts that it has loaded' },
    { files: 'src/shared/languages/lookup.ts', reason: 'names of a table, kept as long as the table' },
    { files: 'src/shared/languages/facts.ts', reason: 'facts of a language, kept as long as the table' },
    { files: 'src/shared/languages/test-files.ts', reason: 'patterns of names, kept as long as the table' },
    { files: 'src/frontend/symbols/outlines.ts', reason: 'symbols of a text, kept as long as the text' },
    { files: 'src/frontend/lexical/imports.ts', reason: 'imports of a text, kept as long as the text' },
  ],

  /** Who may go by the name of a language; everybody else reads facts of its descriptor. */
  languages: {
    ids: new Set(languageTable.flatMap((family) => [family.id, ...languageIdsOf(family)])),
    extensions: new Set(
      languageTable
        .filter(({ content }) => content === undefined)
        .flatMap(({ extensions }) => Object.keys(extensions))
        // Our own files have these as well.
        .filter((extension) => !['js', 'cjs', 'mjs'].includes(extension)),
    ),
    servers: new Set(languageTable.flatMap(({ servers }) => servers.map(({ serverId }) => serverId))),
    only: [{ files: 'src/shared/languages/{table,runners}/**', reason: 'the descriptors themselves' }],
    byFiles: [
      {
        files: 'src/shared/languages/**',
        reason: 'rules that a descriptor names: workspaces, versions, imports',
      },
      { files: 'src/shared/projects/go-files.ts', reason: 'the rule `go-modules`, which a descriptor names' },
      { files: 'src/shared/host/protocol/load-rules.ts', reason: 'what single servers say' },
      { files: 'src/frontend/render/failure.ts', reason: 'what crashed programs print' },
      { files: 'src/frontend/features/builds/readers/**', reason: 'what single programs print' },
      { files: 'src/frontend/features/builds/project-arguments.ts', reason: 'what single runners are told' },
      { files: 'src/frontend/features/type-checks/*py*.ts', reason: 'the adapter of one type checker' },
    ],
  },

  size: { files: 'src/**', limit: 300, attention: 220 },

  tests: {
    unitTests: { folder: 'test/unit', beside: ['support'] },
    apart: [
      {
        from: 'test',
        to: 'scripts',
        reason:
          'no test imports a script: a script is tested by running it, what both need is in test/support',
      },
      {
        from: 'scripts',
        to: 'test',
        except: 'test/support',
        reason: 'no script imports a test: what both need is in test/support',
      },
      {
        from: 'test/support',
        to: 'test',
        except: 'test/support',
        reason: 'what tests share does not depend on any of them',
      },
    ],
  },

  /** Words that must not occur, or only in the files of `only`, comments and strings included. */
  words: [
    {
      files: ['src/**'],
      pattern: /\b(?:TODO|FIXME|XXX|[Nn]ot implemented)\b/,
      reason: 'unfinished work is an issue, not a comment',
    },
    {
      files: ['src/**'],
      pattern: /\bshell:\s*(?:true|['"`])|\bexec(?:Sync)?\(\s*['"`]/,
      reason: 'processes are started from argument lists: a shell would read names of files as commands',
    },
    {
      files: ['src/**'],
      only: ['src/frontend/render/incomplete.ts', 'src/frontend/mcp/instructions.ts'],
      pattern: /\bINCOMPLETE\b|\bretry in [\d$(\\]/,
      reason: 'render/incomplete.ts alone writes why an answer is not whole, and no code reads it back',
    },
    {
      files: ['test/unit/**'],
      only: ['test/unit/**/*.alone.test.ts'],
      pattern:
        /\bvi\.(?:mock|doMock|stub\w+|spyOn|useFakeTimers)\b|\bprocess\.(?:chdir|umask\(\w)|\bprocess\.env(?:\.\w+|\[[^\]]*\])? = /,
      reason: 'unit tests share a process: name the file *.alone.test.ts',
    },
    {
      files: ['**'],
      pattern: /\b(?:registry|proxy|static)\.[a-z0-9-]+\.(?:org|com|io|dev|net)\b|\bnpmjs\.(?:org|com)\b/i,
      reason: 'where packages come from is the machine’s business',
    },
    {
      files: ['package-lock.json'],
      pattern: /"resolved": "https?:/,
      reason: 'a lock file with addresses works on one machine only; see .npmrc',
    },
    {
      files: ['.npmrc'],
      pattern: /^[^#;]*registry\s*=/,
      reason: 'where packages come from is the machine’s business',
    },
  ],
};

export function checkArchitecture(root: string): CheckResult {
  return applyRules(root, rules);
}

await runWhenMain(import.meta.url, 'architecture', checkArchitecture);
