/**
 * Commands that a server has offered to this session, by the id under which an agent runs one. Their arguments stay
 * here: they are the server's own, and need not travel through the model and back.
 */
import type { Command } from 'vscode-languageserver-protocol';
import { fail } from '../../../shared/base/failure.ts';
import type { ServerLink } from '../../../shared/link/server-link.ts';
import { sessionPart } from '../../tools/session-state.ts';

export interface ListedCommand {
  readonly id: string;
  readonly command: Command;
  /** Only the server that offered it can run it. */
  readonly link: ServerLink;
}

const MOST_LISTED = 100;

/** Of one session. The oldest are forgotten when there are too many. */
export class ListedCommands {
  readonly #listed = new Map<string, ListedCommand>();
  #count = 0;

  list(command: Command, link: ServerLink): ListedCommand {
    this.#count++;
    const listed = { id: `c${this.#count}`, command, link };
    this.#listed.set(listed.id, listed);
    const [oldest] = this.#listed.keys();
    if (this.#listed.size > MOST_LISTED && oldest !== undefined) this.#listed.delete(oldest);
    return listed;
  }

  /** Undefined for what is no id but the name of a command. */
  find(id: string): ListedCommand | undefined {
    const listed = this.#listed.get(id);
    if (listed || !/^c\d+$/.test(id)) return listed;
    return fail({
      kind: 'invalid-input',
      message: `there is no command ${id}, or it was offered too long ago`,
      next: 'Call suggest_fixes again for a new one',
    });
  }

  /** Whether the server has offered a command of this name, whatever it announces. */
  has(name: string, link: ServerLink): boolean {
    return [...this.#listed.values()].some((each) => each.command.command === name && each.link === link);
  }
}

export const listedCommandsOf = sessionPart(() => new ListedCommands());
