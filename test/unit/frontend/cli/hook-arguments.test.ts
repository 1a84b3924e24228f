import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookArguments } from '../../../../src/frontend/cli/hook-arguments.ts';

const README = readFileSync(path.resolve(import.meta.dirname, '../../../../README.md'), 'utf8');

describe('the command line of hooks', () => {
  it('is understood as the README writes it for each client', () => {
    const [, section = ''] = /\n## Hooks\n([\s\S]*?)\n## /.exec(README) ?? [];
    const snippets = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) =>
      JSON.parse(text),
    );
    const commands = [...JSON.stringify(snippets).matchAll(/"agent-lsp hook ([^"]*)"/g)].map(
      ([, line = '']) => line,
    );
    const parsed = commands.map((line) => hookArguments(line.split(' ')));
    expect(parsed.filter((each) => 'problem' in each)).toEqual([]);
    const clients = parsed.map((each) => 'hook' in each && (each.hook.client ?? 'claude'));
    expect(new Set(clients)).toEqual(new Set(['claude', 'codex', 'cursor', 'copilot', 'gemini']));
    const events = parsed.map((each) => 'hook' in each && each.hook.event);
    expect(new Set(events).size).toBe(5);
  });

  it('takes files, roots, a mode and a time', () => {
    const args = 'post-edit a.ts -r /x --root /y b.ts --mode edit_write --timeout 1.5'.split(' ');
    expect(hookArguments(args)).toEqual({
      hook: {
        event: 'post-edit',
        files: ['a.ts', 'b.ts'],
        client: undefined,
        mode: 'edit_write',
        timeoutMs: 1_500,
        configFile: undefined,
        roots: ['/x', '/y'],
        daemon: undefined,
        isSubagent: false,
      },
    });
  });

  it.each([
    { args: ['post-edit', '--timeout', 'soon'], problem: /--timeout is "soon"/ },
    {
      args: ['post-edit', '--mode', 'edit-write'],
      problem: /no mode "edit-write", did you mean edit_write\?/,
    },
    { args: [], problem: /no event ""; one of session-start/ },
  ])('refuses $args with what would be right', ({ args, problem }) => {
    expect(hookArguments(args)).toEqual({ problem: expect.stringMatching(problem) });
  });
});
