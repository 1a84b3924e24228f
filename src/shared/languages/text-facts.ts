/**
 * How the text of a language looks: what the tools read from it without asking a server. Data only; what it means is in
 * `src/frontend/lexical`. A language says in which it differs from the defaults in `facts.ts`.
 */

/** Sources of patterns for what is no code; of those that fit at a place the first counts. */
export interface MaskLook {
  readonly comments: readonly string[];
  readonly strings: readonly string[];
  /** What begins something that may hold more of its kind: a comment with comments, a string with code. */
  readonly opens?: readonly string[];
  /** Strings of `opens` may go over several lines. */
  readonly spansLines?: true;
}

/** Code inside of strings. */
export interface Interpolation {
  readonly open: string;
  readonly close: string;
  /** Must be found around the quote that begins a string with code. */
  readonly prefix?: RegExp;
}

/** What stands on lines above a declaration and belongs to it. */
export interface DecoratorLook {
  /** A whole line, without blanks around it. */
  readonly line: RegExp | undefined;
  /** At the beginning of a declaration. */
  readonly inline: RegExp | undefined;
}

/** Which part of a declaration is its body. */
export type BodyLook =
  | BracedBody
  /** Indented lines behind a colon. The words declare what can have one. */
  | { readonly kind: 'suite'; readonly modifiers: string; readonly functions: string; readonly types: string }
  | EndedBody
  | { readonly kind: 'unknown' };

interface BracedBody {
  readonly kind: 'braces';
  /**
   * What may follow an arrow. `expressions`: an expression in place of a body. `functions`: the body of a function that
   * is a value, be it an expression or a block; the braces of a type may then look like a body.
   */
  readonly arrows?: 'expressions' | 'functions';
  /** Words that make braces a body: before the name, directly before the braces, or at the beginning of a value. */
  readonly marked?: { readonly name: RegExp; readonly braces: RegExp; readonly value: RegExp };
}

/** From the end of its header to the word `end`. */
interface EndedBody {
  readonly kind: 'end';
  /** Fits the code behind the name, its strings and brackets emptied, up to the end of the header. */
  readonly header: RegExp;
  /** Must be in the declaration up to there. */
  readonly needs?: RegExp;
  /** On one line a `;` comes before `end`. */
  readonly isSeparated?: true;
}

/** How a type says what it inherits from: `class A extends B`, `class A(B)`, `class A : B`, `class A < B`. */
export type BaseClause = 'keywords' | 'brackets' | 'colon' | 'less-than';

/** Blocks that say, apart from the declaration of a type, what it implements. */
export interface ImplementationLook {
  /** The beginning of the line that such a block begins with. */
  readonly head: RegExp;
  /** Up to the brace; with the flag `d` and the groups `trait` and `type`. */
  readonly names: RegExp;
}

/** How work is started that runs beside or after the code that started it. */
export interface SpawnPattern {
  /** What it is called in answers; without it the text that matched. */
  readonly name?: string;
  /** Fits the text directly before the call. */
  readonly before?: RegExp;
  /** Fits the text before a bracket that the call is in. */
  readonly around?: RegExp;
}

/** Names that share a statement with others, such as `a, b = 1, 2`, by the code around one of them. */
export interface SharedStatement {
  readonly of: 'values' | 'everything';
  /** From the beginning of the statement up to the name. */
  readonly before: RegExp;
  /** Right behind the name. */
  readonly behind?: RegExp;
}

/** Which symbols of a file other files can use; all that is said must hold. */
export interface PublicRule {
  /** The name itself. */
  readonly name?: RegExp;
  /** Modifiers of which one must stand before the name. */
  readonly marked?: RegExp;
  /** Modifiers of which none may. */
  readonly unmarked?: RegExp;
  /** Lines above the name that open and close a type to others; without one the line with the type's name decides. */
  readonly labels?: { readonly look: RegExp; readonly open: string; readonly closedIn: RegExp };
}

export interface PublicNames extends PublicRule {
  /** Members of interfaces need no modifier. */
  readonly inInterfaces?: true;
  /** Nor do members of what is called like this. */
  readonly inside?: RegExp;
  /** Namespaces of which nothing is public. */
  readonly hiddenSpaces?: RegExp;
  /** For members of types in place of the rule itself. */
  readonly members?: PublicRule;
  /** Lists of public names: a file with such lists need not, or even cannot, say it by modifiers. */
  readonly listed?: ListedNames;
}

export interface ListedNames {
  /** Files with this have lists, be they empty. */
  readonly where: RegExp;
  /** Names of files of which that is not true. */
  readonly exceptIn?: RegExp;
  /** With the flag `g`; the first group is a list. */
  readonly lists: readonly RegExp[];
  /** With the flag `g`; the first group is a name in a list. */
  readonly names: RegExp;
}

/** What a symbol can be called. Without one a server alone judges new names. */
export interface NameLook {
  /** Fits every name that a declaration can have. In doubt it fits: what it does not fit is refused without a question. */
  readonly fits: RegExp;
  /** Words that are no names, wherever they stand. */
  readonly reserved?: ReadonlySet<string>;
  /** Further ones in files that are called like this. */
  readonly reservedIn?: { readonly files: RegExp; readonly words: ReadonlySet<string> };
  /**
   * Members of a type may have other names: any reserved word, and what this fits. What no member can be is told by
   * the text directly before its declaration.
   */
  readonly members?: { readonly fits: RegExp; readonly notBehind: RegExp };
  /** Fits the text of the line before what is no plain name there, such as the path of a package. */
  readonly freeBehind?: RegExp;
}

export interface TextFacts {
  readonly names: NameLook | undefined;
  readonly mask: MaskLook;
  /** What begins a comment that ends with its line. */
  readonly lineComments: readonly string[];
  readonly interpolation: Interpolation | undefined;
  /** In strings a name right behind `$` stands for its value. */
  readonly namesBehindDollar: boolean;
  readonly decorator: DecoratorLook;
  /** The documentation is the string that a body begins with. */
  readonly docstrings: boolean;
  /** A line that an import begins with. */
  readonly imports: RegExp;
  readonly body: BodyLook;
  /** False where brackets may stand alone, as in the patterns of a shell's `case`. */
  readonly bracketsPair: boolean;
  readonly sharedStatement: SharedStatement | undefined;
  /** All that may stand before the name of a member, where types stand behind a colon. */
  readonly memberModifiers: RegExp | undefined;
  readonly bases: BaseClause;
  readonly implementations: ImplementationLook | undefined;
  /** The line that a method begins with, its name in the first group, where types need not say what they implement. */
  readonly impliedMethods: RegExp | undefined;
  /** Without any nothing is said about what runs concurrently. */
  readonly spawns: readonly SpawnPattern[];
  readonly publicNames: PublicNames;
  /** Which of the declarations of one name are signatures: those without a body, or those with this above them. */
  readonly overloads: 'without-body' | RegExp | undefined;
  /** What stands behind the name of a parameter where a call names it. */
  readonly namedArguments: RegExp | undefined;
  /** Functions of one name that differ in their parameters are functions apart to a server. */
  readonly overloadsAreApart: boolean;
  /** In a group of constants this word makes values of places. */
  readonly numbersConstants: RegExp | undefined;
  /** Names that mean something by themselves, to the language and to code where they are not written. */
  readonly specialNames: RegExp | undefined;
  /** Members of an enum are separated by commas. */
  readonly enumsHaveCommas: boolean;
  /** Blank lines between declarations at the outermost level. */
  readonly gapAtTop: number;
}
