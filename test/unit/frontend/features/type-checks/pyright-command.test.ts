import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pyrightCommand } from '../../../../../src/frontend/features/type-checks/pyright-command.ts';
import { pythonProject } from '../../../../../src/frontend/features/type-checks/python-project.ts';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';
import type { Environment } from '../../../../../src/shared/languages/environment.ts';
import { createWorkspace, type Workspace } from '../../../../support/workspace.ts';

const BARE: Environment = {
  env: {},
  platform: 'linux',
  arch: 'x64',
  homedir: '/home/nobody',
  execPath: process.execPath,
  packageRoot: '/nowhere',
};

const VENV = '//- .venv/pyvenv.cfg\nhome = /usr/bin\nversion = 3.9.2\n//- .venv/bin/python\n\n';

/** The command for src/a.py, without the program and relative to the root. */
function commandIn(workspace: Workspace, pythonVersion?: string) {
  const target = workspace.file('src/a.py');
  const project = pythonProject(absolutePath(path.dirname(target)), {
    boundary: workspace.root,
    environment: BARE,
  });
  const { args, settings } = pyrightCommand(project, { target, pythonVersion });
  return {
    args: args.map((arg) => arg.replace(`${workspace.root}/`, '').replace(workspace.root, '.')),
    from: Object.fromEntries(settings.map(({ name, from }) => [name, from])),
    directory: path.relative(workspace.root, project.directory) || '.',
  };
}

describe('the command of pyright', () => {
  it('has the defaults of pyright where no project is found', async () => {
    await using workspace = createWorkspace('//- src/a.py\n\n');
    expect(commandIn(workspace)).toEqual({ args: ['--outputjson', 'src/a.py'], from: {}, directory: '.' });
  });

  it('passes on what is detected: environment, its version, project; the path comes last', async () => {
    await using workspace = createWorkspace(`${VENV}//- pyproject.toml\n\n//- src/a.py\n\n`);
    expect(commandIn(workspace)).toEqual({
      args: [
        '--outputjson',
        ...['--pythonversion', '3.9'],
        ...['--pythonpath', '.venv/bin/python'],
        ...['--project', 'pyproject.toml'],
        'src/a.py',
      ],
      from: { python_version: '.venv/pyvenv.cfg', environment: '.venv', project: 'pyproject.toml' },
      directory: '.',
    });
  });

  it('leaves to the configuration what it says: version and environment', async () => {
    await using workspace = createWorkspace(
      `${VENV}//- pyrightconfig.json\n{ "pythonVersion": "3.10", /* named */ "venvPath": "/envs", "venv": "mine", }\n//- src/a.py\n\n`,
    );
    expect(commandIn(workspace)).toEqual({
      args: ['--outputjson', '--project', 'pyrightconfig.json', 'src/a.py'],
      from: {
        python_version: 'pyrightconfig.json',
        environment: 'pyrightconfig.json',
        project: 'pyrightconfig.json',
      },
      directory: '.',
    });
  });

  it('says where the environment is that the configuration only names', async () => {
    await using workspace = createWorkspace(
      `${VENV}//- pyproject.toml\n[tool.pyright]\nvenv = ".venv"\npythonVersion = "3.10"\n//- src/a.py\n\n`,
    );
    expect(commandIn(workspace).args).toEqual([
      '--outputjson',
      ...['--venvpath', '.'],
      ...['--project', 'pyproject.toml'],
      'src/a.py',
    ]);
  });

  it('obeys the call before the configuration', async () => {
    await using workspace = createWorkspace(
      '//- pyproject.toml\n[tool.pyright]\npythonVersion = "3.10"\n//- src/a.py\n\n',
    );
    const { args, from } = commandIn(workspace, '3.13');
    expect(args.slice(0, 3)).toEqual(['--outputjson', '--pythonversion', '3.13']);
    expect(from.python_version).toBe('the call');
  });

  it('takes the version that pyenv and uv are told where there is no environment', async () => {
    await using workspace = createWorkspace('//- .python-version\n3.8.19\n//- src/a.py\n\n');
    expect(commandIn(workspace)).toMatchObject({
      args: ['--outputjson', '--pythonversion', '3.8', 'src/a.py'],
      from: { python_version: '.python-version' },
    });
  });

  it('looks for a project as pyright does: its own file above before a nearer pyproject.toml', async () => {
    await using workspace = createWorkspace(
      '//- pyrightconfig.json\n{}\n//- src/pyproject.toml\n\n//- src/a.py\n\n',
    );
    expect(commandIn(workspace)).toMatchObject({ directory: '.', from: { project: 'pyrightconfig.json' } });
  });
});
