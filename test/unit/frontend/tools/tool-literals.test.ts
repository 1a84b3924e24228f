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

describe('a literal of a tool', () => {
  it('says of a tool that writes how its user is asked', () => {
    expect(defineTool({ ...plain, effect: 'write', hasPreview: true })).toMatchObject({ asksItself: false });
    expect(defineTool({ ...plain, effect: 'write', asksItself: true })).toMatchObject({ hasPreview: false });
  });

  it('does not compile where it contradicts itself', () => {
    // @ts-expect-error who only reads has nothing to show before it writes
    defineTool({ ...plain, effect: 'read', hasPreview: true });
    // @ts-expect-error who only reads asks nobody
    defineTool({ ...plain, effect: 'preview', asksItself: true });
    // @ts-expect-error it asks either before it begins or right before it writes
    defineTool({ ...plain, effect: 'write', hasPreview: true, asksItself: true });
  });
});
