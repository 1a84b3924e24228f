/**
 * Reads the configuration of a session. Apart from session.ts, so that listing tools does not load everything else.
 */
import { type Config, type ConfigSources, loadConfig } from '../../shared/config/config.ts';
import { checkRules } from '../access/tool-access.ts';
import type { SessionFeatures } from './session.ts';

/** Fails when it cannot be understood. */
export async function sessionConfig(
  sources: ConfigSources & { readonly features: Pick<SessionFeatures, 'tools'> },
): Promise<Config> {
  const config = await loadConfig(sources);
  const hasRules = Object.values(config.permissionRules).some((patterns) => patterns.length > 0);
  if (hasRules) checkRules(config.permissionRules, await sources.features.tools(config));
  return config;
}
