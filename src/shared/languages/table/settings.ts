/** What describes machines and settings instead of doing something. */
import type { LanguageFamily } from '../family.ts';
import { vscodeServers } from './vscode-servers.ts';

export const terraform: LanguageFamily = {
  id: 'terraform',
  aliases: ['tf', 'opentofu', 'hcl'],
  extensions: { tf: 'terraform', tfvars: 'terraform-vars' },
  rootMarkers: ['.terraform.lock.hcl', '.terraform'],
  fallbackMarkers: ['main.tf'],
  servers: [{ serverId: 'terraform-ls', command: 'terraform-ls', args: ['serve'] }],
  install: 'brew install hashicorp/tap/terraform-ls',
  daemonPolicy: 'auto-direct',
  text: () => ({
    lineComments: ['#', '//'],
  }),
};

export const nix: LanguageFamily = {
  id: 'nix',
  aliases: ['nil', 'nixd'],
  extensions: { nix: 'nix' },
  rootMarkers: ['flake.nix'],
  fallbackMarkers: ['shell.nix', 'default.nix'],
  servers: [
    { serverId: 'nil', command: 'nil', args: [], alsoIn: ['~/.nix-profile/bin', '~/.cargo/bin'] },
    { serverId: 'nixd', command: 'nixd', args: [], alsoIn: ['~/.nix-profile/bin'] },
  ],
  install: 'nix profile install nixpkgs#nil',
  daemonPolicy: 'auto-direct',
  text: () => ({
    lineComments: ['#'],
    body: { kind: 'unknown' },
  }),
};

export const dockerfile: LanguageFamily = {
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
  content: 'orders',
  text: () => ({
    lineComments: ['#'],
    body: { kind: 'unknown' },
  }),
};

export const yaml: LanguageFamily = {
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
  content: 'data',
  text: () => ({
    lineComments: ['#'],
    body: { kind: 'unknown' },
  }),
};

export const json: LanguageFamily = {
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
  content: 'data',
  text: () => ({
    body: { kind: 'unknown' },
  }),
};
