/**
 * What `.gitignore` files and `.git/info/exclude` say about a path. Read here and not asked of git, because a process
 * for each answer would take longer than most answers; what lies above the root is not looked at.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import type { AbsPath } from '../shared/base/brand.ts';
import type { Clock } from '../shared/base/lifetime.ts';

/** How long a changed rule may go unnoticed. */
const RULES_AGE_MS = 1_000;

interface Rule {
  readonly isNegated: boolean;
  readonly onlyDirectories: boolean;
  /** The path is relative to the directory of the rule, with forward slashes. */
  matches(relative: string): boolean;
}

export class IgnoreRules {
  readonly #clock: Clock;
  #rules = new Map<string, readonly Rule[]>();
  #verdicts = new Map<string, boolean>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What of the path is ignored, from the root down: a directory above the file, or the file itself. */
  ignoredPart(
    file: AbsPath,
    root: AbsPath,
  ): { readonly path: string; readonly isDirectory: boolean } | undefined {
    this.#forgetOldRules();
    const names = path.relative(root, file).split(path.sep);
    for (let depth = 1; depth <= names.length; depth++) {
      const isDirectory = depth < names.length;
      const part = path.join(root, ...names.slice(0, depth));
      if (this.#isIgnored(part, root, isDirectory)) return { path: part, isDirectory };
    }
    return undefined;
  }

  /** The last rule that fits decides, those of inner directories after those of outer ones. */
  #isIgnored(part: string, root: AbsPath, isDirectory: boolean): boolean {
    const key = `${root}\0${part}${isDirectory ? path.sep : ''}`;
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    let ignored = false;
    const names = path.relative(root, path.dirname(part)).split(path.sep).filter(Boolean);
    for (let depth = 0; depth <= names.length; depth++) {
      const directory = path.join(root, ...names.slice(0, depth));
      const relative = path.relative(directory, part).split(path.sep).join('/');
      for (const rule of this.#rulesIn(directory, depth === 0))
        if ((isDirectory || !rule.onlyDirectories) && rule.matches(relative)) ignored = !rule.isNegated;
    }
    this.#verdicts.set(key, ignored);
    return ignored;
  }

  #rulesIn(directory: string, isRoot: boolean): readonly Rule[] {
    const known = this.#rules.get(directory);
    if (known) return known;
    const texts = [
      isRoot ? textOf(path.join(directory, '.git/info/exclude')) : '',
      textOf(path.join(directory, '.gitignore')),
    ];
    const rules = texts.flatMap((text) => text.split(/\r?\n/).flatMap((line) => ruleOf(line) ?? []));
    this.#rules.set(directory, rules);
    return rules;
  }

  #forgetOldRules(): void {
    const now = this.#clock.now();
    if (now - this.#readAt < RULES_AGE_MS) return;
    this.#readAt = now;
    this.#rules = new Map();
    this.#verdicts = new Map();
  }
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
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
