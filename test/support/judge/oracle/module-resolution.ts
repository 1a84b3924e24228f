/** Imports resolved file by file, each with the options of the project that the file belongs to. */
import path from 'node:path';
import type typescript from 'typescript5';
import type { Compiler } from './compiler.ts';
import type { Owner, Project } from './projects.ts';
import { type Redirects, redirectsOf } from './source-redirects.ts';
import { sourceOfPackage } from './unbuilt-packages.ts';

type Resolved = typescript.ResolvedModuleWithFailedLookupLocations;
type ResolvedType = typescript.ResolvedTypeReferenceDirectiveWithFailedLookupLocations;

export interface Resolution {
  module(literal: typescript.StringLiteralLike, file: typescript.SourceFile): Resolved;
  type(name: string, containing: string, mode: typescript.ResolutionMode): ResolvedType;
  /** Packages whose types the projects have without importing them. */
  readonly automaticTypes: readonly string[];
  /** What was seen while the program was made. */
  readonly imports: Imports;
}

export interface Imports {
  /** What no project could resolve. */
  readonly unresolved: readonly { readonly file: string; readonly specifier: string }[];
  /** By file, the files that import it as things are now. */
  readonly importers: ReadonlyMap<string, ReadonlySet<string>>;
}

interface Context {
  readonly options: typescript.CompilerOptions;
  readonly cache: typescript.ModuleResolutionCache;
  readonly host: typescript.ModuleResolutionHost;
  readonly redirects: Redirects | undefined;
}

/** What the compiler calls the file that wants the automatic types. */
const INFERRED = '__inferred type names__.ts';

export function resolution(
  ts: Compiler,
  root: string,
  projects: readonly Project[],
  ownerOf: (file: string) => Owner,
  fallback: typescript.CompilerOptions,
): Resolution {
  const contexts = new Map<Project | undefined, Context>();
  const built = new Map<Context, Context>();
  const redirects = redirectsOf(ts, projects);
  const leniently = contextWith(
    { ...fallback, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    undefined,
  );
  const automatic = automaticTypesOf(ts, projects);
  const unresolved: { file: string; specifier: string }[] = [];
  const importers = new Map<string, Set<string>>();
  // Inside of node_modules there is no project of ours: the common options are as good as any.
  const contextsAt = (file: string): readonly Context[] => {
    const own = file.includes('/node_modules/') ? [] : ownerOf(path.normalize(file)).projects;
    return own.length === 0 ? [contextOf(undefined)] : own.map(contextOf);
  };

  return {
    automaticTypes: [...automatic.keys()],
    imports: { unresolved, importers },
    module(literal, file) {
      const contexts = contextsAt(file.fileName);
      // What a project cannot resolve, another one that has the file may: that one knows the place as well.
      for (const context of contexts) {
        const found = resolved(literal, file, context);
        if (found.resolvedModule) return noted(found, file);
      }
      // A package of the repository that is not built yet is used all the same.
      const [first = contextOf(undefined)] = contexts;
      const found = resolved(literal, file, afterBuild(first));
      if (found.resolvedModule || file.fileName.includes('/node_modules/')) return found;
      // Bundlers and test runners find './a' also where Node wants './a.js', and so do editors outside of projects.
      const beside = literal.text.startsWith('.') ? resolved(literal, file, leniently) : found;
      if (beside.resolvedModule) return noted(beside, file);
      const source = sourceOfPackage(root, literal.text, file.fileName);
      if (source !== undefined) return { ...found, resolvedModule: ownModule(source) };
      unresolved.push({ file: file.fileName, specifier: literal.text });
      return found;
    },
    type(name, containing, mode) {
      const isAutomatic = path.basename(containing) === INFERRED;
      const from = isAutomatic ? automatic.get(name) : undefined;
      const [context = contextOf(undefined)] = isAutomatic ? [contextOf(from)] : contextsAt(containing);
      const file = path.join(from?.directory ?? path.dirname(containing), path.basename(containing));
      return ts.resolveTypeReferenceDirective(
        name,
        file,
        context.options,
        context.host,
        undefined,
        undefined,
        mode,
      );
    },
  };

  function noted(found: Resolved, { fileName }: typescript.SourceFile): Resolved {
    const target = found.resolvedModule?.resolvedFileName ?? '';
    importers.set(target, (importers.get(target) ?? new Set()).add(fileName));
    return found;
  }

  function resolved(
    literal: typescript.StringLiteralLike,
    file: typescript.SourceFile,
    context: Context,
  ): Resolved {
    const { options, host, cache } = context;
    const mode = modeOf(literal, file, context);
    const found = ts.resolveModuleName(literal.text, file.fileName, options, host, cache, undefined, mode);
    return { ...found, resolvedModule: inSource(found.resolvedModule, context) };
  }

  function contextOf(project: Project | undefined): Context {
    const known = contexts.get(project);
    if (known) return known;
    const options = project?.parsed.options ?? fallback;
    const made = contextWith(options, project && redirects.of(project));
    contexts.set(project, made);
    return made;
  }

  function afterBuild(context: Context): Context {
    const made = built.get(context) ?? contextWith(context.options, redirects.all());
    built.set(context, made);
    return made;
  }

  function contextWith(options: typescript.CompilerOptions, own: Redirects | undefined): Context {
    const isPlain = own === undefined || own.sourceOf.size === 0;
    return {
      options,
      cache: ts.createModuleResolutionCache(root, (name) => name, options),
      host: isPlain ? ts.sys : hostWithOutputs(ts, own),
      redirects: own,
    };
  }

  /** Whether it is `import` or `require` is decided by the project's options, which are not those of the one program. */
  function modeOf(
    literal: typescript.StringLiteralLike,
    file: typescript.SourceFile,
    { options, host, cache }: Context,
  ): typescript.ResolutionMode {
    const packages = cache.getPackageJsonInfoCache();
    const format = ts.getImpliedNodeFormatForFile(file.fileName as typescript.Path, packages, host, options);
    const view = Object.create(file, { impliedNodeFormat: { value: format } }) as typescript.SourceFile;
    return ts.getModeForUsageLocation(view, literal, options);
  }
}

function inSource(
  found: typescript.ResolvedModuleFull | undefined,
  { redirects }: Context,
): typescript.ResolvedModuleFull | undefined {
  if (!found) return undefined;
  const source = redirects?.sourceOf.get(path.normalize(found.resolvedFileName));
  const resolvedFileName = source ?? found.resolvedFileName;
  return {
    ...found,
    resolvedFileName,
    ...(source === undefined ? {} : { extension: path.extname(source) }),
    // A package of the workspace is reached through a link in node_modules, but it is ours.
    isExternalLibraryImport: resolvedFileName.includes('/node_modules/'),
  };
}

function ownModule(resolvedFileName: string): typescript.ResolvedModuleFull {
  return { resolvedFileName, extension: path.extname(resolvedFileName), isExternalLibraryImport: false };
}

/** The disk as it would be after a build of the projects that are referred to. */
function hostWithOutputs(
  ts: Compiler,
  { sourceOf, directories }: Redirects,
): typescript.ModuleResolutionHost {
  const { sys } = ts;
  const real = (name: string): string => sys.realpath?.(name) ?? name;
  const behindLinks = (name: string): string => {
    if (sys.fileExists(name) || sys.directoryExists(name)) return real(name);
    const up = path.dirname(name);
    return up === name ? name : path.join(behindLinks(up), path.basename(name));
  };
  const mayBeLinked = (name: string) => name.includes('/node_modules/');
  const target = (name: string) => (mayBeLinked(name) ? behindLinks(name) : name);
  return {
    ...sys,
    fileExists: (name) => sys.fileExists(name) || sourceOf.has(target(name)),
    directoryExists: (name) => sys.directoryExists(name) || directories.has(target(name)),
    realpath: target,
    getCurrentDirectory: () => sys.getCurrentDirectory(),
    useCaseSensitiveFileNames: sys.useCaseSensitiveFileNames,
  };
}

function automaticTypesOf(ts: Compiler, projects: readonly Project[]): ReadonlyMap<string, Project> {
  const found = new Map<string, Project>();
  const host = { ...ts.sys, getCurrentDirectory: () => ts.sys.getCurrentDirectory() };
  for (const project of projects)
    for (const name of ts.getAutomaticTypeDirectiveNames(project.parsed.options, host))
      if (!found.has(name) && name !== '*') found.set(name, project);
  return found;
}
