/** C, C++, Objective-C and CUDA. */
import type { LanguageFamily } from '../family.ts';
import { BLOCK, CHARACTER, DOUBLE, SLASHES } from '../masks.ts';
import { NAME, NAME_WITH_DOLLAR, namesLike, wordSet } from '../name-looks.ts';
import type { RunnerProgram } from '../runner-rows.ts';
import { around } from '../spawn-parts.ts';
import { CAPITALISED_TESTS } from '../test-names.ts';

const make: RunnerProgram = { kind: 'path', names: ['make', 'gmake'] };
/** Almost every repository has one, most of them only to call something else: the compiler shows which do not. */
const MAKEFILE = {
  files: ['Makefile', 'makefile', 'GNUmakefile'],
  yields: /\$[({](CC|CXX)[)}]|^\t.*\b(cc|gcc|g\+\+|clang|clang\+\+)\b|\.o\b/m,
};

/** Methods of Objective-C. */
const SELECTORS = [`(?:${NAME})?:(?:(?:${NAME})?:)*`];

export const cpp: LanguageFamily = {
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
  projectFiles: /^compile_commands\.json$/,
  declaresApart: true,
  knownByServer: true,
  generatedFiles: /\.pb\.(cc|h)$/i,
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
  tests: {
    names: ['*_unittest', '*_test', '*_tests', '*-test', '*.test', 'test_*', 'test-*', ...CAPITALISED_TESTS],
  },
  runners: () => [
    {
      name: 'cmake --build',
      task: 'build',
      recognised: { files: ['CMakeLists.txt'] },
      program: { kind: 'path', names: ['cmake'] },
      args: ['--build', '{build}'],
      needs: 'cmake-build',
      columns: 'utf-8',
      reader: 'colon',
      install: 'install CMake from https://cmake.org/download',
      rank: 1,
    },
    {
      name: 'ctest',
      task: 'test',
      recognised: { files: ['CMakeLists.txt'] },
      program: { kind: 'path', names: ['ctest'] },
      args: ['--test-dir', '{build}', '--output-on-failure'],
      needs: 'cmake-build',
      reportArgs: ['--output-junit', '{report}'],
      reader: 'junit',
      install: 'install CMake from https://cmake.org/download',
      rank: 1,
    },
    {
      name: 'make',
      task: 'build',
      recognised: MAKEFILE,
      program: make,
      // Directories are printed, so that paths of sub-makes can be understood.
      args: ['--print-directory'],
      columns: 'utf-8',
      reader: 'colon',
      install: 'install make',
      rank: 5,
    },
    {
      name: 'make test',
      task: 'test',
      recognised: { ...MAKEFILE, containing: /^test\s*:/m },
      program: make,
      args: ['test'],
      reader: 'any-test',
      install: 'install make',
      rank: 5,
    },
    {
      name: 'make check',
      task: 'test',
      recognised: { ...MAKEFILE, containing: /^check\s*:/m },
      program: make,
      args: ['check'],
      reader: 'any-test',
      install: 'install make',
      rank: 5,
    },
  ],
  projects: 'compilation-database',
  includesFiles: true,
  text: () => ({
    names: {
      fits: namesLike(`~?${NAME_WITH_DOLLAR}`, ...SELECTORS),
      reserved:
        wordSet(`auto break case char const continue default do double else enum extern float for goto if int long
        register return short signed sizeof static struct switch typedef union unsigned void volatile while`),
      // A header or a C source may have them as names.
      reservedIn: {
        files: /\.(?:cpp|cc|C|cxx|c\+\+|cppm|ixx|hpp|hh|hxx|h\+\+|cu|cuh)$/,
        words:
          wordSet(`bool catch class delete explicit false friend mutable namespace new operator private protected public
          template this throw true try typename using virtual`),
      },
    },
    overloadsAreApart: true,
    mask: {
      comments: [SLASHES, BLOCK],
      strings: [
        String.raw`R"(?<fence>[^()\\\s]{0,16})\([\s\S]*?\)\k<fence>"`,
        DOUBLE,
        `(?<![0-9A-Fa-f])${CHARACTER}`,
      ],
    },
    decorator: { line: /^(?:@|\[\[.*\]\]$|template\s*<.*>$)/, inline: /^\[\[(?:[^[\]])*\]\]/ },
    imports: /^\s*#\s*(?:include|import)\b|^import\b/,
    bases: 'colon',
    spawns: around(
      /\bpthread_create$/,
      /\bthrd_create$/,
      /\b(?:std::)?async$/,
      /\bstd::j?thread(?:\s+\w+)?$/,
      /\b(?:dispatch_async|CreateThread|_beginthreadex?)$/,
    ),
    publicNames: {
      unmarked: /\bstatic\b/,
      hiddenSpaces: /anonymous|^$/,
      members: {
        labels: {
          look: /^\s*(public|private|protected)\b[^:;(]*:(?!:)/,
          open: 'public',
          closedIn: /\bclass\b/,
        },
      },
    },
  }),
};
