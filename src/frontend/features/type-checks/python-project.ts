/**
 * The Python project that a file belongs to, found without running anything: its configuration of pyright, its
 * environment and its version. Where there is none the defaults of pyright hold.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { directoriesUpTo } from '../../../shared/base/ancestors.ts';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { absolutePath } from '../../../shared/base/paths.ts';
import { fieldOf, isObject } from '../../../shared/base/unknown-value.ts';
import type { Environment } from '../../../shared/languages/environment.ts';
import { searchDirectories } from '../../../shared/languages/locate.ts';
import { findPython, type PythonEnvironment } from '../../../shared/languages/python-environment.ts';

export interface PythonProject {
  readonly directory: AbsPath;
  /** pyrightconfig.json or pyproject.toml. */
  readonly config: AbsPath | undefined;
  readonly configured: PyrightSettings;
  /** What was detected; the configuration is stronger. */
  readonly environment: PythonEnvironment | undefined;
  readonly version: DetectedVersion | undefined;
}

/** What of its configuration matters to who runs pyright. */
export interface PyrightSettings {
  readonly pythonVersion: string | undefined;
  readonly venv: string | undefined;
  readonly venvPath: string | undefined;
  readonly ignore: readonly string[];
  readonly typeCheckingMode: string | undefined;
}

export interface DetectedVersion {
  readonly value: string;
  readonly from: string;
}

/** `boundary` is the highest directory of the session; a repository may begin above it. */
export function pythonProject(
  start: AbsPath,
  { boundary, environment }: { readonly boundary: AbsPath; readonly environment: Environment },
): PythonProject {
  const directories = [
    ...new Set([...directoriesUpTo(start, boundary), ...searchDirectories({ root: boundary, environment })]),
  ];
  // As pyright itself looks: its own file anywhere above counts for more than a nearer pyproject.toml.
  const config = nearest('pyrightconfig.json', directories) ?? nearest('pyproject.toml', directories);
  const marker = OTHER_MARKERS.map((name) => nearest(name, directories)).find((file) => file !== undefined);
  const found = config ?? marker;
  const directory = found === undefined ? boundary : absolutePath(path.dirname(found));
  const within = [...new Set([...directoriesUpTo(start, directory), ...directories])];
  const python = findPython(within, environment);
  return {
    directory,
    config,
    configured: settingsIn(config),
    environment: python,
    version: versionOf(python, within),
  };
}

const OTHER_MARKERS = ['setup.py', 'setup.cfg', 'Pipfile', 'requirements.txt', '.python-version'];

function nearest(name: string, directories: readonly string[]): AbsPath | undefined {
  const file = directories.map((directory) => path.join(directory, name)).find((each) => existsSync(each));
  return file === undefined ? undefined : absolutePath(file);
}

/** What cannot be read is left to pyright, which says so itself. */
function settingsIn(config: AbsPath | undefined): PyrightSettings {
  const section = config === undefined ? undefined : sectionOf(config);
  const text = (key: string) => {
    const value = fieldOf(section, key);
    return typeof value === 'string' ? value : undefined;
  };
  const ignore = fieldOf(section, 'ignore');
  return {
    pythonVersion: text('pythonVersion'),
    venv: text('venv'),
    venvPath: text('venvPath'),
    ignore: Array.isArray(ignore) ? ignore.filter((entry) => typeof entry === 'string') : [],
    typeCheckingMode: text('typeCheckingMode'),
  };
}

function sectionOf(config: AbsPath): unknown {
  try {
    const text = readFileSync(config, 'utf8');
    if (!config.endsWith('.toml')) return parseJsonc(text, [], { allowTrailingComma: true });
    const tool = fieldOf(parseToml(text), 'tool');
    return isObject(tool) ? tool.pyright : undefined;
  } catch {
    return undefined;
  }
}

/** The environment's own note of its version, or the one that pyenv and uv are told. */
function versionOf(
  python: PythonEnvironment | undefined,
  directories: readonly string[],
): DetectedVersion | undefined {
  if (python) {
    const note = path.join(path.dirname(path.dirname(python.interpreter)), 'pyvenv.cfg');
    const value = /^version(?:_info)?\s*=\s*(\d+\.\d+)/m.exec(textOf(note))?.[1];
    return value === undefined ? undefined : { value, from: `${python.found}/pyvenv.cfg` };
  }
  const file = nearest('.python-version', directories);
  const value = file && /^\s*(?:cpython-)?(\d+\.\d+)/m.exec(textOf(file))?.[1];
  return value ? { value, from: '.python-version' } : undefined;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
