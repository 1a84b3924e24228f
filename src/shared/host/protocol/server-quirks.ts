/** What particular servers do differently. Nothing else in the code asks which server it talks to. */
import { ReferencesRequest } from 'vscode-languageserver-protocol';
import { loadRulesOf } from './load-rules.ts';
import { ORDINARY, type Quirks } from './quirks.ts';

const FILES_LISTED = /^(Found \d+ source files?|No source files found)/;

const PYRIGHT: Partial<Quirks> = {
  // Before this line it answers references from the open files alone.
  ready: { by: 'log', pattern: FILES_LISTED },
  fileListTaken: FILES_LISTED,
  progressIsIndexing: false,
  asksForProgress: [ReferencesRequest.method],
  searchesTrackedOnly: true,
  assignmentsDeclare: true,
  asksForSettings: true,
  oneAtATime: true,
  // Seen in 1.1.414: a search that was taken back before its turn makes the next one fail like this.
  passingError: /_token\.cancel is not a function/,
  // Seen in 1.1.414: the sources of an editable install outside of the root are a library to it.
  readsBeyondLater: true,
  settleMs: 200,
  checkerReadsDisk: 'new-files',
};

/** What all servers have that are built on the compiler's own language service. */
const TYPESCRIPT: Partial<Quirks> = {
  leavesSymbolsOut: true,
  renamesByAlias: true,
  // Seen in 5.9.3 and 7.0.2: `new Engine({ cache: '' })` where cache is a boolean. Calls without `new` keep what they mean.
  losesKeysOfNew: true,
  namesShareWords: true,
  renamesImportedFiles: true,
  readsProjectsBelow: true,
};

const TABLE: Readonly<Record<string, Partial<Quirks>>> = {
  pyright: PYRIGHT,
  basedpyright: PYRIGHT,
  // Publishes an empty set first and the real one about 150 ms later.
  'typescript-language-server': {
    ...TYPESCRIPT,
    // Its engine answers in order, and so only after the project of the file was loaded.
    ready: { by: 'first-answer' },
    oneAtATime: true,
    callsArePartial: true,
    tiesInOwnProjects: true,
    // With a hundred its engine comes to the end of its memory and never answers again.
    mostProjects: { asked: 40, kept: 64 },
    projectsWait: 'after-news',
    settleMs: 500,
    // 200 or more until it asks its engine, and 50 until it publishes what that found.
    pauseMs: 250,
    engine: /tsserver\.js/,
    engineCommand: 'typescript.tsserverRequest',
    leaveWatchingToUs: { tsserver: { useClientFileWatcher: true } },
    // After a refactoring, to let the user name what it made (5.3, applyRefactoring).
    editorRequests: ['_typescript.rename'],
  },
  'typescript-7': {
    ...TYPESCRIPT,
    ready: { by: 'handshake' },
    importsAreDeclarations: true,
    callsArePartial: true,
    mostSymbols: 256,
    projectsWait: 'after-moves',
  },
  deno: TYPESCRIPT,
  vtsls: TYPESCRIPT,
  tsgo: TYPESCRIPT,
  // It skips a text that is followed by another, and is silent on one that it has built before; see its ClangdServer.h.
  clangd: {
    ready: { by: 'first-file', lists: ['compile_commands.json', 'build/compile_commands.json'] },
    definitionToggles: true,
    withChange: { wantDiagnostics: true },
    keepsIncluded: { argument: '--use-dirty-headers', anew: { forceRebuild: true } },
  },
  // Where it is not asked, it analyses and looks at other files only a second after a change.
  gopls: {
    ready: { by: 'progress' },
    settleMs: 300,
    dependentsMs: 1300,
    secondStageMs: 1300,
    sessionsApart: true,
    searchesTrackedOnly: true,
    leftOut: {
      words: /^no package metadata for file (file:\S+)$/,
      where: 'in no build of this workspace (build tags, GOOS or GOARCH, or a module apart)',
      next: 'Search its text; GOFLAGS=-tags=…, GOOS or GOARCH in the environment of agent-lsp, or go.work, let it be built',
    },
    loadsAlone: {
      sign: /^go list: |: could not import /,
      unknown: /^compiler: undefined: (\w+)$/,
      anewFor: 'vendor/modules.txt',
    },
    nothingThere:
      /^(no identifier found|identifier not found|no symbol here|not a type name|no enclosing expression has a type|cannot find type name\(s\) from type .+|.+ is not a function|.+ is a function, not a method.*|.+ is an? \w+, not a type)$/,
  },
  // Of `{ stop }` in a pattern or a literal, its references have those of the field and of the variable.
  'rust-analyzer': {
    ready: { by: 'status' },
    namesShareWords: true,
    settleMs: 1000,
    publishesToo: true,
    checkerReadsDisk: 'always',
    fileText: 'rust-analyzer/viewFileText',
  },
  jdtls: { ready: { by: 'status' }, unknownSection: {}, settleMs: 1000, checkerReadsDisk: 'always' },
};

export function quirksOf(serverId: string): Quirks {
  return { ...ORDINARY, unloaded: loadRulesOf(serverId), ...TABLE[serverId] };
}
