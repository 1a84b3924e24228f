/** Scripting, query and configuration languages with small servers. */
import type { LanguageFamily } from './family.ts';

const terraform: LanguageFamily = {
  id: 'terraform',
  aliases: ['tf', 'opentofu', 'hcl'],
  extensions: { tf: 'terraform', tfvars: 'terraform-vars' },
  rootMarkers: ['.terraform.lock.hcl', '.terraform'],
  fallbackMarkers: ['main.tf'],
  servers: [{ serverId: 'terraform-ls', command: 'terraform-ls', args: ['serve'] }],
  install: 'brew install hashicorp/tap/terraform-ls',
  daemonPolicy: 'auto-direct',
};

const ruby: LanguageFamily = {
  id: 'ruby',
  aliases: ['solargraph'],
  extensions: { rb: 'ruby', rake: 'ruby', gemspec: 'ruby', ru: 'ruby' },
  usedIn: ['erb', 'haml', 'slim'],
  fileNames: { Gemfile: 'ruby', Rakefile: 'ruby' },
  rootMarkers: ['Gemfile', '*.gemspec', '.solargraph.yml'],
  servers: [{ serverId: 'solargraph', command: 'solargraph', args: ['stdio'] }],
  install: 'gem install solargraph',
  daemonPolicy: 'auto-direct',
  variables: ['GEM_HOME', 'BUNDLE_GEMFILE'],
};

const php: LanguageFamily = {
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

const lua: LanguageFamily = {
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
};

const bash: LanguageFamily = {
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
};

const nix: LanguageFamily = {
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
};

const sql: LanguageFamily = {
  id: 'sql',
  aliases: ['sqls'],
  extensions: { sql: 'sql' },
  rootMarkers: ['.sqls.yml', '.git'],
  servers: [
    {
      serverId: 'sqls',
      command: 'sqls',
      args: [],
      // Given a configuration that does not exist, the server exits at once.
      argsIfPresent: { file: '.sqls.yml', args: ['--config', '{file}'] },
      alsoIn: ['$GOBIN', '$GOPATH/bin', '~/go/bin'],
    },
  ],
  install: 'go install github.com/sqls-server/sqls@latest',
  daemonPolicy: 'auto-direct',
};

const prisma: LanguageFamily = {
  id: 'prisma',
  aliases: [],
  extensions: { prisma: 'prisma' },
  rootMarkers: ['schema.prisma', 'prisma', 'prisma.config.ts'],
  servers: [
    {
      serverId: 'prisma-language-server',
      command: 'prisma-language-server',
      args: ['--stdio'],
      npm: '@prisma/language-server',
    },
  ],
  install: 'npm install --global @prisma/language-server',
  daemonPolicy: 'auto-direct',
};

const mongodb: LanguageFamily = {
  id: 'mongodb',
  aliases: ['mongo'],
  extensions: { mongodb: 'mongodb' },
  rootMarkers: ['.git'],
  servers: [
    {
      serverId: 'mongodb-language-server',
      command: 'mongodb-language-server',
      args: ['--stdio'],
      npm: 'mongodb-language-server',
    },
  ],
  install: 'not published as a package: put an executable named mongodb-language-server on PATH',
  daemonPolicy: 'auto-direct',
};

export const scriptFamilies: readonly LanguageFamily[] = [
  terraform,
  ruby,
  php,
  lua,
  bash,
  nix,
  sql,
  prisma,
  mongodb,
];
