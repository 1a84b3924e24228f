/** PHP. */
import type { LanguageFamily } from '../family.ts';

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
};
