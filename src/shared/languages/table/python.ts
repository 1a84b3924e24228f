/** Python. */
import type { Json } from '../../link/server-plan.ts';
import type { LanguageFamily } from '../family.ts';
import { DOUBLE, HASH, SINGLE, TRIPLE } from '../masks.ts';
import { NAME, namesLike, wordSet } from '../name-looks.ts';
import { pythonRunners } from '../runners/python.ts';
import { around } from '../spawn-parts.ts';

const pythonAnalysis: Json = {
  diagnosticMode: 'openFilesOnly',
  autoSearchPaths: true,
  useLibraryCodeForTypes: true,
};

export const python: LanguageFamily = {
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
  knownByServer: true,
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
  typeChecker: 'pyright',
  daemonPolicy: 'auto-daemon',
  variables: ['VIRTUAL_ENV', 'CONDA_PREFIX', 'PYTHONPATH', 'PYTHONHOME'],
  tests: { names: ['test_*', '*_test', '*_tests', 'conftest', 'tests'] },
  formatter: 'Run "ruff format <file>" or "black <file>" on the command line',
  documentation: 'pydoc',
  runners: pythonRunners,
  projects: 'pyright',
  projectFiles: /^(?:pyproject\.toml|pyrightconfig\.json)$/,
  manifest: { file: 'pyproject.toml', name: /^name\s*=\s*["']([^"']+)["']/m },
  modules: {
    file: /^(?!conftest|setup|test_)(\w+)\.pyi?$/,
    directoryWith: '__init__.py',
    never: ['tests'],
    behind: ['import', 'from'],
  },
  stubs: { py: 'pyi' },
  generatedFiles: /_pb2(_grpc)?\.pyi?$/i,
  declarationFiles: /\.pyi$/,
  interpreter: 'python',
  text: () => ({
    names: {
      fits: namesLike(NAME),
      reserved:
        wordSet(`False None True and as assert async await break class continue def del elif else except finally for
        from global if import in is lambda nonlocal not or pass raise return try while with yield`),
    },
    namedArguments: /^\s*=(?!=)/,
    mask: {
      comments: [HASH],
      strings: [TRIPLE, String.raw`'''(?:[^\\]|\\[\s\S])*?'''`, DOUBLE, SINGLE],
    },
    lineComments: ['#'],
    interpolation: { open: '{', close: '}', prefix: /[fFtT][rR]?["']/ },
    docstrings: true,
    imports: /^\s*(?:import\s+\w|from\s+[\w.]+\s+import\b)/,
    body: { kind: 'suite', modifiers: 'async', functions: 'def', types: 'class' },
    sharedStatement: { of: 'values', before: /\S/, behind: /^,/ },
    bases: 'brackets',
    spawns: around(
      /\basyncio\.(?:create_task|ensure_future|gather|wait|wait_for|to_thread|run_coroutine_threadsafe)$/,
      /\.(?:create_task|start_soon|submit|run_in_executor|apply_async|map_async|imap|imap_unordered)$/,
      /\.call_(?:soon|soon_threadsafe|later|at)$/,
      /\b(?:threading\.)?(?:Thread|Timer)$/,
      /\b(?:multiprocessing\.)?Process$/,
    ),
    overloads: /@(?:\w+\.)*overload\b/,
    specialNames: /^__\w+__$/,
    gapAtTop: 2,
    publicNames: {
      name: /^(?!_)/,
      listed: {
        where: /^__all__\s*(?::[^=]+)?=\s*[[(][^\])]*[\])]/m,
        lists: [/^__all__\s*(?::[^=]+)?=\s*[[(]([^\])]*)[\])]/gm],
        names: /['"](\w+)['"]/g,
      },
    },
  }),
};
