/** Asks the person at the terminal. On standard error, because standard output belongs to the answer. */
import { createInterface } from 'node:readline';
import { abandonable } from '../../shared/base/lifetime.ts';
import type { AskUser } from '../access/call-permission.ts';

/** Only a clear yes is one. */
export const askOnTerminal: AskUser = async (question, signal) => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = new Promise<string>((resolve) => {
    terminal.question(`${question}\n[y/N] `, resolve);
    terminal.once('close', () => resolve(''));
    // The terminal turns Ctrl-C into a key while it is being read.
    terminal.once('SIGINT', () => terminal.close());
  });
  try {
    return /^\s*y(es)?\s*$/i.test(await abandonable(answer, signal)) ? 'accepted' : 'declined';
  } finally {
    terminal.close();
  }
};
