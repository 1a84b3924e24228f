/** What a tool can tell the audit about its call, beside what is known of every call. */
import type { Effect } from './effect.ts';

export interface AuditNotes {
  /** Adds to what is known of this call; of two words on the same thing the later one holds. */
  note(facts: AuditFacts): void;
}

export const NO_NOTES: AuditNotes = { note: () => {} };

export interface AuditFacts {
  /** Of a speculative session. */
  readonly sessionId?: string | undefined;
  /** Absolute; beside those that the arguments name. */
  readonly files?: readonly string[];
  readonly edit?: EditFacts;
  readonly access?: AccessFacts;
  readonly before?: DiagnosticCounts;
  readonly after?: DiagnosticCounts;
}

/** What was asked for or refused, and what reached beyond the files of the roots, with who allowed it. */
export interface AccessFacts {
  readonly effect: Effect;
  /** As the user is asked for it; undefined when it was refused before that was known. */
  readonly what?: string;
  readonly consent: 'allowed' | 'accepted' | 'declined' | 'cannot-ask' | 'refused';
}

export interface EditFacts {
  readonly mode:
    | 'text-match'
    | 'workspace-edit'
    | 'rename'
    | 'commit'
    | 'symbol'
    | 'format'
    | 'code-action'
    | 'move'
    | 'command'
    | 'phase_enforcement';
  readonly filePath?: string | undefined;
  /** Texts of any length: only their beginnings are kept. */
  readonly oldText?: string | undefined;
  readonly newText?: string | undefined;
  readonly oldName?: string | undefined;
  readonly newName?: string | undefined;
  readonly target?: string | undefined;
  /** False for what was only shown. */
  readonly apply?: boolean | undefined;
}

export interface DiagnosticCounts {
  readonly errors: number;
  readonly warnings: number;
  /** Absolute. */
  readonly files: readonly string[];
}
