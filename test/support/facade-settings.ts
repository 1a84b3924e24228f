/** What the configuration says of façades where the user says nothing. */
import { facadeConfig } from '../../src/shared/config/facade-config.ts';

export const FACADE_DEFAULTS = facadeConfig([], {
  env: {},
  platform: process.platform,
  arch: process.arch,
  homedir: '/home/u',
  execPath: process.execPath,
  packageRoot: '/',
});
