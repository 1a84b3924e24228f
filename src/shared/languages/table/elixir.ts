/** Elixir. */
import type { LanguageFamily } from '../family.ts';
import { HASH, OPEN_DOUBLE, SINGLE, TRIPLE } from '../masks.ts';
import { NAME, namesLike } from '../name-looks.ts';
import { AS_GIVEN, type RunnerProgram } from '../runner-rows.ts';
import { around } from '../spawn-parts.ts';

const mix: RunnerProgram = { kind: 'path', names: ['mix'] };

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
  runners: () => [
    {
      name: 'mix compile',
      task: 'build',
      recognised: { files: ['mix.exs'] },
      program: mix,
      args: ['compile'],
      reader: 'mix',
      install: 'install Elixir from https://elixir-lang.org/install.html',
      rank: 3,
    },
    {
      name: 'mix test',
      task: 'test',
      recognised: { files: ['mix.exs'] },
      program: mix,
      args: ['test', '--no-color'],
      only: AS_GIVEN,
      reader: 'exunit',
      install: 'install Elixir from https://elixir-lang.org/install.html',
      rank: 3,
    },
  ],
  text: () => ({
    names: {
      fits: namesLike(String.raw`[@:&]?(?:${NAME}\.)*${NAME}[?!]?`, ':?".*"', String.raw`[^\s\w"'#(){};,]+`),
    },
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
  }),
};
