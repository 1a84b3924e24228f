/**
 * The Python interpreter of a project, found without running anything. An environment inside the project comes
 * before an activated one: agents work in many roots, and what is activated often belongs to another.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Environment, variable } from './environment.ts';

export interface PythonEnvironment {
  /** Not resolved: the link inside the environment is what makes it one. */
  readonly interpreter: string;
  readonly found: string;
}

/** `directories` are the root and what is above it, nearest first. */
export function findPython(
  directories: readonly string[],
  environment: Environment,
): PythonEnvironment | undefined {
  const root = directories[0];
  const chosenForUv = variable(environment, 'UV_PROJECT_ENVIRONMENT');
  const candidates = [
    ...(chosenForUv && root
      ? [{ directory: path.resolve(root, chosenForUv), found: 'UV_PROJECT_ENVIRONMENT' }]
      : []),
    ...directories.flatMap((directory) =>
      ['.venv', 'venv', 'env', '.conda'].map((name) => ({
        directory: path.join(directory, name),
        found: name,
      })),
    ),
    ...['VIRTUAL_ENV', 'CONDA_PREFIX'].map((name) => ({
      directory: variable(environment, name),
      found: name,
    })),
  ];
  for (const { directory, found } of candidates) {
    const interpreter =
      directory && isEnvironment(directory) ? interpreterIn(directory, environment) : undefined;
    if (interpreter) return { interpreter, found };
  }
  return undefined;
}

/** `env` is also an ordinary name for a directory. */
function isEnvironment(directory: string): boolean {
  return existsSync(path.join(directory, 'pyvenv.cfg')) || existsSync(path.join(directory, 'conda-meta'));
}

function interpreterIn(directory: string, environment: Environment): string | undefined {
  const places =
    environment.platform === 'win32' ? ['Scripts/python.exe', 'python.exe'] : ['bin/python', 'bin/python3'];
  return places.map((place) => path.join(directory, place)).find((file) => existsSync(file));
}
