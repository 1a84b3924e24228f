/** Supertypes and subtypes of a type, by whichever means they were found. */
import type { ServerFacts } from '../../../shared/link/server-link.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import type { HierarchyItem } from './hierarchy-items.ts';

export interface TypeWishes {
  readonly supertypes: boolean;
  readonly subtypes: boolean;
}

export interface TypeGraph {
  /** What the question is about; none when there is no type at the place. */
  readonly items: readonly HierarchyItem[];
  /** Undefined when not asked for. */
  readonly supertypes: readonly HierarchyItem[] | undefined;
  readonly subtypes: readonly HierarchyItem[] | undefined;
  readonly facts: ServerFacts;
  readonly readiness: string;
  readonly incomplete: Incomplete | undefined;
  /** By what other means this was found, where the server has no type hierarchy. */
  readonly means?: string;
}
