/** Web frameworks, markup, styles and data formats; nearly all of their servers come from npm. */
import type { LanguageFamily } from './family.ts';

const vscodeServers = 'vscode-langservers-extracted';

const vue: LanguageFamily = {
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
};

const svelte: LanguageFamily = {
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
};

const dockerfile: LanguageFamily = {
  id: 'dockerfile',
  aliases: ['docker', 'containerfile'],
  extensions: { dockerfile: 'dockerfile' },
  fileNames: { Dockerfile: 'dockerfile', Containerfile: 'dockerfile' },
  fileNamePrefixes: { 'Dockerfile.': 'dockerfile', 'Containerfile.': 'dockerfile' },
  rootMarkers: ['.git'],
  fallbackMarkers: ['Dockerfile', 'Containerfile'],
  servers: [
    {
      serverId: 'docker-langserver',
      command: 'docker-langserver',
      args: ['--stdio'],
      npm: 'dockerfile-language-server-nodejs',
    },
  ],
  install: 'npm install --global dockerfile-language-server-nodejs',
  daemonPolicy: 'auto-direct',
};

const yaml: LanguageFamily = {
  id: 'yaml',
  aliases: ['yml'],
  extensions: { yaml: 'yaml', yml: 'yaml' },
  rootMarkers: ['.git'],
  servers: [
    {
      serverId: 'yaml-language-server',
      command: 'yaml-language-server',
      args: ['--stdio'],
      npm: 'yaml-language-server',
      settings: { redhat: { telemetry: { enabled: false } }, yaml: { format: { enable: true } } },
    },
  ],
  install: 'npm install --global yaml-language-server',
  daemonPolicy: 'auto-direct',
};

const json: LanguageFamily = {
  id: 'json',
  aliases: [],
  extensions: { json: 'json', jsonc: 'jsonc' },
  rootMarkers: ['.git'],
  servers: [
    {
      serverId: 'vscode-json-language-server',
      command: 'vscode-json-language-server',
      args: ['--stdio'],
      npm: vscodeServers,
      initializationOptions: { provideFormatter: true },
    },
  ],
  install: `npm install --global ${vscodeServers}`,
  daemonPolicy: 'auto-direct',
};

const css: LanguageFamily = {
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
};

const html: LanguageFamily = {
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
};

export const webFamilies: readonly LanguageFamily[] = [vue, svelte, dockerfile, yaml, json, css, html];
