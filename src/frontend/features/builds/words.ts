/** Words that the parts of a build's answer share. */
import path from 'node:path';
import { absolutePath } from '../../../shared/base/paths.ts';
import type { Roots } from '../../workspace/roots.ts';

export function shownSeconds(seconds: number): string {
  return `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`;
}

/** A project by its directory, unless the configuration has a name of its own. */
export function shownConfig(config: string, roots: Roots): string {
  const isUsual = path.basename(config) === 'tsconfig.json';
  return roots.display(absolutePath(isUsual ? path.dirname(config) : config));
}
