/** The families that most projects are written in; their servers have rules of their own beside this data. */
import type { Json } from '../link/server-plan.ts';
import type { LanguageFamily } from './family.ts';

/** Hints are only asked for by a tool call, so all of them are on. */
const typescriptHints: Json = {
  parameterNames: { enabled: 'all' },
  parameterTypes: { enabled: true },
  variableTypes: { enabled: true },
  propertyDeclarationTypes: { enabled: true },
  functionLikeReturnTypes: { enabled: true },
  enumMemberValues: { enabled: true },
};

const typescript: LanguageFamily = {
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
};

const pythonAnalysis: Json = {
  diagnosticMode: 'openFilesOnly',
  autoSearchPaths: true,
  useLibraryCodeForTypes: true,
};

const python: LanguageFamily = {
  id: 'python',
  aliases: ['python3', 'pyright'],
  extensions: { py: 'python', pyi: 'python', pyw: 'python' },
  rootMarkers: [
    'pyrightconfig.json',
    'pyproject.toml',
    'setup.py',
    'setup.cfg',
    'Pipfile',
    'uv.lock',
    'poetry.lock',
  ],
  fallbackMarkers: ['requirements.txt', 'manage.py', 'tox.ini'],
  workspaceRule: 'python',
  usedIn: ['ipynb', 'pyx', 'pxd', 'html', 'htm', 'jinja', 'jinja2', 'j2'],
  servers: [
    {
      serverId: 'pyright',
      command: 'pyright-langserver',
      args: ['--stdio'],
      npm: 'pyright',
      embedded: true,
      behind: 'python-wrapper',
      settings: { python: { analysis: pythonAnalysis } },
    },
    {
      serverId: 'basedpyright',
      command: 'basedpyright-langserver',
      args: ['--stdio'],
      npm: 'basedpyright',
      settings: { basedpyright: { analysis: pythonAnalysis }, python: {} },
    },
  ],
  install: 'npm install --global pyright',
  daemonPolicy: 'auto-daemon',
  variables: ['VIRTUAL_ENV', 'CONDA_PREFIX', 'PYTHONPATH', 'PYTHONHOME'],
};

const go: LanguageFamily = {
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
};

const rust: LanguageFamily = {
  id: 'rust',
  aliases: ['rust-analyzer'],
  extensions: { rs: 'rust' },
  rootMarkers: ['Cargo.toml', 'rust-project.json', 'Cargo.lock'],
  workspaceMarkers: [{ name: 'Cargo.toml', containing: /^\s*\[\s*workspace\b/m }],
  servers: [
    {
      serverId: 'rust-analyzer',
      command: 'rust-analyzer',
      args: [],
      alsoIn: ['$CARGO_HOME/bin', '~/.cargo/bin'],
      behind: 'rustup',
      // By default a symbol search finds types only, and at most 128 of them.
      settings: {
        'rust-analyzer': { workspace: { symbol: { search: { kind: 'all_symbols', limit: 1024 } } } },
      },
      optionsFromSection: 'rust-analyzer',
    },
  ],
  install: 'rustup component add rust-analyzer',
  daemonPolicy: 'auto-direct',
  variables: ['RUSTUP_TOOLCHAIN', 'RUSTUP_HOME', 'CARGO_HOME', 'CARGO_TARGET_DIR', 'RUSTFLAGS'],
};

const cpp: LanguageFamily = {
  id: 'cpp',
  aliases: ['c++', 'clang', 'clangd', 'objc', 'cuda'],
  extensions: {
    c: 'c',
    // Most headers are valid in both; clangd looks at the compilation database anyway.
    h: 'cpp',
    cpp: 'cpp',
    cc: 'cpp',
    C: 'cpp',
    cxx: 'cpp',
    'c++': 'cpp',
    cppm: 'cpp',
    ixx: 'cpp',
    hpp: 'cpp',
    hh: 'cpp',
    H: 'cpp',
    hxx: 'cpp',
    'h++': 'cpp',
    inl: 'cpp',
    ipp: 'cpp',
    tpp: 'cpp',
    cu: 'cuda-cpp',
    cuh: 'cuda-cpp',
    m: 'objective-c',
    mm: 'objective-cpp',
  },
  rootMarkers: ['compile_commands.json', 'build/compile_commands.json', 'compile_flags.txt', '.clangd'],
  fallbackMarkers: ['CMakeLists.txt', 'meson.build', 'configure.ac', 'Makefile', 'GNUmakefile'],
  declaresApart: true,
  servers: [
    {
      serverId: 'clangd',
      command: 'clangd',
      // The default limits cut reference lists silently and refuse wide renames, and before a file is parsed the
      // default completions are mere words of it. Headers that are tried out must reach the files that include them.
      args: [
        '--limit-references=0',
        '--limit-results=0',
        '--rename-file-limit=0',
        '--completion-parse=always',
        '--use-dirty-headers',
      ],
      versioned: true,
    },
  ],
  install: 'sudo apt install clangd  (macOS: brew install llvm)',
  daemonPolicy: 'auto-direct',
  variables: ['CPATH', 'C_INCLUDE_PATH', 'CPLUS_INCLUDE_PATH'],
};

export const coreFamilies: readonly LanguageFamily[] = [go, typescript, rust, python, cpp];
