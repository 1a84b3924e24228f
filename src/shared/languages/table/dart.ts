/** Dart. */
import type { LanguageFamily } from '../family.ts';
import { NESTED_BLOCK, OPEN_DOUBLE, SINGLE, SLASHES, TRIPLE } from '../masks.ts';
import { behindPackage, namesLike } from '../name-looks.ts';
import { around } from '../spawn-parts.ts';

export const dart: LanguageFamily = {
  id: 'dart',
  aliases: ['flutter'],
  extensions: { dart: 'dart' },
  rootMarkers: ['pubspec.yaml', 'analysis_options.yaml'],
  workspaceMarkers: [{ name: 'pubspec.yaml', containing: /^workspace:/m }],
  generatedFiles: /\.freezed\.dart$/i,
  servers: [
    {
      serverId: 'dart',
      command: 'dart',
      args: ['language-server', '--protocol=lsp'],
      alsoIn: ['$FLUTTER_ROOT/bin', '~/flutter/bin', '~/development/flutter/bin'],
      behind: 'flutter',
    },
  ],
  install: 'brew install dart-sdk  (or see https://dart.dev/get-dart)',
  daemonPolicy: 'auto-direct',
  variables: ['FLUTTER_ROOT', 'PUB_CACHE'],
  tests: { names: ['*_test'] },
  text: () => ({
    names: { fits: namesLike(String.raw`[A-Za-z_$][\w$]*`), freeBehind: behindPackage },
    namedArguments: /^\s*:(?!:)/,
    mask: {
      comments: [SLASHES],
      strings: [TRIPLE, String.raw`'''[\s\S]*?'''`, SINGLE],
      opens: [NESTED_BLOCK, OPEN_DOUBLE],
    },
    interpolation: { open: '${', close: '}' },
    namesBehindDollar: true,
    imports: /^(?:import|export|part)\b/,
    body: { kind: 'braces', arrows: 'expressions' },
    spawns: around(
      /\bIsolate\.(?:run|spawn)$/,
      /\bFuture(?:\.(?:delayed|microtask|wait))?(?:<[^<>]*>)?$/,
      /\b(?:unawaited|scheduleMicrotask|compute)$/,
    ),
    publicNames: { name: /^(?!_)/ },
  }),
};
