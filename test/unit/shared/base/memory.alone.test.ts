/** Hints to V8: what they are for can be seen. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GarbageWatch } from '../../../../src/shared/base/memory.ts';

/** Some ten megabytes of objects that nobody keeps but the array, old enough to be among the old ones. */
async function grown(): Promise<{ kept: object[] }> {
  const kept: object[] = [];
  for (let index = 0; index < 150_000; index++) kept.push({ index, text: `object ${index}` });
  await turn();
  return { kept };
}

async function endCalls(watch: GarbageWatch): Promise<void> {
  for (let call = 0; call < 16; call++) watch.callEnded();
  await turn();
}

describe('garbage of many calls', () => {
  it('is looked for when much has come together', async () => {
    const watch = new GarbageWatch();
    await endCalls(watch);
    const held = await grown();
    const garbage = new WeakRef(held.kept);
    held.kept = [];
    await turn();
    await endCalls(watch);
    await turn();
    expect(garbage.deref()).toBeUndefined();
  });
});
