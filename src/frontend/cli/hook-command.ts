/** `hook` among the other commands: its help, and calls in which options stand before it. The work is in hook.ts. */

import { HOOK_MODES } from '../../shared/config/lsp-actions.ts';
import { HOOK_CLIENTS } from '../features/hooks/clients/hook-client.ts';
import { HOOK_EVENTS } from '../features/hooks/hook-event.ts';
import { type Command, textOption } from './command.ts';

const FORWARDED = ['client', 'mode', 'timeout', 'config', 'daemon'];

export const hookCommand: Command = {
  usage: 'hook <event> [files..]',
  describe: 'for hooks of clients: tells an agent the errors that its edits brought, and warms servers',
  options: (parser) =>
    parser
      .positional('event', { type: 'string', demandOption: true, describe: HOOK_EVENTS.join(', ') })
      .positional('files', { type: 'string', array: true, describe: 'edited files, for plain use' })
      .option('client', {
        type: 'string',
        describe: `${HOOK_CLIENTS.join(', ')}; by the JSON on standard input if not given`,
      })
      .option('mode', { type: 'string', describe: `when errors are reported: ${HOOK_MODES.join(', ')}` })
      .option('timeout', { type: 'string', nargs: 1, describe: 'seconds that the hook may take' })
      .epilogue('The exit code is always 0: an agent is never stopped by a hook.'),
  run: async (argv, program) => {
    const { runHook } = await import('./hook.ts');
    const files = Array.isArray(argv.files) ? argv.files.map(String) : [];
    const options = FORWARDED.flatMap((name) => {
      const value = textOption(argv, name);
      return value === undefined ? [] : [`--${name}`, value];
    });
    const roots = (argv.root ?? []).flatMap((root) => ['--root', root]);
    return runHook([...options, ...roots, String(argv.event), ...files], program);
  },
};
