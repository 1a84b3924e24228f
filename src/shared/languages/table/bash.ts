/** Shell scripts. */
import type { LanguageFamily } from '../family.ts';
import { DOUBLE_OF_LINES, HEREDOC } from '../masks.ts';

export const bash: LanguageFamily = {
  id: 'bash',
  aliases: ['shell', 'shellscript', 'zsh'],
  extensions: { sh: 'shellscript', bash: 'shellscript', bats: 'shellscript', ksh: 'shellscript' },
  fileNames: { '.bashrc': 'shellscript', '.bash_profile': 'shellscript', '.profile': 'shellscript' },
  rootMarkers: ['.shellcheckrc', '.git'],
  servers: [
    {
      serverId: 'bash-language-server',
      command: 'bash-language-server',
      args: ['start'],
      npm: 'bash-language-server',
    },
  ],
  install: 'npm install --global bash-language-server',
  daemonPolicy: 'auto-direct',
  tests: { names: ['*_test', '*.test', 'test_*'] },
  text: () => ({
    mask: {
      comments: [String.raw`(?<=^|\s)#[^\r\n]*`],
      strings: [HEREDOC, DOUBLE_OF_LINES, `'[^']*'`],
    },
    lineComments: ['#'],
    interpolation: { open: '${', close: '}' },
    namesBehindDollar: true,
    imports: /^(?:source|\.)\s+\S/,
    bracketsPair: false,
  }),
};
