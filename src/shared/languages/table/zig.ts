/** Zig. */
import type { LanguageFamily } from '../family.ts';
import { around } from '../spawn-parts.ts';

export const zig: LanguageFamily = {
  id: 'zig',
  aliases: ['zls'],
  extensions: { zig: 'zig', zon: 'zig' },
  rootMarkers: ['build.zig', 'zls.json'],
  servers: [{ serverId: 'zls', command: 'zls', args: [] }],
  install: 'brew install zls  (or see https://zigtools.org/zls/install/)',
  daemonPolicy: 'auto-direct',
  tests: { names: ['*_test', '*_tests', 'test_*', 'tests', 'test'], inFile: /^\s*test\s+("|\w+\s*\{|\{)/m },
  runners: () => [
    {
      name: 'zig build',
      task: 'build',
      recognised: { files: ['build.zig'] },
      program: { kind: 'path', names: ['zig'] },
      args: ['build'],
      reader: 'colon',
      install: 'install Zig from https://ziglang.org/download',
    },
    {
      name: 'zig build test',
      task: 'test',
      recognised: { files: ['build.zig'] },
      program: { kind: 'path', names: ['zig'] },
      args: ['build', 'test', '--summary', 'all'],
      reader: 'zig-test',
      install: 'install Zig from https://ziglang.org/download',
    },
  ],
  text: () => ({
    imports: /^(?:pub\s+)?const\s+\w+\s*=\s*@import\(/,
    spawns: around(/\bThread\.spawn$/),
    publicNames: { marked: /\bpub\b|\bexport\b/ },
  }),
};
