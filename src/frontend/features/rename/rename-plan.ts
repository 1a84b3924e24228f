/** The model of a rename: the edit, and what was found out about the name while it was computed. */

import type { Incomplete } from '../../render/incomplete.ts';
import type { EditPlan } from '../edits/plan/edit-plan.ts';
import type { Accounting } from '../references/accounting/accounting.ts';
import type { MentionedLines } from './mentions.ts';
import type { RenameMention } from './rename-mentions.ts';
import type { Alias } from './rename-places.ts';

export interface PlannedRename {
  readonly plan: EditPlan;
  /** What is renamed, as the server sees it. */
  readonly name: string;
  readonly incomplete: Incomplete | undefined;
  readonly aliases: readonly Alias[];
  /** Where the old name stands in text and documents. */
  readonly mentions: readonly RenameMention[];
  /** Whether they were to be changed, too. */
  readonly changesMentions: boolean;
  /** What was seen of the name in the workspace's text; undefined for a name of one function. */
  readonly scan: MentionedLines | undefined;
  /** What became of each occurrence of the name; undefined where it could not be looked at. */
  readonly accounting: Accounting | undefined;
  /** Why it must be shown before it is applied. */
  readonly mustShow: string | undefined;
}

export interface RenameOptions {
  readonly newName: string;
  readonly excludeGlobs: readonly string[];
  /** Whether those that re-export the name get the new one as well. */
  readonly throughExports: boolean;
  /** Whether mentions in comments, strings and documents get the new name as well. */
  readonly changesMentions: boolean;
}
