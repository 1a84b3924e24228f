/** The package as it is published: what is in it, and that it runs from there alone. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { installPackage } from '../support/installed-package.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';

const project = path.resolve(import.meta.dirname, '../..');

describe('the npm package', () => {
  it('holds the program and its documents, and serves from where it is installed', async () => {
    await using workspace = createWorkspace(
      '//- src/a.ts\nexport function answer(): number {\n  return 42;\n}\n',
    );
    const { directory: installed, files: names } = await installPackage(workspace.scratch);
    expect(names).toEqual(
      expect.arrayContaining([
        'README.md',
        'LICENSE',
        'CHANGELOG.md',
        'dist/agent-lsp.cjs',
        'skills/lsp-rename/SKILL.md',
      ]),
    );
    expect(names.filter((name) => /^(src|test|scripts|\.)/.test(name))).toEqual([]);

    const program = path.join(installed, 'dist/agent-lsp.cjs');
    await using frontEnd = await startFrontEnd({ workspace, program, args: ['--daemon', 'never'] });
    const { text } = await frontEnd.call('list_symbols', { file_path: 'src/a.ts' });
    expect(text).toContain('function answer 1:17');
    const { messages } = await frontEnd.client.getPrompt({ name: 'lsp-simulate' });
    expect(JSON.stringify(messages)).toContain('# Simulate edits');
    // One process for the session and one server, however much is asked.
    const servers = async () => (await frontEnd.call('start_lsp')).text;
    expect(await servers()).toBe(await servers());
    await frontEnd.close();
    await workspace.expectNothingLeft();
  });

  it('is made of single bytes, as the launcher reads it', () => {
    const packs = readdirSync(path.join(project, 'dist')).filter((name) => name.endsWith('.pack.js'));
    expect(packs.length).toBeGreaterThan(0);
    for (const name of packs)
      expect(
        readFileSync(path.join(project, 'dist', name)).every((byte) => byte < 128),
        name,
      ).toBe(true);
  });

  it('has snippets for clients in its README that run it with one command', () => {
    const readme = readFileSync(path.join(project, 'README.md'), 'utf8');
    const snippets = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map((match) =>
      JSON.parse(match[1] ?? ''),
    );
    const commands = snippets.flatMap((snippet) => {
      const servers = snippet.mcpServers ?? snippet.servers ?? {};
      return Object.values(servers as Record<string, { command?: string; args?: string[] }>);
    });
    expect(commands.length).toBeGreaterThanOrEqual(2);
    for (const { command, args } of commands.filter((one) => one.args?.includes('agent-lsp')))
      expect([command, ...(args ?? [])].slice(0, 3)).toEqual(['npx', '-y', 'agent-lsp']);
  });
});
