/** Vue and Svelte: files of their own with TypeScript inside. */
import type { LanguageFamily } from '../family.ts';
import { javascriptRunners } from '../runners/javascript.ts';
import { scriptSpawns } from '../spawn-parts.ts';

export const vue: LanguageFamily = {
  id: 'vue',
  aliases: ['vuejs', 'volar'],
  extensions: { vue: 'vue' },
  rootMarkers: ['package.json', 'vite.config.ts', 'vite.config.js', 'nuxt.config.ts', 'vue.config.js'],
  servers: [
    {
      serverId: 'vue-language-server',
      command: 'vue-language-server',
      args: ['--stdio'],
      npm: '@vue/language-server',
      initializationOptions: { vue: { hybridMode: false } },
      needsTypescriptLib: true,
    },
  ],
  install: 'npm install --save-dev @vue/language-server@2',
  daemonPolicy: 'auto-daemon',
  runners: javascriptRunners,
  text: () => ({
    imports: /^\s*import\b(?!\s*[(.])/,
    spawns: scriptSpawns(),
  }),
};

export const svelte: LanguageFamily = {
  id: 'svelte',
  aliases: ['sveltekit'],
  extensions: { svelte: 'svelte' },
  rootMarkers: ['svelte.config.js', 'svelte.config.ts', 'package.json'],
  servers: [
    {
      serverId: 'svelte-language-server',
      command: 'svelteserver',
      args: ['--stdio'],
      npm: 'svelte-language-server',
    },
  ],
  install: 'npm install --save-dev svelte-language-server',
  daemonPolicy: 'auto-daemon',
  runners: javascriptRunners,
  text: () => ({
    imports: /^\s*import\b(?!\s*[(.])/,
    spawns: scriptSpawns(),
  }),
};
