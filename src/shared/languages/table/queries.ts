/** Languages that describe and query data. */
import type { LanguageFamily } from '../family.ts';

export const sql: LanguageFamily = {
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
  text: () => ({
    lineComments: ['--'],
    body: { kind: 'unknown' },
  }),
};

export const prisma: LanguageFamily = {
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

export const mongodb: LanguageFamily = {
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
