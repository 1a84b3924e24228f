/**
 * One program of all files of the repository. An editor has one per project and has to bring their answers together,
 * which is just where places get lost; with one program there is nothing to bring together.
 */
import type typescript from 'typescript5';
import type { Compiler } from './compiler.ts';
import { type Imports, resolution } from './module-resolution.ts';
import type { Owner, Project } from './projects.ts';

export function oneProgram(
  ts: Compiler,
  root: string,
  files: readonly string[],
  { projects, ownerOf }: { projects: readonly Project[]; ownerOf: (file: string) => Owner },
): { service: typescript.LanguageService; imports: Imports } {
  const common = withoutPlaces(commonOptions(files, ownerOf));
  const resolve = resolution(ts, root, projects, ownerOf, {
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    ...common,
    allowJs: true,
  });
  const options = optionsOfAll(ts, common, resolve.automaticTypes);
  const host: typescript.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...files],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    ...(ts.sys.realpath ? { realpath: ts.sys.realpath } : {}),
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    resolveModuleNameLiterals: (literals, _file, _redirected, _options, source) =>
      literals.map((literal) => resolve.module(literal, source)),
    resolveTypeReferenceDirectiveReferences: (references, containing, _redirected, _options, source) =>
      references.map((reference) => {
        const name = typeof reference === 'string' ? reference : reference.fileName;
        const mode = typeof reference === 'string' ? undefined : reference.resolutionMode;
        return resolve.type(name, containing, mode ?? source?.impliedNodeFormat);
      }),
  };
  const service = ts.createLanguageService(host, ts.createDocumentRegistry(true, root));
  return { service, imports: resolve.imports };
}

/** Those that most files are compiled with. */
function commonOptions(
  files: readonly string[],
  ownerOf: (file: string) => Owner,
): typescript.CompilerOptions {
  const counts = new Map<Project, number>();
  for (const file of files) {
    const { projects, belongs } = ownerOf(file);
    const [project] = projects;
    if (project && belongs) counts.set(project, (counts.get(project) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0].parsed.options ?? {};
}

/** `paths` and the like are about one directory; in dependencies they would lead back to our own sources. */
function withoutPlaces({
  typeRoots: _typeRoots,
  paths: _paths,
  baseUrl: _baseUrl,
  rootDir: _rootDir,
  rootDirs: _rootDirs,
  outDir: _outDir,
  outFile: _outFile,
  declarationDir: _declarationDir,
  tsBuildInfoFile: _tsBuildInfoFile,
  configFilePath: _configFilePath,
  pathsBasePath: _pathsBasePath,
  ...kept
}: typescript.CompilerOptions): typescript.CompilerOptions {
  return kept;
}

/** What decides about meaning stays as it is; what would leave files, types or libraries out goes. */
function optionsOfAll(
  ts: Compiler,
  common: typescript.CompilerOptions,
  types: readonly string[],
): typescript.CompilerOptions {
  const {
    lib: _lib,
    noLib: _noLib,
    noResolve: _noResolve,
    composite: _composite,
    incremental: _incremental,
    ...kept
  } = common;
  return {
    ...kept,
    target: ts.ScriptTarget.ESNext,
    jsx: common.jsx ?? ts.JsxEmit.Preserve,
    types: [...types],
    allowJs: true,
    noEmit: true,
    skipLibCheck: true,
    skipDefaultLibCheck: true,
    esModuleInterop: true,
    allowSyntheticDefaultImports: true,
    resolveJsonModule: true,
  };
}
