/** The file that a module of TypeScript or JavaScript is in, which imports and manifests name without its ending. */
import { statSync } from 'node:fs';

const ENDINGS = [
  '',
  '.ts',
  '.tsx',
  '.d.ts',
  '.mts',
  '.cts',
  '/index.ts',
  '/index.tsx',
  '/index.d.ts',
  '.js',
  '/index.js',
];

export function moduleFileAt(target: string): string | undefined {
  return ENDINGS.map((ending) => `${target}${ending}`).find(isFile);
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
