/**
 * How each language starts work that runs beside or after the code that started it, as patterns for the text around a
 * call.
 */

export interface SpawnPattern {
  /** What it is called in answers; without it the text that matched. */
  readonly name?: string;
  /** Fits the text directly before the call. */
  readonly before?: RegExp;
  /** Fits the text before a bracket that the call is in. */
  readonly around?: RegExp;
}

const around = (...patterns: readonly RegExp[]): readonly SpawnPattern[] =>
  patterns.map((pattern) => ({ around: pattern }));

const SCRIPT: readonly SpawnPattern[] = [
  ...around(
    /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|requestAnimationFrame|requestIdleCallback)$/,
    /\bprocess\.nextTick$/,
    /\bPromise\.(?:all|allSettled|any|race)$/,
    /\bnew (?:Worker|SharedWorker)$/,
  ),
  { name: 'void (not awaited)', before: /\bvoid\s+[\w.#?]*$/ },
];

const JVM = around(
  /\bnew Thread$/,
  /\bThread\.(?:startVirtualThread|ofVirtual\(\)\.start|ofPlatform\(\)\.start)$/,
  /\.(?:submit|execute|schedule|scheduleAtFixedRate|scheduleWithFixedDelay|invokeAll|invokeAny)$/,
  /\bCompletableFuture\.(?:runAsync|supplyAsync)$/,
  /\.then\w*Async$/,
);

/** By language family. */
export const SPAWN_PATTERNS: Readonly<Record<string, readonly SpawnPattern[]>> = {
  typescript: SCRIPT,
  vue: SCRIPT,
  svelte: SCRIPT,
  python: around(
    /\basyncio\.(?:create_task|ensure_future|gather|wait|wait_for|to_thread|run_coroutine_threadsafe)$/,
    /\.(?:create_task|start_soon|submit|run_in_executor|apply_async|map_async|imap|imap_unordered)$/,
    /\.call_(?:soon|soon_threadsafe|later|at)$/,
    /\b(?:threading\.)?(?:Thread|Timer)$/,
    /\b(?:multiprocessing\.)?Process$/,
  ),
  go: [
    { name: 'go func', around: /\bgo\s+func\s*\([^{}]*$/ },
    { name: 'go statement', before: /\bgo\s+(?:[\w.]|\([^()]*\)|\[[^[\]]*\])*$/ },
    ...around(/\btime\.AfterFunc$/),
    { name: 'Go of a group', around: /\.Go$/ },
  ],
  rust: around(/(?:\b\w+::)*\bspawn(?:_blocking|_local|_named)?$/, /\b(?:rayon::)?(?:join|scope)$/),
  cpp: around(
    /\bpthread_create$/,
    /\bthrd_create$/,
    /\b(?:std::)?async$/,
    /\bstd::j?thread(?:\s+\w+)?$/,
    /\b(?:dispatch_async|CreateThread|_beginthreadex?)$/,
  ),
  java: JVM,
  kotlin: [...JVM, ...around(/\b(?:launch|async|thread|withContext)(?:\([^()]*\))?\s*$/)],
  scala: [...JVM, ...around(/\bFuture(?:\.apply)?\s*$/)],
  csharp: around(
    /\bTask\.(?:Run|Factory\.StartNew|WhenAll|WhenAny)$/,
    /\bnew (?:Thread|Timer)$/,
    /\bParallel\.(?:For|ForEach|ForEachAsync|Invoke)$/,
    /\bThreadPool\.QueueUserWorkItem$/,
  ),
  swift: around(
    /\bTask(?:\.detached)?(?:\([^()]*\))?\s*$/,
    /\.(?:async|asyncAfter|addTask|addOperation)(?:\([^()]*\))?\s*$/,
    /\bThread\.detachNewThread\s*$/,
  ),
  dart: around(
    /\bIsolate\.(?:run|spawn)$/,
    /\bFuture(?:\.(?:delayed|microtask|wait))?(?:<[^<>]*>)?$/,
    /\b(?:unawaited|scheduleMicrotask|compute)$/,
  ),
  ruby: around(/\b(?:Thread|Ractor|Fiber)\.(?:new|start|fork)\s*$/, /\bfork\s*$/),
  elixir: around(
    /\bTask(?:\.Supervisor)?\.(?:async|async_stream|start|start_link|start_child)$/,
    /\bspawn(?:_link|_monitor)?$/,
  ),
  zig: around(/\bThread\.spawn$/),
};
