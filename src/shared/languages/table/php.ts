/** PHP. */
import type { LanguageFamily } from '../family.ts';
import { BLOCK, DOUBLE, HEREDOC, SINGLE, SLASHES } from '../masks.ts';
import { behindPackage, namesLike } from '../name-looks.ts';
import { AS_GIVEN } from '../runner-rows.ts';

export const php: LanguageFamily = {
  id: 'php',
  aliases: ['intelephense'],
  extensions: { php: 'php', phtml: 'php' },
  usedIn: ['twig', 'latte'],
  rootMarkers: ['composer.json', 'artisan'],
  servers: [
    {
      serverId: 'intelephense',
      command: 'intelephense',
      args: ['--stdio'],
      npm: 'intelephense',
      settings: { intelephense: { telemetry: { enabled: false } } },
    },
  ],
  install: 'npm install --global intelephense',
  daemonPolicy: 'auto-direct',
  tests: { names: ['*Test', '*Cest', '*.test'] },
  runners: () => [
    {
      name: 'phpunit',
      task: 'test',
      recognised: { files: ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'] },
      program: { kind: 'vendored', file: 'vendor/bin/phpunit', name: 'phpunit' },
      args: ['--colors=never'],
      only: AS_GIVEN,
      reportArgs: ['--log-junit', '{report}'],
      reader: 'junit',
      install: 'composer require --dev phpunit/phpunit',
      rank: 3,
    },
  ],
  text: () => ({
    names: {
      fits: namesLike(String.raw`\$?[A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*`),
      freeBehind: behindPackage,
    },
    namedArguments: /^\s*:(?!:)/,
    mask: {
      comments: [SLASHES, BLOCK, String.raw`#(?!\[)[^\r\n]*`],
      strings: [HEREDOC, DOUBLE, SINGLE],
    },
    lineComments: ['//', '#'],
    interpolation: { open: '{$', close: '}' },
    namesBehindDollar: true,
    decorator: { line: /^(?:@|#\[)/, inline: /^#\[(?:[^[\]]|\[[^[\]]*\])*\]/ },
    imports: /^(?:use\b|(?:require|include)(?:_once)?\b)/,
    publicNames: { unmarked: /\b(private|fileprivate|protected)\b/ },
  }),
};
