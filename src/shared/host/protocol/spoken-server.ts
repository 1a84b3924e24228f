/**
 * A server process as the rooms of the host see it: its connection and what it offers. Each room adds what it keeps
 * about the server.
 */
import type { ServerFacts } from '../../link/server-link.ts';
import type { ServerPlan } from '../../link/server-plan.ts';
import type { Connection } from '../../wire/connection.ts';
import type { OfferedMethods } from './offered-methods.ts';
import type { Quirks } from './quirks.ts';

export interface SpokenServer {
  /** Counts the processes of a host. */
  readonly number: number;
  readonly plan: ServerPlan;
  readonly quirks: Quirks;
  readonly connection: Connection;
  readonly offered: OfferedMethods;
  readonly facts: ServerFacts;
  /** Aborted as soon as the connection or the process ends. */
  readonly ended: AbortSignal;
  /** Called when the server has registered or taken back what it offers. */
  onRegistrations(listener: () => void): Disposable;
}
