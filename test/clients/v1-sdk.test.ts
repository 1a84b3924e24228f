/** A client made with version 1 of the TypeScript SDK, which most clients still use: it compiles every output schema. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';

describe('a client made with version 1 of the TypeScript SDK', () => {
  it.each(['text', 'json'])('lists the tools and checks what they answer (%s)', async (output) => {
    await using workspace = createWorkspace('//- a.ts\nexport function shared(): number {\n  return 1;\n}\n');
    const client = new Client({ name: 'v1', version: '1.0.0' }, { capabilities: { roots: {} } });
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: [{ uri: `file://${workspace.root}` }],
    }));
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BUILT_PROGRAM, '--daemon', 'never', '--output', output],
      cwd: workspace.root,
      env: workspace.env(),
    });
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('list_symbols');
      for (const [name, args] of [
        ['list_symbols', { file_path: 'a.ts' }],
        ['find_references', { symbol: 'shared' }],
        ['get_diagnostics', { file_path: 'a.ts' }],
        ['explore_symbol', { symbol: 'shared' }],
      ] as const) {
        const answer = await client.callTool({ name, arguments: args });
        expect(answer.isError, name).toBeUndefined();
        expect(answer.structuredContent !== undefined, name).toBe(output === 'json');
      }
    } finally {
      await client.close();
    }
    await workspace.expectNothingLeft();
  });

  it('lists the skills as prompts, gets one and has an argument completed', async () => {
    await using workspace = createWorkspace('//- src/a.ts\n');
    const client = new Client({ name: 'v1', version: '1.0.0' });
    const { root: cwd } = workspace;
    const env = workspace.env();
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [BUILT_PROGRAM], cwd, env }),
    );
    try {
      const { prompts } = await client.listPrompts();
      expect(prompts).toHaveLength(26);
      const name = 'lsp-impact';
      const { messages } = await client.getPrompt({ name, arguments: { 'file-path': 'src/a.ts' } });
      expect(messages[0]?.content).toMatchObject({
        type: 'text',
        text: expect.stringMatching(/^file-path: src\/a\.ts\n\n# Impact of a change\n/),
      });
      const ref = { type: 'ref/prompt', name } as const;
      const { completion } = await client.complete({ ref, argument: { name: 'file-path', value: 'src/' } });
      expect(completion.values).toEqual(['src/a.ts']);
    } finally {
      await client.close();
    }
    await workspace.expectNothingLeft();
  });
});
