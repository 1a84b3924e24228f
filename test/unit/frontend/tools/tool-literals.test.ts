/** What contradicts itself in the literal of a tool does not compile; `npm run check` fails if it ever does. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../../src/frontend/tools/define-tool.ts';

const plain = {
  name: 'made_up',
  title: 'Made up',
  description: 'Does nothing.',
  input: () => z.strictObject({}),
  output: () => z.strictObject({}),
  run: async () => ({ text: '', data: {} }),
};

const beyond = { effect: 'expand', when: 'with connect' } as const;

describe('a literal of a tool', () => {
  it('says what the tool does, and what it does for some arguments only', () => {
    expect(defineTool({ ...plain, effect: 'write', hasPreview: true })).toMatchObject({ hasPreview: true });
    expect(defineTool({ ...plain, effect: 'execute' })).toMatchObject({ beyond: undefined });
    expect(defineTool({ ...plain, effect: 'read', changesSession: true, beyond })).toMatchObject({ beyond });
  });

  it('does not compile where it contradicts itself', () => {
    // @ts-expect-error who only reads has nothing to show before it writes
    defineTool({ ...plain, effect: 'read', hasPreview: true });
    // @ts-expect-error what a program will do cannot be shown
    defineTool({ ...plain, effect: 'execute', hasPreview: true });
    // @ts-expect-error who reaches beyond the roots does more than to change the session
    defineTool({ ...plain, effect: 'expand', changesSession: true });
    // @ts-expect-error who always runs programs does not do so for some arguments only
    defineTool({ ...plain, effect: 'execute', beyond });
    // @ts-expect-error who changes files shows or asks for that, and does nothing else
    defineTool({ ...plain, effect: 'write', beyond });
    // @ts-expect-error to write for some arguments only is to write
    defineTool({ ...plain, effect: 'read', beyond: { effect: 'write', when: 'with apply' } });
    // @ts-expect-error an effect that nobody judges
    defineTool({ ...plain, effect: 'session' });
  });
});
