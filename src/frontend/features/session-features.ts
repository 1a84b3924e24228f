/** What sessions have to know of the features: loaded when they are needed, since a start needs none of them. */
import { LISTED_PROFILES } from '../../shared/config/choices.ts';
import type { SessionFeatures } from '../session/session.ts';

export const sessionFeatures: SessionFeatures = {
  tools: async (config) => {
    const { listedTools } = await import('./listed-tools.ts');
    const listed = (await Promise.all(LISTED_PROFILES.map(listedTools))).flat();
    if (config.extensions.length === 0) return listed;
    const { allTools } = await import('./all-tools.ts');
    return [...listed, ...(await allTools(config))];
  },
  load: () => import('./edits/apply/session-edits.ts'),
  prepare: async (session) => {
    const { editsOf } = await import('./edits/apply/session-edits.ts');
    // Before a tool looks at the files: half an edit must not be seen.
    await editsOf(session).recover();
    if (session.config.extensions.length === 0) return;
    const { extensionProblems } = await import('./all-tools.ts');
    for (const why of await extensionProblems(session.config))
      session.log.warn('extension not loaded', { why });
  },
};
