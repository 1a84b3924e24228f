/**
 * What `.gitignore` files and `.git/info/exclude` say about a path. This file reads them itself, because starting git
 * for each answer would take longer than most answers; ignore files above the root are not read.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import type { AbsPath } from '../base/brand.ts';
import type { Clock } from '../base/lifetime.ts';

/** How long a changed rule may go unnoticed. */
const RULES_AGE_MS = 1_000;

interface Rule {
  readonly isNegated: boolean;
  readonly onlyDirectories: boolean;
  /** The path is relative to the directory of the rule, with forward slashes. */
  matches(relative: string): boolean;
}

interface RulesOf {
  readonly directory: string;
  readonly rules: readonly Rule[];
}

export interface IgnoredPart {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** Most directories have no rules of their own, and of hundreds of files in an answer most share their directories. */
export class IgnoreRules {
  readonly #clock: Clock;
  #rules = new Map<string, readonly RulesOf[]>();
  #directories = new Map<string, string | undefined>();
  #verdicts = new Map<string, boolean>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What of the path is ignored, from the root down: a directory above the file, or the file itself. */
  ignoredPart(file: AbsPath, root: AbsPath): IgnoredPart | undefined {
    return this.inDirectory(path.dirname(file), root)(file);
  }

  /** The same for the files of one directory, as its rules are now. */
  inDirectory(directory: string, root: AbsPath): (file: string) => IgnoredPart | undefined {
    this.#forgetOldRules();
    const ignored = this.#ignoredDirectory(directory, root);
    if (ignored !== undefined) return () => ({ path: ignored, isDirectory: true });
    if (this.#rulesAbove(directory, root).length === 0) return () => undefined;
    return (file) => (this.#isIgnored(file, root, false) ? { path: file, isDirectory: false } : undefined);
  }

  isIgnoredDirectory(directory: string, root: AbsPath): boolean {
    this.#forgetOldRules();
    return this.#ignoredDirectory(directory, root) !== undefined;
  }

  /** The outermost one that is ignored, of this directory and those between it and the root. */
  #ignoredDirectory(directory: string, root: AbsPath): string | undefined {
    if (directory.length <= root.length) return undefined;
    const key = `${root}\0${directory}`;
    if (this.#directories.has(key)) return this.#directories.get(key);
    const outer = this.#ignoredDirectory(path.dirname(directory), root);
    const ignored = outer ?? (this.#isIgnored(directory, root, true) ? directory : undefined);
    this.#directories.set(key, ignored);
    return ignored;
  }

  /** The last rule that fits decides, those of inner directories after those of outer ones. */
  #isIgnored(part: string, root: AbsPath, isDirectory: boolean): boolean {
    const above = this.#rulesAbove(path.dirname(part), root);
    if (above.length === 0) return false;
    const key = `${root}\0${part}${isDirectory ? path.sep : ''}`;
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    let ignored = false;
    for (const { directory, rules } of above) {
      const relative = path.relative(directory, part).split(path.sep).join('/');
      for (const rule of rules)
        if ((isDirectory || !rule.onlyDirectories) && rule.matches(relative)) ignored = !rule.isNegated;
    }
    this.#verdicts.set(key, ignored);
    return ignored;
  }

  /** What counts in this directory, from the root down. */
  #rulesAbove(directory: string, root: AbsPath): readonly RulesOf[] {
    const key = `${root}\0${directory}`;
    const known = this.#rules.get(key);
    if (known) return known;
    const isRoot = directory.length <= root.length;
    const outer = isRoot ? [] : this.#rulesAbove(path.dirname(directory), root);
    const rules = rulesIn(directory, isRoot);
    const all = rules.length === 0 ? outer : [...outer, { directory, rules }];
    this.#rules.set(key, all);
    return all;
  }

  #forgetOldRules(): void {
    const now = this.#clock.now();
    if (now - this.#readAt < RULES_AGE_MS) return;
    this.#readAt = now;
    this.#rules = new Map();
    this.#directories = new Map();
    this.#verdicts = new Map();
  }
}

function rulesIn(directory: string, isRoot: boolean): readonly Rule[] {
  const texts = [
    isRoot ? textOf(path.join(directory, '.git/info/exclude')) : '',
    textOf(path.join(directory, '.gitignore')),
  ];
  return texts.flatMap((text) => text.split(/\r?\n/).flatMap((line) => ruleOf(line) ?? []));
}

function ruleOf(line: string): Rule | undefined {
  const written = line.replace(/(?<!\\)\s+$/, '');
  if (written === '' || written.startsWith('#')) return undefined;
  const isNegated = written.startsWith('!');
  const pattern = isNegated ? written.slice(1) : written;
  const onlyDirectories = pattern.endsWith('/');
  const bare = pattern.replace(/\/$/, '');
  // A slash before the end ties the pattern to the directory of its file.
  const isAnchored = bare.includes('/');
  const glob = bare.replace(/^\//, '').replace(/(^|\/)\*\*$/, '$1**/*');
  if (glob === '') return undefined;
  const match = picomatch(glob, { dot: true, nobrace: true, noextglob: true, nonegate: true });
  return {
    isNegated,
    onlyDirectories,
    matches: (relative) => match(isAnchored ? relative : relative.slice(relative.lastIndexOf('/') + 1)),
  };
}

function textOf(file: string): string {
  // Most are not there, and making the error for that takes longer than looking.
  if (!existsSync(file)) return '';
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
