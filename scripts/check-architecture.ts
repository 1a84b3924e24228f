/**
 * The import rules of the tree, its size limits and its forbidden words, as data with a reason each.
 * `lib/architecture.ts` applies them. Loosen a row only together with ARCHITECTURE.md.
 */
import { type ArchitectureRules, applyRules } from './lib/architecture.ts';
import { type CheckResult, runWhenMain } from './lib/report.ts';

/** Every file of `src/frontend/tools` is a tool family, except the support files named here. */
const toolFamilies = 'src/frontend/tools/!(define-tool|fields|registry|shapes|tool-schemas).ts';
/** These run tools of the operating system that tell about processes, or end them. */
const asksTheSystem = [
  'src/shared/process-identity.ts',
  'src/shared/process-tree.ts',
  'src/broker/reaper.ts',
];
/** These give the environment on to a process they start, and read nothing from it. */
const handOverEnvironment = ['src/shared/host/spawned-server.ts', 'src/shared/process-identity.ts'];
/** Builds, tests, git and questions to a compiler are processes that end with their call. */
const runsCommands = [
  'src/frontend/builds/run-process.ts',
  'src/frontend/git/run-git.ts',
  'src/shared/languages/run-typescript.ts',
];
const mains = ['src/main.ts', 'src/{broker,frontend}/main.ts'];

export const rules: ArchitectureRules = {
  /** Which files of ours a file may import, types included. The first row that names the importing file decides. */
  layers: [
    {
      files: 'src/main.ts',
      mayImport: ['src/shared/**', 'src/broker/main.ts', 'src/frontend/main.ts'],
      reason: 'main.ts chooses between broker and front end, and only it knows both',
    },
    {
      files: 'src/launcher.ts',
      mayImport: ['src/shared/**'],
      reason: 'the launcher is a bundle of its own, loaded before everything else at each start',
    },
    {
      files: 'src/shared/base/**',
      mayImport: ['src/shared/base/**'],
      reason: 'base is the ground everything else stands on',
    },
    {
      files: 'src/shared/wire/**',
      mayImport: ['src/shared/{base,wire}/**', 'src/shared/broker-protocol.ts'],
      reason: 'wire moves messages and knows nothing of servers',
    },
    {
      files: 'src/shared/host/**',
      mayImport: [
        'src/shared/{base,wire,host,projects}/**',
        'src/shared/{server-link,server-plan,describe-state,version,process-tree}.ts',
      ],
      reason:
        'the host manages one server from a finished plan, and knows the projects it is for: no sockets of ours, no MCP, no language table',
    },
    {
      files: 'src/shared/**',
      mayImport: ['src/shared/**'],
      reason: 'shared serves broker and front end and knows neither',
    },
    {
      files: 'src/broker/**',
      mayImport: ['src/shared/**', 'src/broker/**'],
      reason: 'broker and front end meet only on the wire; a shared type would tie their versions together',
    },
    {
      files: 'src/frontend/tools/registry.ts',
      mayImport: ['src/shared/**', 'src/frontend/tools/**'],
      reason: 'the registry lists families and does nothing else',
    },
    {
      files: 'src/frontend/tools/**',
      mayImport: ['src/shared/**', 'src/frontend/**'],
      except: [
        'src/frontend/{link,mcp,commands}/**',
        'src/frontend/tools/registry.ts',
        toolFamilies,
        ...mains,
      ],
      reason:
        'a tool sees its context, never the session, link or MCP behind it, and families share code only through support files',
    },
    {
      files: 'src/frontend/**',
      mayImport: ['src/shared/**', 'src/frontend/**'],
      except: [toolFamilies],
      reason: 'the front end never imports the broker, and reaches tools only through the registry',
    },
  ],

  /** Where a package may be imported; packages without a row are free. */
  packages: [
    {
      packages: '@modelcontextprotocol/**',
      only: ['src/frontend/mcp/**'],
      reason: 'MCP is one edge of the product',
    },
    {
      packages: 'zod',
      only: ['src/frontend/tools/**', 'src/shared/config/**', 'src/frontend/mcp/**'],
      reason: 'input is parsed once, at the edge',
    },
    {
      packages: 'yargs{,/**}',
      only: ['src/frontend/cli.ts', 'src/frontend/commands/**'],
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
      only: ['src/shared/endpoint.ts', 'src/shared/host/**', 'src/broker/listener.ts'],
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

  size: { files: 'src/**', limit: 300, attention: 220 },

  /** Words that must not occur, comments and strings included. */
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
