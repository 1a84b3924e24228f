/** C#. */
import type { LanguageFamily } from '../family.ts';
import { BLOCK, DOUBLE, SINGLE, SLASHES, TRIPLE } from '../masks.ts';
import { behindPackage, namesLike } from '../name-looks.ts';
import type { RunnerProgram } from '../runner-rows.ts';
import { around } from '../spawn-parts.ts';
import { CAPITALISED_TESTS } from '../test-names.ts';

const dotnet: RunnerProgram = { kind: 'path', names: ['dotnet'], alsoIn: ['~/.dotnet', '/usr/share/dotnet'] };
const DOTNET_FILES = ['*.sln', '*.slnx', '*.csproj', '*.fsproj'];
const DOTNET_ENVIRONMENT = { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' };

export const csharp: LanguageFamily = {
  id: 'csharp',
  aliases: ['c#', 'dotnet'],
  extensions: { cs: 'csharp', csx: 'csharp' },
  usedIn: ['cshtml', 'razor', 'xaml', 'fs', 'vb'],
  rootMarkers: ['*.csproj', 'Directory.Build.props', 'omnisharp.json'],
  workspaceMarkers: [{ name: '*.sln' }, { name: '*.slnx' }],
  generatedFiles: /\.designer\.cs$/i,
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
  runners: () => [
    {
      name: 'dotnet build',
      task: 'build',
      recognised: { files: DOTNET_FILES },
      program: dotnet,
      args: ['build', '--nologo', '-v:q', '-nodeReuse:false'],
      env: DOTNET_ENVIRONMENT,
      reader: 'parentheses',
      install: 'install .NET from https://dotnet.microsoft.com/download',
      rank: 3,
    },
    {
      name: 'dotnet test',
      task: 'test',
      recognised: { files: DOTNET_FILES },
      program: dotnet,
      args: ['test', '--nologo', '--logger', 'console;verbosity=normal'],
      env: DOTNET_ENVIRONMENT,
      reader: 'dotnet-test',
      install: 'install .NET from https://dotnet.microsoft.com/download',
      rank: 3,
    },
  ],
  text: () => ({
    names: {
      fits: namesLike(String.raw`@?[\p{ID_Start}_\\][\p{ID_Continue}\p{Cf}\\]*`),
      freeBehind: behindPackage,
    },
    namedArguments: /^\s*:(?!:)/,
    overloadsAreApart: true,
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
  }),
};
