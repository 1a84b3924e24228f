/** Names of files that stand beside others for the moment of a write. Watchers of the disk pass them over. */
import path from 'node:path';

const PREFIX = '.agent-lsp-';
const SUFFIX = '.tmp';

export function temporaryName(id: string, number: number): string {
  return `${PREFIX}${id}-${number}${SUFFIX}`;
}

export function isTemporaryFile(file: string): boolean {
  const name = path.basename(file);
  return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
}
