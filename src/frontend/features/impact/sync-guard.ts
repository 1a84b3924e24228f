/** Types that hold a lock: a change of them has to take threads into account. */

import { isType } from '../../symbols/public-symbols.ts';
import type { SymbolNode } from '../../symbols/symbol-tree.ts';
import type { SourceFile } from '../../workspace/source-files.ts';

const LOCK = new RegExp(
  [
    String.raw`\bsync\.(RW)?Mutex\b|\bsync\.(Once|Map|Cond|WaitGroup)\b|\batomic\.\w+`, // Go
    String.raw`\b(Mutex|RwLock|Atomic[A-Z]\w*|OnceCell)\s*<|\bAtomic(Bool|[IU]\d+|[IU]size|Usize|Isize)\b`, // Rust
    String.raw`\bstd::(\w+_)?mutex\b|\bstd::atomic\b|\bpthread_mutex_t\b`, // C and C++
    String.raw`\b(threading|asyncio|multiprocessing)\.(R?Lock|Semaphore|Condition|Event)\b`, // Python
    String.raw`\b(Reentrant|ReadWrite|Stamped|ReentrantReadWrite)Lock\b|\bAtomic(Integer|Long|Boolean|Reference)\b|\bsynchronized\b`, // Java
    String.raw`\bSemaphoreSlim\b|\bReaderWriterLockSlim\b|\bInterlocked\b|\block\s*\(`, // C#
    String.raw`\bNSLock\b|\bOSAllocatedUnfairLock\b|\bnew (Mutex|Semaphore)\b|\bAtomics\.`, // Swift, JavaScript
  ].join('|'),
);

/** Names of the file's types that are guarded. */
export function guardedTypes(symbols: Iterable<SymbolNode>, { lines }: SourceFile): ReadonlySet<string> {
  const guarded = new Set<string>();
  for (const node of symbols) {
    if (!isType(node)) continue;
    for (let line = node.start.line; line <= node.end.line; line++) {
      if (!LOCK.test(lines.at(line))) continue;
      guarded.add(node.path.join('.'));
      break;
    }
  }
  return guarded;
}
