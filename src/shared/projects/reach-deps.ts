/** What looking for names in the files of a workspace needs. */
import type { MentionIndex } from './mention-index.ts';

export interface ReachDeps {
  readonly index: MentionIndex;
  /** Whether files may have changed without having been noticed. */
  readonly verify: boolean;
  /** As many projects the server can keep loaded; with one more, another one would have to go. */
  readonly mostProjects: number;
  /** Whether the time to look is over. */
  isOver(): boolean;
}
