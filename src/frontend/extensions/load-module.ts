/** Finds the module that the user has named and runs it, once in the life of the process. */
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AbsPath } from '../../shared/base/brand.ts';
import { messageOf, systemCode } from '../../shared/base/failure.ts';
import { systemClock, withTimeout } from '../../shared/base/lifetime.ts';
import { absolutePath, realPath } from '../../shared/base/paths.ts';
import { expandHome } from '../../shared/config/command-words.ts';
import { isWithin, type NamedExtension } from '../../shared/config/extension-config.ts';

/** A module that waits for something would hold up the list of tools. */
const LOAD_MS = 5_000;

/** What the module exports as its default. Throws an error whose message is what is wrong with it. */
export async function loadModule(named: NamedExtension): Promise<unknown> {
  if (named.refused !== undefined) throw new Error(named.refused);
  const file = realPath(fileOf(named));
  if (isWithin(file, named.roots)) throw new Error(`${file} lies in the workspace, which may not bring code`);
  const loading = withTimeout(
    nodeImport(pathToFileURL(file).href),
    LOAD_MS,
    () => {
      throw new Error(`it was not loaded within ${LOAD_MS / 1_000} s`);
    },
    systemClock,
  );
  try {
    return (await loading).default;
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error).split('\n')[0]}`, { cause: error });
  }
}

function fileOf({ module, from }: NamedExtension): AbsPath {
  if (/^(?:\.|~|[\\/]|[A-Za-z]:[\\/])/.test(module)) {
    const file = absolutePath(expandHome(module, os.homedir()), from);
    if (!existsSync(file)) throw new Error(`${file} does not exist`);
    if (!statSync(file).isFile()) throw new Error(`${file} is not a file: name its main module`);
    return file;
  }
  try {
    return absolutePath(createRequire(path.join(from, 'extensions.js')).resolve(module));
  } catch (error) {
    const isHidden = systemCode(error) === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
    throw new Error(
      isHidden
        ? `the package ${module} has no entry that can be found from here: name its file instead`
        : `there is no package ${module} in ${from} or above it; a path begins with ./ or /`,
      { cause: error },
    );
  }
}

/** By a file that is there as it is, from the sources and beside the bundle alike. */
function nodeImport(url: string): Promise<{ readonly default?: unknown }> {
  const load = createRequire(path.join(import.meta.dirname, 'load-module.js'));
  const importing: (url: string) => Promise<{ readonly default?: unknown }> = load('./native-import.cjs');
  return importing(url);
}
