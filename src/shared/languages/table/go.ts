/** Go. */
import type { LanguageFamily } from '../family.ts';
import { BLOCK, CHARACTER, DOUBLE, SLASHES } from '../masks.ts';

export const go: LanguageFamily = {
  id: 'go',
  aliases: ['golang', 'gopls'],
  extensions: { go: 'go' },
  fileNames: { 'go.mod': 'go.mod', 'go.sum': 'go.sum', 'go.work': 'go.work' },
  rootMarkers: ['go.mod', 'go.sum'],
  workspaceMarkers: [{ name: 'go.work' }],
  usedIn: ['templ', 'tmpl', 'gotmpl', 'gohtml', 'html'],
  servers: [
    {
      serverId: 'gopls',
      command: 'gopls',
      args: [],
      alsoIn: ['$GOBIN', '$GOPATH/bin', '~/go/bin'],
      settings: {
        gopls: {
          symbolScope: 'workspace',
          pullDiagnostics: true,
          semanticTokens: true,
          hints: {
            assignVariableTypes: true,
            compositeLiteralFields: true,
            constantValues: true,
            functionTypeParameters: true,
            parameterNames: true,
            rangeVariableTypes: true,
          },
        },
      },
      optionsFromSection: 'gopls',
    },
  ],
  install: 'go install golang.org/x/tools/gopls@latest',
  daemonPolicy: 'auto-direct',
  variables: [
    'GOFLAGS',
    'GOROOT',
    'GOPATH',
    'GOBIN',
    'GOOS',
    'GOARCH',
    'GOWORK',
    'GOTOOLCHAIN',
    'CGO_ENABLED',
  ],
  text: {
    mask: { comments: [SLASHES, BLOCK], strings: ['`[^`]*`', DOUBLE, CHARACTER] },
  },
};
