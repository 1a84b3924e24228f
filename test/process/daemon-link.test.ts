/** A link over real broker processes that are killed and stopped under it. */
import { spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostLink } from '../../src/frontend/link/host-link.ts';
import { openDaemonLink } from '../../src/frontend/link/open-daemon-link.ts';
import { failureOf } from '../../src/shared/base/failure.ts';
import { BROKER } from '../../src/shared/rendezvous/broker-methods.ts';
import type { BrokerStatus } from '../../src/shared/rendezvous/broker-protocol.ts';
import { MemoryHost } from '../support/broker-host.ts';
import {
  type BrokerWorld,
  type BuiltEntry,
  brokerWorld,
  buildEntry,
  connected,
  untilRecord,
} from '../support/broker-world.ts';
import { until } from '../support/events.ts';

let entry: BuiltEntry;
let client: BuiltEntry;
beforeAll(async () => {
  [entry, client] = await Promise.all([buildEntry(), buildEntry({ name: 'broker-client-entry' })]);
});
afterAll(() => {
  entry[Symbol.dispose]();
  client[Symbol.dispose]();
});

function linkIn(world: BrokerWorld) {
  const direct = new MemoryHost(world.launch.plan);
  const link = openDaemonLink(world.target(), async () => new HostLink(direct), { budgetMs: 30_000 });
  return { link, direct, [Symbol.asyncDispose]: () => link.close() };
}

async function stop(world: BrokerWorld): Promise<void> {
  const pid = world.record()?.process.pid;
  if (pid !== undefined) process.kill(pid, 'SIGTERM');
  await world.expectNothingLeft();
}

describe('a link over a broker process', () => {
  it('survives kill -9 of the broker with calls in flight', async () => {
    await using world = brokerWorld(entry);
    await using bench = linkIn(world);
    const { link } = bench;
    await link.facts();
    const first = world.record();
    const cancel = new AbortController();
    const kind = (error: unknown) => failureOf(error)?.kind;
    setMaxListeners(20, cancel.signal);
    const held = Array.from({ length: 20 }, () =>
      link.request('test/hang', null, { signal: cancel.signal }).catch(kind),
    );
    const once = link.request('test/hang', null, { idempotent: false }).catch(kind);
    using looker = await connected(first ?? expect.unreachable());
    await until(
      async () => ((await looker.request(BROKER.status, {})) as BrokerStatus).sessions[0]?.pending === 21,
      {
        what: 'calls in flight',
      },
    );
    process.kill(first?.process.pid ?? 0, 'SIGKILL');
    expect(await once).toBe('connection-lost');
    const second = await untilRecord(
      world,
      (record) => record !== undefined && record.generation !== first?.generation,
      'a new broker',
    );
    expect(second?.process.pid).not.toBe(first?.process.pid);
    cancel.abort();
    expect(new Set(await Promise.all(held))).toEqual(new Set(['cancelled']));
    expect(await link.request('test/echo', 'warm')).toBe('warm');
    expect(link.mode).toBe('daemon');
    await link.close();
    await stop(world);
  });

  it('finishes calls directly when the broker is stopped in the middle', async () => {
    await using world = brokerWorld(entry);
    await using bench = linkIn(world);
    const { link } = bench;
    await link.facts();
    const pid = world.record()?.process.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    expect(await link.request('test/echo', 'served')).toBe('served');
    expect(link.mode).toBe('direct');
    expect(link.notice).toContain('no sign of life');
    expect(world.record()?.process.pid).toBe(pid);
    process.kill(pid, 'SIGCONT');
    await link.close();
    await using later = linkIn(world);
    expect(await later.link.request('test/echo', 'warm again')).toBe('warm again');
    expect(later.link.mode).toBe('daemon');
    await later.link.close();
    await stop(world);
  });

  it('lets its process end by itself after it was closed, whatever became of the broker', async () => {
    await using world = brokerWorld(entry);
    const run = () => runClient(client.script, world);
    // From cold: nothing but the link keeps this process alive while it waits for the broker.
    expect(await run()).toEqual({ code: 0, said: { answer: 'hello', mode: 'daemon' } });
    expect(await run()).toEqual({ code: 0, said: { answer: 'hello', mode: 'daemon' } });
    const pid = world.record()?.process.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    expect(await run()).toEqual({ code: 0, said: { answer: 'hello', mode: 'direct' } });
    process.kill(pid, 'SIGCONT');
    await stop(world);
  });
});

async function runClient(
  script: string,
  world: BrokerWorld,
): Promise<{ code: number | null; said: unknown }> {
  const child = spawn(process.execPath, [script, JSON.stringify(world.target())], {
    env: world.workspace.env(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: JSON.parse(said || 'null') };
}
