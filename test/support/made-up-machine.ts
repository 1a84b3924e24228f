/** A machine that is none: what a program is told of it, with the home and the state directory of a test. */
import type { Environment } from '../../src/shared/languages/environment.ts';
import type { Workspace } from './workspace.ts';

export function madeUpMachine(workspace: Workspace, over: Partial<Environment> = {}): Environment {
  return {
    env: { AGENT_LSP_STATE_DIR: workspace.stateDir },
    platform: 'linux',
    arch: 'x64',
    homedir: workspace.home,
    execPath: '/opt/node',
    packageRoot: workspace.scratch,
    ...over,
  };
}
