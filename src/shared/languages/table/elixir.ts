/** Elixir. */
import type { LanguageFamily } from '../family.ts';
import { HASH, OPEN_DOUBLE, SINGLE, TRIPLE } from '../masks.ts';
import { around } from '../spawn-parts.ts';

export const elixir: LanguageFamily = {
  id: 'elixir',
  aliases: ['elixir-ls'],
  extensions: { ex: 'elixir', exs: 'elixir' },
  usedIn: ['heex', 'eex', 'leex'],
  rootMarkers: ['mix.exs'],
  workspaceMarkers: [{ name: 'mix.exs', containing: /\bapps_path:/ }],
  servers: [
    { serverId: 'elixir-ls', command: 'elixir-ls', args: [] },
    { serverId: 'elixir-ls', command: 'language_server.sh', args: [] },
    { serverId: 'expert', command: 'expert', args: ['--stdio'] },
  ],
  install: 'brew install elixir-ls  (or see https://github.com/elixir-lsp/elixir-ls)',
  daemonPolicy: 'auto-daemon',
  tests: { names: ['*_test', 'test_helper'] },
  text: {
    mask: {
      comments: [HASH],
      strings: [
        String.raw`~[a-zA-Z]"""[\s\S]*?"""`,
        TRIPLE,
        String.raw`~[a-zA-Z](?:\/(?:[^/\\]|\\.)*\/|\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|\|[^|]*\|)[a-z]*`,
        SINGLE,
        String.raw`(?<!\w)\?\\?\S`,
      ],
      opens: [OPEN_DOUBLE],
    },
    lineComments: ['#'],
    interpolation: { open: '#{', close: '}' },
    decorator: { line: /^@/, inline: /^@[^\r\n]*/ },
    imports: /^\s*(?:alias|import|require|use)\s+[A-Z]/,
    body: { kind: 'end', header: /\bdo(?=\s|$)/ },
    spawns: around(
      /\bTask(?:\.Supervisor)?\.(?:async|async_stream|start|start_link|start_child)$/,
      /\bspawn(?:_link|_monitor)?$/,
    ),
    publicNames: { unmarked: /\bdefp\b/ },
  },
};
