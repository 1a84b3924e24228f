/** Every schema that a client can be sent, in every profile, by the validators that clients use. */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { tools } from '../../../../src/frontend/features/registry.ts';
import { instructionsFor } from '../../../../src/frontend/mcp/instructions.ts';
import { toolList } from '../../../../src/frontend/mcp/tool-list.ts';
import { NAMED_PROFILES, OUTPUT_FORMATS } from '../../../../src/shared/config/choices.ts';
import { FACADE_DEFAULTS } from '../../../support/facade-settings.ts';
import { subsetFaults } from '../../../support/schema-subset.ts';

const POLICY = {
  permission: 'write',
  isSubagent: false,
  permissionRules: { allow: [], ask: [], deny: [] },
  ...FACADE_DEFAULTS,
} as const;

const LISTS = NAMED_PROFILES.flatMap((tools) => OUTPUT_FORMATS.map((output) => ({ tools, output })));

describe('the schemas of tools', () => {
  it.each(LISTS)(
    'of $tools as $output compile in both drafts, without a word that is not known',
    async (form) => {
      const listed = await toolList({ ...POLICY, ...form });
      expect(listed.length).toBeGreaterThan(0);
      const schemas = listed.flatMap(({ inputSchema, outputSchema }) => [
        inputSchema,
        ...(outputSchema ? [outputSchema] : []),
      ]);
      // What façades send has the shapes of their products.
      const hasOutput = form.output === 'json' && (form.tools === 'full' || form.tools === 'core');
      expect(schemas).toHaveLength(listed.length * (hasOutput ? 2 : 1));
      for (const draft of [new Ajv({ strict: true }), new Ajv2020({ strict: true })])
        for (const schema of schemas) {
          expect(draft.validateSchema(schema)).toBe(true);
          expect(draft.compile(schema)).toBeTypeOf('function');
        }
    },
  );

  it.each(LISTS)(
    'of $tools as $output use only what the converters of Gemini and OpenAI take',
    async (form) => {
      const listed = await toolList({ ...POLICY, ...form });
      const faults = listed.flatMap(({ name, inputSchema, outputSchema }) =>
        [inputSchema, outputSchema ?? inputSchema].flatMap((schema) =>
          subsetFaults(schema).map((fault) => `${name}: ${fault}`),
        ),
      );
      expect(faults).toEqual([]);
    },
  );

  it.each(NAMED_PROFILES)('and descriptions in %s name no tool that is not listed', async (profile) => {
    const listed = await toolList({ ...POLICY, tools: profile, output: 'text' });
    const names = new Set(listed.map(({ name }) => name));
    const others = tools.map(({ name }) => name).filter((name) => name.includes('_') && !names.has(name));
    expect(listed.flatMap((tool) => others.filter((name) => JSON.stringify(tool).includes(name)))).toEqual(
      [],
    );
    expect(others.filter((name) => instructionsFor(profile).includes(name))).toEqual([]);
  });
});
