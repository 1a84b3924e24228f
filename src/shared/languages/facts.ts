/**
 * All that is known of a language, with the defaults filled in: the one place where languages without a fact get theirs.
 * Decision: docs/decisions/languages-and-projects.md#one-descriptor-per-language
 */
import type { LanguageFamily, TestConventions } from './family.ts';
import { languageById } from './lookup.ts';
import { C_LIKE } from './masks.ts';
import { languageTable } from './table.ts';
import { USUAL_TESTS } from './test-names.ts';
import type { TextFacts } from './text-facts.ts';

/** Facts that any language may be asked for. */
export interface LanguageFacts extends Pick<LanguageFamily, Unfilled> {
  readonly text: TextFacts;
  readonly content: 'code' | NonNullable<LanguageFamily['content']>;
  readonly tests: TestConventions;
  readonly formatter: string;
}

/** Facts that a language has or has not. */
type Unfilled = 'documentation' | 'importsFolders' | 'projects' | 'modules' | 'includesFiles' | 'interpreter';

const TEXT: TextFacts = {
  names: undefined,
  mask: C_LIKE,
  lineComments: ['//'],
  interpolation: undefined,
  namesBehindDollar: false,
  decorator: { line: /^@/, inline: /^@(?!interface\b)[\w$.]+/ },
  docstrings: false,
  imports: /^import\b(?!\s*[(.])/,
  body: { kind: 'braces' },
  bracketsPair: true,
  sharedStatement: undefined,
  memberModifiers: undefined,
  bases: 'keywords',
  implementations: undefined,
  impliedMethods: undefined,
  spawns: [],
  publicNames: {},
  overloads: undefined,
  namedArguments: undefined,
  overloadsAreApart: false,
  numbersConstants: undefined,
  specialNames: undefined,
  enumsHaveCommas: true,
  gapAtTop: 1,
};

/** Of a family by its id. One that a configuration has made of a part of a known family has the facts of that family. */
export function languageFacts(language: string): LanguageFacts {
  const family = BY_ID.get(language) ?? languageById(language)?.family ?? UNKNOWN;
  const facts = made.get(family) ?? withDefaults(family);
  made.set(family, facts);
  return facts;
}

/** What runs programs of the language; for who needs nothing else of what is known of it. */
export function neededInterpreter(language: string): LanguageFamily['interpreter'] {
  return (BY_ID.get(language) ?? languageById(language)?.family)?.interpreter;
}

function withDefaults(family: Partial<LanguageFamily>): LanguageFacts {
  return {
    ...family,
    text: { ...TEXT, ...family.text?.() },
    content: family.content ?? 'code',
    tests: family.tests ?? { names: USUAL_TESTS },
    formatter: family.formatter ?? "Run the project's own formatter on the command line",
  };
}

/** A start makes none of them, and most sessions are about one or two languages. */
const made = new WeakMap<Partial<LanguageFamily>, LanguageFacts>();
const UNKNOWN: Partial<LanguageFamily> = {};
const BY_ID: ReadonlyMap<string, LanguageFamily> = new Map(
  languageTable.map((family) => [family.id, family]),
);
