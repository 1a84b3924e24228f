/** `docs/decisions/<room>.md`: what was decided and why, read by its headings and the bold word that begins each part. */
import { filesBelow, readText } from './tree.ts';

export const decisionsFolder = 'docs/decisions';

export const requiredParts = ['Context', 'Decision', 'Consequence', 'Shown by', 'Revisit when'] as const;
const followedIn = 'Followed in';
const knownParts: readonly string[] = [...requiredParts, followedIn];

export interface DecisionPart {
  readonly name: string;
  readonly text: string;
  /** In its file, from 1. */
  readonly line: number;
}

export interface DecisionEntry {
  readonly file: string;
  readonly line: number;
  /** How sources name it: `docs/decisions/host.md#short-name`. */
  readonly address: string;
  readonly parts: readonly DecisionPart[];
}

export function readDecisions(root: string): readonly DecisionEntry[] {
  const files = filesBelow(root, decisionsFolder, (path) => path.endsWith('.md'));
  return files.flatMap((file) => entriesOf(file, readText(root, file)));
}

function entriesOf(file: string, text: string): DecisionEntry[] {
  const entries: (DecisionEntry & { parts: DecisionPart[] })[] = [];
  for (const [index, written] of text.split('\n').entries()) {
    const line = index + 1;
    const heading = /^## (.+)$/.exec(written)?.[1];
    const entry = entries.at(-1);
    if (heading !== undefined)
      entries.push({ file, line, address: `${file}#${anchorOf(heading)}`, parts: [] });
    else if (entry !== undefined) addLine(entry.parts, written, line);
  }
  return entries;
}

/** A part goes on until the next one begins. */
function addLine(parts: DecisionPart[], written: string, line: number): void {
  const [, name, rest = ''] = /^\*\*([^*]+)\*\*:?(.*)$/.exec(written) ?? [];
  const last = parts.at(-1);
  if (name !== undefined) parts.push({ name, text: rest.trim(), line });
  else if (last !== undefined) parts[parts.length - 1] = { ...last, text: `${last.text}\n${written}`.trim() };
}

/** As GitHub makes anchors of headings. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

export function partOf(entry: DecisionEntry, name: string): DecisionPart | undefined {
  return entry.parts.find((part) => part.name === name);
}

export function isKnownPart(name: string): boolean {
  return knownParts.includes(name);
}

/** The files that an entry says follow it. */
export function followersOf(entry: DecisionEntry): readonly string[] {
  return quotedIn(partOf(entry, followedIn)?.text ?? '');
}

export function quotedIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, quoted]) => quoted ?? '');
}
