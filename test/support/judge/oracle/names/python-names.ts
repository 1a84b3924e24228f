/** Names of a Python repository, by Python's own parser. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { NamedOnce, Names } from './by-names.ts';

const MOST_BYTES = 512 * 1024 * 1024;

export function pythonNames(root: string, files: readonly string[]): Names {
  const run = (args: readonly string[], input: string) =>
    execFileSync('python3', ['-B', ...args], { input, encoding: 'utf8', maxBuffer: MOST_BYTES });
  const version = run(['--version'], '').trim();
  const program = path.join(import.meta.dirname, 'python_names.py');
  const { names, unreadable } = JSON.parse(run([program], JSON.stringify({ root, files }))) as {
    names: NamedOnce[];
    unreadable: string[];
  };
  return {
    by: `${version}'s own parser, over names that are declared once`,
    names,
    remarks: unreadable.length === 0 ? [] : [`${unreadable.length} files cannot be parsed: ${unreadable[0]}`],
  };
}
