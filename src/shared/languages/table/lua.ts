/** Lua. */
import type { LanguageFamily } from '../family.ts';
import { DASHES, DOUBLE, SINGLE } from '../masks.ts';

export const lua: LanguageFamily = {
  id: 'lua',
  aliases: ['luals'],
  extensions: { lua: 'lua' },
  rootMarkers: ['.luarc.json', '.luarc.jsonc', '*.rockspec', '.stylua.toml', 'stylua.toml'],
  servers: [
    {
      serverId: 'lua-language-server',
      command: 'lua-language-server',
      args: [],
      // Without this the server asks, again and again, whether it may change the configuration.
      settings: {
        Lua: { workspace: { checkThirdParty: false }, telemetry: { enable: false }, hint: { enable: true } },
      },
    },
  ],
  install: 'brew install lua-language-server',
  daemonPolicy: 'auto-direct',
  tests: { names: ['*_spec', '*_test'] },
  text: () => ({
    mask: {
      comments: [String.raw`--\[(?<level>=*)\[[\s\S]*?\]\k<level>\]`, DASHES],
      strings: [String.raw`\[(?<depth>=*)\[[\s\S]*?\]\k<depth>\]`, DOUBLE, SINGLE],
    },
    lineComments: ['--'],
    imports: /^local\b[^=]*=\s*require\b/,
    body: { kind: 'end', header: /^[^()]*\(\s*\)/, needs: /\bfunction\b/ },
  }),
};
