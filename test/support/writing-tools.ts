/** How the front end with tools that write (writing-tools-entry.ts) is started. */
import path from 'node:path';

export const WRITING_TOOLS = {
  program: path.resolve(import.meta.dirname, 'writing-tools-entry.ts'),
  nodeArgs: ['--import', import.meta.resolve('tsx')],
} as const;
