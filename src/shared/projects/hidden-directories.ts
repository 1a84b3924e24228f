/**
 * Which hidden directories belong to a workspace. Many hold sources that people write (`.storybook`, `.github`), and
 * projects may include them; others hold what tools made, what git ignores, or another checkout of the same sources.
 * Decision: docs/decisions/languages-and-projects.md#hidden-directories
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import type { Clock } from '../base/lifetime.ts';
import { IgnoreRules } from '../languages/ignore-rules.ts';

/** Of version control, environments, caches, frameworks and editors: large, or made anew at each build. */
const MADE: ReadonlySet<string> = new Set(
  `.git .hg .svn .jj .bzr .venv .env .tox .nox .eggs .direnv .mypy_cache .pytest_cache .ruff_cache .hypothesis
   .ipynb_checkpoints .pixi .conda .cache .parcel-cache .rpt2_cache .turbo .nx .rush .pnpm-store .pnpm .yarn .npm .bun
   .next .nuxt .output .svelte-kit .astro .angular .docusaurus .vite .vitepress-cache .temp .tmp .vercel .netlify
   .wrangler .expo .sst .serverless .aws-sam .terraform .gradle .m2 .bsp .metals .bloop .dart_tool .pub-cache .build
   .stack-work .cargo .rustup .elixir_ls .lexical .idea .vs .vscode-test .history .nyc_output .coverage .Trash`.split(
    /\s+/,
  ),
);

export class HiddenDirectories {
  readonly #root: AbsPath;
  readonly #rules: IgnoreRules;

  /** What is hidden above the root is not hidden in it. */
  constructor(root: AbsPath, clock: Clock) {
    this.#root = root;
    this.#rules = new IgnoreRules(clock);
  }

  /** For a directory whose parent belongs to the workspace. */
  isLeftOut(directory: string): boolean {
    const below = directory.slice(this.#root.length);
    if (!below.includes(`${path.sep}.`)) return false;
    return (
      MADE.has(path.basename(directory)) ||
      existsSync(path.join(directory, '.git')) ||
      this.#rules.isIgnoredDirectory(directory, this.#root)
    );
  }
}
