/** TypeScript and JavaScript. */
import type { Json } from '../../link/server-plan.ts';
import type { LanguageFamily } from '../family.ts';
import { BLOCK, DOUBLE, REGEX, SINGLE, SLASHES } from '../masks.ts';
import { NAME_WITH_DOLLAR, namesLike, wordSet } from '../name-looks.ts';
import { javascriptRunners } from '../runners/javascript.ts';
import { scriptSpawns } from '../spawn-parts.ts';
import { USUAL_TESTS } from '../test-names.ts';

/** Hints are only asked for by a tool call, so all of them are on. */
const typescriptHints: Json = {
  parameterNames: { enabled: 'all' },
  parameterTypes: { enabled: true },
  variableTypes: { enabled: true },
  propertyDeclarationTypes: { enabled: true },
  functionLikeReturnTypes: { enabled: true },
  enumMemberValues: { enabled: true },
};

export const typescript: LanguageFamily = {
  id: 'typescript',
  aliases: ['javascript', 'node', 'nodejs', 'deno', 'ecmascript'],
  extensions: {
    ts: 'typescript',
    tsx: 'typescriptreact',
    mts: 'typescript',
    cts: 'typescript',
    js: 'javascript',
    jsx: 'javascriptreact',
    mjs: 'javascript',
    cjs: 'javascript',
  },
  rootMarkers: ['tsconfig.json', 'jsconfig.json', 'package.json', 'deno.json', 'deno.jsonc'],
  workspaceRule: 'npm',
  usedIn: ['vue', 'svelte', 'astro', 'mdx', 'html', 'htm', 'ejs'],
  servers: [
    {
      serverId: 'typescript-7',
      command: 'tsc',
      args: ['--lsp', '--stdio'],
      npm: 'typescript',
      embedded: true,
      // Type acquisition would download packages behind the user's back.
      settings: {
        'js/ts': { tsserver: { automaticTypeAcquisition: { enabled: false } } },
        typescript: { disableAutomaticTypeAcquisition: true, inlayHints: typescriptHints },
        javascript: { disableAutomaticTypeAcquisition: true, inlayHints: typescriptHints },
      },
    },
    {
      serverId: 'typescript-language-server',
      command: 'typescript-language-server',
      args: ['--stdio'],
      npm: 'typescript-language-server',
      embedded: true,
      settings: { typescript: { inlayHints: typescriptHints }, javascript: { inlayHints: typescriptHints } },
      initializationOptions: {
        disableAutomaticTypingAcquisition: true,
        // The syntax server answers the first references with a fraction of the truth.
        tsserver: { useSyntaxServer: 'never' },
        preferences: {
          includeInlayParameterNameHints: 'all',
          includeInlayFunctionParameterTypeHints: true,
          includeInlayVariableTypeHints: true,
          includeInlayPropertyDeclarationTypeHints: true,
          includeInlayFunctionLikeReturnTypeHints: true,
          includeInlayEnumMemberValueHints: true,
        },
      },
    },
    {
      serverId: 'deno',
      command: 'deno',
      args: ['lsp'],
      alsoIn: ['$DENO_INSTALL/bin', '~/.deno/bin'],
      settings: { deno: { enable: true, lint: true } },
      optionsFromSection: 'deno',
    },
  ],
  install: 'npm install --save-dev typescript',
  daemonPolicy: 'auto-daemon',
  variables: ['NODE_PATH'],
  tests: { names: [...USUAL_TESTS, '*.e2e', '*.cy', 'test'] },
  formatter: 'Run "npx prettier --write <file>" or "npx biome format --write <file>" on the command line',
  runners: javascriptRunners,
  projects: 'tsconfig',
  versions: 'typescript',
  projectFiles: /^(?:[tj]sconfig.*\.json|package\.json|pnpm-workspace\.yaml)$/,
  manifest: { file: 'package.json', name: /"name"\s*:\s*"([^"]+)"/, imported: 'also-so' },
  emitted: { ending: /(\.d\.[cm]?ts|\.[cm]?js)$/, sources: ['.ts', '.tsx', '.mts', '.cts'] },
  generatedFiles: /\.min\.[cm]?js$/i,
  declarationFiles: /\.d\.[cm]?ts$/,
  text: () => ({
    names: {
      fits: namesLike(`#?${NAME_WITH_DOLLAR}`),
      // What only strict code or some places reserve is left to the server.
      reserved:
        wordSet(`break case catch class const continue debugger default delete do else enum export extends false
        finally for function if import in instanceof new null return super switch this throw true try typeof var void
        while with`),
      members: {
        // Numbers, strings and computed names need not be names.
        fits: namesLike(String.raw`[\d.][\w.]*`, `'.*'`, '".*"', String.raw`\[.*\]`),
        notBehind: /\b(?:const|let|var|function\s*\*?|class|interface|type|enum|namespace)\s+$/,
      },
    },
    mask: { comments: [SLASHES, BLOCK], strings: [DOUBLE, SINGLE, REGEX], opens: ['`'] },
    interpolation: { open: '${', close: '}' },
    imports: /^(?:import\b(?!\s*[(.])|(?:const|let|var)\b[^=]*=\s*require\()/,
    body: { kind: 'braces', arrows: 'functions' },
    sharedStatement: { of: 'values', before: /(?<!\b(?:const|let|var|using)\s+)$/ },
    memberModifiers:
      /^(?:(?:public|private|protected|static|async|get|set|abstract|override|readonly|accessor|declare|export|default)\s+)*[*#]?\s*$/,
    spawns: scriptSpawns(),
    overloads: 'without-body',
    publicNames: {
      marked: /\bexport\b/,
      members: { name: /^(?!#)/, unmarked: /\b(private|protected)\b/ },
      listed: {
        // What a declaration file or a plain script says at its top is there for everybody.
        where: /^\s*(import|export)\b|\bmodule\.exports\b|\bexports\.\w/m,
        exceptIn: /\.d\.ts$/,
        lists: [
          /\bexport\s+(?:type\s+)?\{([^}]*)\}(?!\s*from)/g,
          /\bmodule\.exports\s*=\s*\{([^}]*)\}/g,
          /\bexport\s+default\s+([\w$]+)\s*;?$/gm,
          /\b(?:export|module\.exports)\s*=\s*([\w$]+)/g,
          /\b(?:module\.)?exports\.[\w$]+\s*=\s*([\w$]+)/g,
        ],
        names: /(?:^|,)(?:\s*type\s)?[^\w$,]*([\w$]+)/g,
      },
    },
  }),
};
