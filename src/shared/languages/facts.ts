/**
 * All that is known of a language, with the defaults filled in: the one place where languages without a fact get theirs.
 * Decision: docs/decisions/languages-and-projects.md#one-descriptor-per-language
 */
import type { LanguageFamily } from './family.ts';
import { languageById } from './lookup.ts';
import { C_LIKE } from './masks.ts';
import { languageTable } from './table.ts';
import type { TextFacts } from './text-facts.ts';

export interface LanguageFacts {
  readonly text: TextFacts;
  readonly content: 'code' | NonNullable<LanguageFamily['content']>;
}

const TEXT: TextFacts = {
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
  overloads: undefined,
  numbersConstants: undefined,
  specialNames: undefined,
  enumsHaveCommas: true,
  gapAtTop: 1,
};

/** Of a family by its id. One that a configuration has made of a part of a known family has the facts of that family. */
export function languageFacts(language: string): LanguageFacts {
  return BY_ID.get(language) ?? BY_ID.get(languageById(language)?.family.id ?? '') ?? UNKNOWN;
}

function withDefaults({ text, content }: Pick<LanguageFamily, 'text' | 'content'>): LanguageFacts {
  return { text: { ...TEXT, ...text }, content: content ?? 'code' };
}

const BY_ID: ReadonlyMap<string, LanguageFacts> = new Map(
  languageTable.map((family) => [family.id, withDefaults(family)]),
);
const UNKNOWN = withDefaults({});
