/**
 * What the oracle and the judge say to each other. The oracle writes it to a file and ends before the product is
 * started, so that neither takes memory or time from the other.
 */

export const TOOLS = ['references', 'callers', 'implementations', 'rename', 'symbols', 'definition'] as const;

export type Tool = (typeof TOOLS)[number];

export const LANGUAGES = ['typescript', 'python', 'go'] as const;

/** JavaScript is judged with TypeScript. */
export type Language = (typeof LANGUAGES)[number];

/** A place in the repository: a path relative to its root with forward slashes; line and column from 1, in UTF-16 units. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What stands at a place. `conventions.ts` says which of them servers may leave out. */
export type PlaceClass =
  | 'use'
  | 'call'
  | 'new'
  | 'decorator'
  /** `@name` in Python: a call without brackets. */
  | 'applied'
  | 'tag'
  | 'jsx'
  /** `value.method` without a call. */
  | 'property'
  | 'shorthand'
  | 'import'
  | 'export'
  /** The name of another declaration that means the same, such as an override. */
  | 'declaration'
  /** The declaration that is asked about. */
  | 'definition'
  | 'string'
  /** The name within a string of Python. */
  | 'mention'
  | 'keyword'
  | 'comment'
  /** A declaration that a search by name has to list. */
  | 'top-level'
  | 'member'
  /** Declarations that it may list. */
  | 'local'
  | 'literal-member'
  | 'assigned';

export interface TruePlace extends Place {
  readonly class: PlaceClass;
  /** Of the places of a group any one is enough: overloads are one thing, and servers list another one of them. */
  readonly group?: string;
  /** It is reached only through imports that resolve once the repository has been built. */
  readonly needsBuild?: boolean;
  /** `value.name`: what the value is, only types can tell. */
  readonly isMember?: boolean;
  /** Of a call the innermost function around it, where there is one that has a name. */
  readonly caller?: string;
}

export interface Question {
  readonly tool: Tool;
  readonly name: string;
  /** `function`, `method`, … */
  readonly kind: string;
  /** Where the question is asked: at the declaration, or at a use. */
  readonly at: Place;
  readonly isAtUse: boolean;
  readonly expected: readonly TruePlace[];
}

export interface Truth {
  /** Who judges, and by what means. */
  readonly by: string;
  /** What a reader has to know about the repository, a sentence each. */
  readonly remarks: readonly string[];
  /** All files that were looked at; places elsewhere are not judged. */
  readonly files: readonly string[];
  readonly symbols: number;
  readonly inSeveralFiles: number;
  readonly candidates: number;
  readonly questions: readonly Question[];
  readonly seconds: number;
  readonly megabytes: number;
}

/** What the oracle is asked for. */
export interface Order {
  readonly root: string;
  readonly language: Language;
  readonly symbols: number;
  readonly seed: number;
  readonly tools: readonly Tool[];
}
