/** The compiler that judges: the repository's own where it can, so that it reads what the repository's authors read. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type typescript from 'typescript5';

export type Compiler = typeof typescript;

export interface LoadedCompiler {
  readonly ts: Compiler;
  /** `5.4.5 of the repository`. */
  readonly label: string;
}

/**
 * From 7 on there is no language service to ask in this process. Before 5 it cannot resolve modules file by file;
 * newer ones read older sources.
 */
export function isUsable(version: string): boolean {
  const major = Number(version.split('.')[0]);
  return major === 5 || major === 6;
}

export function loadCompiler(root: string): LoadedCompiler {
  const require = createRequire(import.meta.url);
  const own = path.join(root, 'node_modules/typescript');
  const manifest = path.join(own, 'package.json');
  if (existsSync(manifest)) {
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    if (isUsable(version)) return { ts: require(own) as Compiler, label: `${version} of the repository` };
  }
  const ts = require('typescript5') as Compiler;
  return { ts, label: `${ts.version} of agent-lsp` };
}
