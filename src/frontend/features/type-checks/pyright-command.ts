/**
 * The arguments that pyright is run with. An agent's wish comes before the project's configuration, and that before
 * what was detected. Pyright lets every argument override the configuration, so settings that the configuration has
 * are not passed.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import type { CheckRequest, CheckSetting } from './checker.ts';
import type { PythonProject } from './python-project.ts';

export interface PyrightCommand {
  readonly args: readonly string[];
  readonly settings: readonly CheckSetting[];
}

/** The path comes last. */
export function pyrightCommand(
  project: PythonProject,
  { target, pythonVersion }: Pick<CheckRequest, 'target' | 'pythonVersion'>,
): PyrightCommand {
  const parts = [versionPart(project, pythonVersion), environmentPart(project), projectPart(project)];
  return {
    args: ['--outputjson', ...parts.flatMap(({ args }) => args), target],
    settings: parts.flatMap(({ setting }) => setting ?? []),
  };
}

interface Part {
  readonly args: readonly string[];
  readonly setting?: CheckSetting;
}

function versionPart({ config, configured, version }: PythonProject, given: string | undefined): Part {
  const name = 'python_version';
  if (given !== undefined)
    return { args: ['--pythonversion', given], setting: { name, value: given, from: 'the call' } };
  if (configured.pythonVersion !== undefined)
    return { args: [], setting: { name, value: configured.pythonVersion, from: nameOf(config) } };
  if (!version) return { args: [] };
  const { value, from } = version;
  return { args: ['--pythonversion', value], setting: { name, value, from } };
}

function environmentPart({ directory, config, configured, environment }: PythonProject): Part {
  const name = 'environment';
  const { venv, venvPath } = configured;
  if (venv !== undefined) {
    // Without a venvPath pyright passes over the environment that the configuration names.
    const isBeside = venvPath === undefined && existsSync(path.join(directory, venv));
    const args = isBeside ? ['--venvpath', directory] : [];
    return { args, setting: { name, value: venv, from: nameOf(config) } };
  }
  if (!environment) return { args: [] };
  const { interpreter, found } = environment;
  return { args: ['--pythonpath', interpreter], setting: { name, value: interpreter, from: found } };
}

function projectPart({ config }: PythonProject): Part {
  if (config === undefined) return { args: [] };
  return {
    args: ['--project', config],
    setting: { name: 'project', value: config, from: nameOf(config) },
  };
}

function nameOf(config: AbsPath | undefined): string {
  return config === undefined ? 'the project' : path.basename(config);
}
