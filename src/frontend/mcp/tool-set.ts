/**
 * Which profile a connection has: the configured one; with `auto` all tools, except for clients that are known to cut
 * long lists; and another when the agent asks for it.
 */

import type { Log } from '../../shared/base/log.ts';
import { isObject } from '../../shared/base/unknown-value.ts';
import type { NamedProfile, SwitchableProfile, ToolProfile } from '../../shared/config/choices.ts';

/** Clients of a limited number of tools, for all their servers together, by how their names begin. */
const CUTTING = /^(?:cursor|windsurf)\b/i;
/** Prompts are those that can be followed with the tools. */
const LISTS_CHANGED = ['notifications/tools/list_changed', 'notifications/prompts/list_changed'] as const;
export type ListChange = (typeof LISTS_CHANGED)[number];
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** What a client begins with, by what it calls itself. */
export function profileFor(configured: ToolProfile, client: string | undefined): NamedProfile {
  if (configured !== 'auto') return configured;
  return CUTTING.test(client ?? '') ? 'core' : 'full';
}

export class ToolSet {
  readonly #log: Log;
  #client: string | undefined;
  #switched: SwitchableProfile | undefined;
  #hasTold = false;
  /** Tells the client that a list of its is another; set by the side that has the connection. */
  announce: (notification: ListChange) => void = () => {};

  constructor(log: Log) {
    this.#log = log;
  }

  /** Reads every message of the client before it is dealt with: the first of them says who it is. */
  readonly saw = (message: object): void => {
    if (this.#client !== undefined || !('params' in message) || !isObject(message.params)) return;
    const { clientInfo, _meta } = message.params;
    const info = clientInfo ?? (isObject(_meta) ? _meta[CLIENT_INFO] : undefined);
    if (isObject(info) && typeof info.name === 'string') this.#client = info.name;
  };

  profile(configured: ToolProfile): NamedProfile {
    if (this.#switched !== undefined) return this.#switched;
    const profile = profileFor(configured, this.#client);
    if (configured === 'auto' && profile === 'core') this.#tell();
    return profile;
  }

  #tell(): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    this.#log.info('fewer tools', {
      client: this.#client,
      profile: 'core',
      why: 'it cuts long lists; --tools full lists all, activate_tools switches',
    });
  }

  readonly switchTo = (profile: SwitchableProfile): void => {
    this.#switched = profile;
    for (const notification of LISTS_CHANGED) this.announce(notification);
  };
}
