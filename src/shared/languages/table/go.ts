/** Go. */
import type { LanguageFamily } from '../family.ts';
import { BLOCK, CHARACTER, DOUBLE, SLASHES } from '../masks.ts';
import { behindPackage, NAME, namesLike, wordSet } from '../name-looks.ts';
import type { RunnerProgram, TargetArguments } from '../runner-rows.ts';
import { around } from '../spawn-parts.ts';

const goTool: RunnerProgram = {
  kind: 'path',
  names: ['go'],
  alsoIn: ['/usr/local/go/bin', '~/go/bin', '~/sdk/go/bin'],
};
/** A file stands for its package: Go compiles and tests whole directories. */
const PACKAGES: TargetArguments = { file: ['{folder}'], directory: ['./{path}/...'], root: ['./...'] };
const INSTALL_GO = 'install Go from https://go.dev/dl';

export const go: LanguageFamily = {
  id: 'go',
  aliases: ['golang', 'gopls'],
  extensions: { go: 'go' },
  fileNames: { 'go.mod': 'go.mod', 'go.sum': 'go.sum', 'go.work': 'go.work' },
  rootMarkers: ['go.mod', 'go.sum'],
  workspaceMarkers: [{ name: 'go.work' }],
  projectFiles: /^go\.(?:mod|work)$/,
  manifest: { file: 'go.mod', name: /^module\s+(\S+)/m, imported: 'only-so' },
  usedIn: ['templ', 'tmpl', 'gotmpl', 'gohtml', 'html'],
  knownByServer: true,
  generatedFiles: /\.pb\.go$/i,
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
  tests: { names: ['*_test'], ofDirectory: true },
  formatter: 'Run "gofmt -w <file>" on the command line',
  documentation: 'go doc',
  importsFolders: true,
  runners: () => [
    {
      name: 'go build',
      task: 'build',
      recognised: { files: ['go.mod'] },
      program: goTool,
      args: ['build'],
      everything: ['./...'],
      only: PACKAGES,
      needs: 'go-work',
      columns: 'utf-8',
      reader: 'bare-colon',
      install: INSTALL_GO,
    },
    {
      name: 'go test',
      task: 'test',
      recognised: { files: ['go.mod'] },
      program: goTool,
      args: ['test', '-json'],
      everything: ['./...'],
      only: PACKAGES,
      needs: 'go-work',
      columns: 'utf-8',
      reader: 'go-test',
      install: INSTALL_GO,
    },
  ],
  projects: 'go-modules',
  text: () => ({
    names: {
      fits: namesLike(NAME),
      reserved:
        wordSet(`break case chan const continue default defer else fallthrough for func go goto if import interface
        map package range return select struct switch type var`),
      freeBehind: behindPackage,
    },
    mask: { comments: [SLASHES, BLOCK], strings: ['`[^`]*`', DOUBLE, CHARACTER] },
    imports: /^import\b/,
    body: {
      kind: 'braces',
      marked: { name: /^\s*func\b/, braces: /\b(?:struct|interface)$/, value: /^=\s*func\b/ },
    },
    sharedStatement: { of: 'everything', before: /,\s*$/, behind: /^,/ },
    impliedMethods: /^func\s*\([^)]*\)\s*(\w+)/,
    spawns: [
      { name: 'go func', around: /\bgo\s+func\s*\([^{}]*$/ },
      { name: 'go statement', before: /\bgo\s+(?:[\w.]|\([^()]*\)|\[[^[\]]*\])*$/ },
      ...around(/\btime\.AfterFunc$/),
      { name: 'Go of a group', around: /\.Go$/ },
    ],
    numbersConstants: /\biota\b/,
    publicNames: { name: /^\p{Lu}/u },
  }),
};
