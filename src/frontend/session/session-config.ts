/** The configuration of a session: read without what sessions are made of, because the list of tools needs no more. */
import { type Config, type ConfigSources, loadConfig } from '../../shared/config/config.ts';
import { checkRules } from '../access/tool-access.ts';
import type { SessionFeatures } from './session.ts';

/** Fails when it cannot be understood. */
export async function sessionConfig(
  sources: ConfigSources & { readonly features: Pick<SessionFeatures, 'tools'> },
): Promise<Config> {
  const config = await loadConfig(sources);
  const hasRules = Object.values(config.permissionRules).some((patterns) => patterns.length > 0);
  if (hasRules) checkRules(config.permissionRules, await sources.features.tools());
  return config;
}
