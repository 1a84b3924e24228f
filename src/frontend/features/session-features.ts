/** What sessions have to know of the features: loaded when they are needed, since a start needs none of them. */
import { LISTED_PROFILES } from '../../shared/config/choices.ts';
import type { SessionFeatures } from '../session/session.ts';

export const sessionFeatures: SessionFeatures = {
  tools: async () => {
    const { listedTools } = await import('./listed-tools.ts');
    return (await Promise.all(LISTED_PROFILES.map(listedTools))).flat();
  },
  load: () => import('./edits/apply/session-edits.ts'),
  prepare: async (session) => {
    const { editsOf } = await import('./edits/apply/session-edits.ts');
    // Before anybody looks at the files: half an edit must not be seen.
    await editsOf(session).recover();
  },
};
