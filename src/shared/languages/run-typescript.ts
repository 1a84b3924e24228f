/** Asks the compiler of TypeScript 7 about a configuration. It ends with the question, or is ended. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Launch } from './executables.ts';

const ANSWER_MS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** What it prints, whether it is content or not; undefined when it did not answer. */
export async function runTypescript(
  { executable, args }: Launch,
  words: readonly string[],
): Promise<string | undefined> {
  const options = { timeout: ANSWER_MS, maxBuffer: MOST_BYTES, encoding: 'utf8' } as const;
  try {
    return (await promisify(execFile)(executable, [...args, ...words], options)).stdout;
  } catch (error) {
    // It says what is wrong by failing.
    const { stdout } = error as { stdout?: string };
    return stdout || undefined;
  }
}
