/**
 * What `.gitignore` files and `.git/info/exclude` say about a path. This file reads them itself, because starting git
 * for each answer would take longer than most answers; ignore files above the root are not read.
 * Decision: docs/decisions/dependencies.md#gitignore-rules-by-ignore
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { AbsPath } from '../base/brand.ts';
import type { Clock } from '../base/lifetime.ts';

/** How long a changed rule may go unnoticed. */
const RULES_AGE_MS = 1_000;

/** All rules that count in a directory, written as if they stood in the root. */
interface Rules {
  readonly patterns: readonly string[];
  readonly matcher: Ignore;
}

export interface IgnoredPart {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** Most directories have no rules of their own, and of hundreds of files in an answer most share their directories. */
export class IgnoreRules {
  readonly #clock: Clock;
  #rules = new Map<string, Rules | undefined>();
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
    if (!this.#rulesAbove(directory, root)) return () => undefined;
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

  /** Asked for a path only when no directory above it is ignored. */
  #isIgnored(part: string, root: AbsPath, isDirectory: boolean): boolean {
    const rules = this.#rulesAbove(path.dirname(part), root);
    if (!rules) return false;
    const key = `${root}\0${part}${isDirectory ? path.sep : ''}`;
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    const ignored = rules.matcher.ignores(`${relativeTo(root, part)}${isDirectory ? '/' : ''}`);
    this.#verdicts.set(key, ignored);
    return ignored;
  }

  /** Undefined where there are none. */
  #rulesAbove(directory: string, root: AbsPath): Rules | undefined {
    const key = `${root}\0${directory}`;
    if (this.#rules.has(key)) return this.#rules.get(key);
    const isRoot = directory.length <= root.length;
    const outer = isRoot ? undefined : this.#rulesAbove(path.dirname(directory), root);
    const own = patternsIn(directory, root);
    const patterns = [...(outer?.patterns ?? []), ...own];
    const rules =
      own.length === 0
        ? outer
        : { patterns, matcher: ignore({ ignorecase: false, allowRelativePaths: true }).add(patterns) };
    this.#rules.set(key, rules);
    return rules;
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

function patternsIn(directory: string, root: AbsPath): readonly string[] {
  const isRoot = directory.length <= root.length;
  const texts = [
    isRoot ? textOf(path.join(directory, '.git/info/exclude')) : '',
    textOf(path.join(directory, '.gitignore')),
  ];
  const below = isRoot ? '' : `/${relativeTo(root, directory).replace(/[\\*?[\]]/g, '\\$&')}`;
  return texts.flatMap((text) =>
    text
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
      .map((line) => (below === '' ? line : fromRoot(line, below))),
  );
}

/** A pattern of an inner directory as the root would write it. */
function fromRoot(line: string, below: string): string {
  const [, negation = '', pattern = ''] = /^(!?)(.*)$/.exec(line) ?? [];
  // A slash before the end ties the pattern to the directory of its file.
  const isAnchored = pattern.replace(/\/\s*$/, '').includes('/');
  return `${negation}${below}/${isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`}`;
}

function relativeTo(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join('/');
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
