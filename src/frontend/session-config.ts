/** The configuration of a session: read without what sessions are made of, because the list of tools needs no more. */
import { type Config, type ConfigSources, loadConfig } from '../shared/config/config.ts';
import { checkRules } from './tool-access.ts';

/** Fails when it cannot be understood. */
export async function sessionConfig(sources: ConfigSources): Promise<Config> {
  const config = await loadConfig(sources);
  const hasRules = Object.values(config.permissionRules).some((patterns) => patterns.length > 0);
  if (hasRules) {
    const { listedTools } = await import('./listed-tools.ts');
    checkRules(config.permissionRules, listedTools());
  }
  return config;
}
