/** Swift. */
import type { LanguageFamily } from '../family.ts';
import { NESTED_BLOCK, OPEN_DOUBLE, SLASHES, TRIPLE } from '../masks.ts';
import { BACKTICKED, namesLike } from '../name-looks.ts';
import { around } from '../spawn-parts.ts';
import { CAPITALISED_TESTS } from '../test-names.ts';

export const swift: LanguageFamily = {
  id: 'swift',
  aliases: ['sourcekit'],
  extensions: { swift: 'swift' },
  rootMarkers: ['Package.swift', '*.xcodeproj', '*.xcworkspace', 'buildServer.json'],
  servers: [
    { serverId: 'sourcekit-lsp', command: 'sourcekit-lsp', args: [], alsoIn: ['~/.local/share/swiftly/bin'] },
    { serverId: 'sourcekit-lsp', command: 'xcrun', args: ['sourcekit-lsp'], platform: 'darwin' },
  ],
  install: 'xcode-select --install  (Linux: swiftly install latest)',
  daemonPolicy: 'auto-direct',
  variables: ['DEVELOPER_DIR', 'TOOLCHAINS'],
  tests: { names: CAPITALISED_TESTS },
  runners: () => [
    {
      name: 'swift build',
      task: 'build',
      recognised: { files: ['Package.swift'] },
      program: { kind: 'path', names: ['swift'] },
      args: ['build'],
      reader: 'colon',
      install: 'install Swift from https://www.swift.org/install',
    },
    {
      name: 'swift test',
      task: 'test',
      recognised: { files: ['Package.swift'] },
      program: { kind: 'path', names: ['swift'] },
      args: ['test'],
      reader: 'swift-test',
      install: 'install Swift from https://www.swift.org/install',
    },
  ],
  text: () => ({
    // Operators and emoji are names, and the labels of arguments may be given with one.
    names: {
      fits: namesLike(
        BACKTICKED,
        String.raw`[^\s\d"'.,;{}[\]@\x60][^\s"'.,;{}[\]@\x60]*`,
        String.raw`[^\s\w"'(){}[\],;@\x60]+`,
      ),
    },
    mask: { comments: [SLASHES], strings: [TRIPLE], opens: [NESTED_BLOCK, OPEN_DOUBLE] },
    interpolation: { open: '\\(', close: ')' },
    imports: /^(?:@\w+\s+)?import\b/,
    bases: 'colon',
    spawns: around(
      /\bTask(?:\.detached)?(?:\([^()]*\))?\s*$/,
      /\.(?:async|asyncAfter|addTask|addOperation)(?:\([^()]*\))?\s*$/,
      /\bThread\.detachNewThread\s*$/,
    ),
    enumsHaveCommas: false,
    publicNames: { unmarked: /\b(private|fileprivate|protected)\b/ },
  }),
};
