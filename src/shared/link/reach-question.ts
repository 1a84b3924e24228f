/** What a session asks about the projects of a workspace before a question across files, and what it is told. */
import type { AbsPath } from '../base/brand.ts';

/** The name that a question is about. Without a file any part of a name counts, in either case. */
export interface About {
  readonly name: string;
  /** More names of the same file that are asked about together with it. */
  readonly also?: readonly string[] | undefined;
  /** Where the name stands. */
  readonly file?: AbsPath | undefined;
  /** Directories that are searched by others. */
  readonly except?: readonly AbsPath[] | undefined;
  /** Also which files have the name in their text, wherever it belongs. */
  readonly wantsMentions?: boolean | undefined;
  /** Of these only files of the language itself, since the others have to be read for each name. */
  readonly wantsOwnKindOnly?: boolean | undefined;
  /** Without a file: also which files look like declaring a name with this in it, where that can be told. */
  readonly wantsDeclarations?: boolean | undefined;
}

/** A source file with the name in its text. */
export interface Mention {
  readonly file: AbsPath;
  /** How often. */
  readonly count: number;
}

export interface Mentions {
  readonly files: readonly Mention[];
  /** Files of other kinds with the name in their text, which the server does not read. */
  readonly others: readonly Mention[];
  /** Files of other kinds that could not be looked through. */
  readonly unread: readonly AbsPath[];
  /** Source files of which this is not known: larger than any text, or not to be read by this user. */
  readonly unreadSources: readonly AbsPath[];
  /** Whether all files could be looked at. */
  readonly whole: boolean;
}

/** A source file that looks like declaring names. */
export interface DeclaringFile {
  readonly file: AbsPath;
  readonly names: readonly DeclaredName[];
}

export interface Declarations {
  readonly files: readonly DeclaringFile[];
  /** Whether all files could be looked at. */
  readonly whole: boolean;
}

/** What a question needs, before the server was shown any of it. */
export interface ReachPlan extends Omit<Reach, 'later'> {
  /** Of the documents that stand for a project: which of its files mention the name. */
  readonly behind: ReadonlyMap<AbsPath, readonly AbsPath[]>;
}

export interface Reach {
  /** To be opened before the question; in the answer of a server, those that were not open yet. */
  readonly documents: readonly AbsPath[];
  /** Files that mention the name, in projects that there was no time to show. The next question goes on with them. */
  readonly later: readonly AbsPath[];
  /** Files that mention the name and that the server may still know nothing of. */
  readonly unopened: readonly AbsPath[];
  /** Files that mention the name, in projects that the server takes for something else than they are. */
  readonly misread: readonly AbsPath[];
  /** Files that mention the name, in projects whose configuration could not be read whole. */
  readonly unread: readonly UnreadFile[];
  /** Imports that do not lead to the sources of a package of the workspace, of files that mention the name. */
  readonly unbuilt: readonly UnbuiltImport[];
  /** Directories that this user may not read: what is in them nobody has searched. */
  readonly forbidden: readonly AbsPath[];
  /** Files of no project that may have what is asked for by a part of its name. */
  readonly loose?: readonly AbsPath[];
  /** Whether all files could be looked at. */
  readonly whole: boolean;
  /** The same again as long as no file has changed and the server has not ended; undefined where that is not known. */
  readonly world?: string | undefined;
  /** Only where they were asked for. */
  readonly mentions?: Mentions;
  /** Only where they were asked for. */
  readonly declarations?: Declarations;
}

export interface UnreadFile {
  readonly file: AbsPath;
  /** Which configuration it is, and what is wrong with it. */
  readonly why: string;
}

/** What a package would need for imports to lead to its sources: to be built, or maps beside what was built. */
export type Lack = 'build' | 'maps';

export interface UnbuiltImport {
  readonly file: AbsPath;
  readonly packages: readonly string[];
  /** Of the first of them. */
  readonly lacks: Lack;
  /** The name itself is imported from one of them there. */
  readonly isNamed: boolean;
}

/** What a session asks: about which name, and where it may look. */
export interface ReachQuestion extends About {
  /** The root of the session around the file: nothing above it is looked at. */
  readonly boundary: AbsPath;
  /** The boundary is a home or a disk: what lies in it has nothing to do with each other. */
  readonly isWide?: boolean;
  /** All folders that the session works in. */
  readonly folders: readonly AbsPath[];
  /** How long to look; what is not seen by then is said. */
  readonly lookMs: number;
  /** How long at most for a server that is warm to load projects, where a call waits for no more. */
  readonly showMs?: number | undefined;
  readonly stateDir: AbsPath;
}

export const EVERYTHING: Reach = {
  documents: [],
  later: [],
  unopened: [],
  misread: [],
  unread: [],
  unbuilt: [],
  forbidden: [],
  whole: true,
};

const { later: _, ...nothing } = EVERYTHING;
export const NOTHING_TO_SHOW: ReachPlan = { ...nothing, behind: new Map() };

export interface DeclaredName {
  /** Without the mark of a private name. */
  readonly name: string;
  /** From 0; several for the overloads of one function, of which a list needs only one. */
  readonly lines: readonly number[];
}
