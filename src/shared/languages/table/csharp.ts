/** C#. */
import type { LanguageFamily } from '../family.ts';
import { BLOCK, DOUBLE, SINGLE, SLASHES, TRIPLE } from '../masks.ts';
import { around } from '../spawn-parts.ts';
import { CAPITALISED_TESTS } from '../test-names.ts';

export const csharp: LanguageFamily = {
  id: 'csharp',
  aliases: ['c#', 'dotnet'],
  extensions: { cs: 'csharp', csx: 'csharp' },
  usedIn: ['cshtml', 'razor', 'xaml', 'fs', 'vb'],
  rootMarkers: ['*.csproj', 'Directory.Build.props', 'omnisharp.json'],
  workspaceMarkers: [{ name: '*.sln' }, { name: '*.slnx' }],
  servers: [
    {
      serverId: 'csharp-ls',
      command: 'csharp-ls',
      args: [],
      alsoIn: ['$DOTNET_CLI_HOME/.dotnet/tools', '~/.dotnet/tools'],
    },
  ],
  install: 'dotnet tool install --global csharp-ls',
  daemonPolicy: 'auto-daemon',
  variables: ['DOTNET_ROOT', 'MSBuildSDKsPath'],
  tests: { names: [...CAPITALISED_TESTS, '*.Test', '*.Tests'] },
  text: {
    mask: {
      comments: [SLASHES, BLOCK],
      strings: [TRIPLE, String.raw`(?:\$@|@\$?)"(?:[^"]|"")*"`, DOUBLE, SINGLE],
    },
    interpolation: { open: '{', close: '}', prefix: /\$/ },
    decorator: { line: /^(?:@|\[.*\]$)/, inline: /^\[(?:[^[\]]|\[[^[\]]*\])*\]/ },
    imports: /^\s*(?:global\s+)?using\s+(?:static\s+)?[\w.]+\s*(?:=|;)/,
    body: { kind: 'braces', arrows: 'expressions' },
    bases: 'colon',
    spawns: around(
      /\bTask\.(?:Run|Factory\.StartNew|WhenAll|WhenAny)$/,
      /\bnew (?:Thread|Timer)$/,
      /\bParallel\.(?:For|ForEach|ForEachAsync|Invoke)$/,
      /\bThreadPool\.QueueUserWorkItem$/,
    ),
    publicNames: { marked: /\b(public|protected|internal)\b/, inInterfaces: true },
  },
};
