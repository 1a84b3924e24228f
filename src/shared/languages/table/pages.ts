/** Markup and styles. */
import type { LanguageFamily } from '../family.ts';
import { vscodeServers } from './vscode-servers.ts';

export const css: LanguageFamily = {
  id: 'css',
  aliases: ['sass'],
  extensions: { css: 'css', scss: 'scss', less: 'less' },
  rootMarkers: ['.git'],
  servers: [
    {
      serverId: 'vscode-css-language-server',
      command: 'vscode-css-language-server',
      args: ['--stdio'],
      npm: vscodeServers,
      initializationOptions: { provideFormatter: true },
    },
  ],
  install: `npm install --global ${vscodeServers}`,
  daemonPolicy: 'auto-direct',
  content: 'pages',
  text: () => ({
    decorator: { line: undefined, inline: undefined },
    imports: /^@import\b/,
  }),
};

export const html: LanguageFamily = {
  id: 'html',
  aliases: [],
  extensions: { html: 'html', htm: 'html' },
  rootMarkers: ['.git'],
  servers: [
    {
      serverId: 'vscode-html-language-server',
      command: 'vscode-html-language-server',
      args: ['--stdio'],
      npm: vscodeServers,
      initializationOptions: { provideFormatter: true, embeddedLanguages: { css: true, javascript: true } },
    },
  ],
  install: `npm install --global ${vscodeServers}`,
  daemonPolicy: 'auto-direct',
  content: 'pages',
  text: () => ({
    body: { kind: 'unknown' },
  }),
};
