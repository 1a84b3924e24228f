import { describe, expect, it } from 'vitest';
import { ProgressWatch } from '../../../../src/frontend/mcp/progress.ts';
import { Listeners } from '../../../../src/shared/base/lifetime.ts';
import type { ServerLink, ServerState } from '../../../../src/shared/link/server-link.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

function linkIn(state: ServerState): { link: ServerLink; become(state: ServerState): void } {
  const listeners = new Listeners<ServerState>();
  const link = {
    language: 'go',
    state,
    onState: (listener: (state: ServerState) => void) => listeners.add(listener),
  };
  return {
    // Only what a watcher looks at.
    link: link as unknown as ServerLink,
    become: (next) => {
      link.state = next;
      listeners.emit(next);
    },
  };
}

describe('progress of a waiting call', () => {
  it('follows the state of the server until it is ready', async () => {
    const clock = new FakeClock();
    const sent: [number, string][] = [];
    using watch = new ProgressWatch((progress, message) => sent.push([progress, message]), clock);
    const { link, become } = linkIn({ kind: 'starting', sinceMs: 1_000 });
    watch.watch(link);
    await clock.advance(1_000);
    become({ kind: 'indexing', sinceMs: 2_000, what: 'load', percent: 40 });
    await clock.advance(1_000);
    become({ kind: 'ready', proof: 'test' });
    await clock.advance(60_000);
    expect(sent).toEqual([
      [1, 'go: starting for 1 s'],
      [2, 'go: indexing for 2 s (load, 40 %)'],
    ]);
  });

  it('says nothing of a server that it has not heard of yet, unless that takes long', async () => {
    const clock = new FakeClock();
    const sent: string[] = [];
    using watch = new ProgressWatch((_progress, message) => sent.push(message), clock);
    const { link, become } = linkIn({ kind: 'idle' });
    watch.watch(link);
    await clock.advance(4_000);
    expect(sent).toEqual([]);
    await clock.advance(1_000);
    become({ kind: 'ready', proof: 'test' });
    await clock.advance(60_000);
    expect(sent).toEqual(['go: on its way']);
  });

  it('repeats itself for clients that wait for a sign of life', async () => {
    const clock = new FakeClock();
    const sent: number[] = [];
    using watch = new ProgressWatch((progress) => sent.push(progress), clock);
    watch.watch(linkIn({ kind: 'starting', sinceMs: 0 }).link);
    await clock.advance(5_000);
    await clock.advance(5_000);
    expect(sent).toEqual([1, 2, 3]);
  });

  it('does not flood, and says nothing after its end or for a server that is ready', async () => {
    const clock = new FakeClock();
    const sent: string[] = [];
    const watch = new ProgressWatch((_progress, message) => sent.push(message), clock);
    const { link, become } = linkIn({ kind: 'ready', proof: 'test' });
    watch.watch(link);
    for (let percent = 1; percent <= 50; percent++)
      become({ kind: 'indexing', sinceMs: 1_000, what: 'x', percent });
    await clock.advance(200);
    expect(sent).toEqual(['go: indexing for 1 s (x, 1 %)', 'go: indexing for 1 s (x, 50 %)']);
    watch[Symbol.dispose]();
    become({ kind: 'starting', sinceMs: 0 });
    await clock.advance(10_000);
    expect(sent).toHaveLength(2);
  });
});
