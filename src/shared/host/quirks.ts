/** What particular servers do differently, as data. Nothing else in the code asks which server it talks to. */

export interface Quirks {
  /**
   * How the server shows that its first answers will be complete.
   * `handshake`: it answers completely from the start, or waits by itself.
   * `first-answer`: it reports its work as progress, if at all, and that has begun when it answers anything.
   * `first-file`: it begins to index when the first file is opened, and only if it finds one of the lists of files named
   * here; without one it knows the opened files alone.
   * `log`: a line of window/logMessage says so. `progress`: a work-done progress must end first.
   * `status`: rust-analyzer's serverStatus or jdtls' language/status.
   */
  readonly ready:
    | { by: 'handshake' }
    | { by: 'first-answer' }
    | { by: 'first-file'; lists: readonly string[] }
    | { by: 'log'; pattern: RegExp }
    | { by: 'progress' }
    | { by: 'status' };
  /** False when the server reports progress only for single requests, which says nothing about its index. */
  readonly progressIsIndexing: boolean;
  /** Answer to workspace/configuration for a section nobody has configured. */
  readonly unknownSection: null | Readonly<Record<string, never>>;
  /** Leaves imports and re-exports out of references together with the declaration. */
  readonly importsAreDeclarations: boolean;
  /** How long the server needs between its first and its last publication for one change. */
  readonly settleMs: number;
}

const ordinary: Quirks = {
  ready: { by: 'first-answer' },
  progressIsIndexing: true,
  unknownSection: null,
  importsAreDeclarations: false,
  settleMs: 500,
};

const PYRIGHT: Quirks = {
  ...ordinary,
  // Before this line it answers references from the open files alone.
  ready: { by: 'log', pattern: /^(Found \d+ source files?|No source files found)/ },
  progressIsIndexing: false,
  settleMs: 200,
};

const TABLE: Readonly<Record<string, Partial<Quirks>>> = {
  pyright: PYRIGHT,
  basedpyright: PYRIGHT,
  // Publishes an empty set first and the real one about 150 ms later.
  'typescript-language-server': { settleMs: 500 },
  'typescript-7': { ready: { by: 'handshake' }, importsAreDeclarations: true },
  clangd: { ready: { by: 'first-file', lists: ['compile_commands.json', 'build/compile_commands.json'] } },
  gopls: { ready: { by: 'progress' }, settleMs: 300 },
  'rust-analyzer': { ready: { by: 'status' }, settleMs: 1000 },
  jdtls: { ready: { by: 'status' }, unknownSection: {}, settleMs: 1000 },
};

export function quirksOf(serverId: string): Quirks {
  return { ...ordinary, ...TABLE[serverId] };
}
