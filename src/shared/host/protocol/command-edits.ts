/**
 * Edits that a server asks for while a command of ours runs. They become part of the command's result for the caller;
 * the host writes nothing. Commands of one server run one after the other, because an edit does not say which command
 * it is for.
 */
import {
  type ApplyWorkspaceEditParams,
  type ApplyWorkspaceEditResult,
  ExecuteCommandRequest,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { abandonable, type Clock, deferred, withTimeout } from '../../base/lifetime.ts';
import type { CommandOutcome, ServerCommand } from '../../link/server-link.ts';
import type { Connection } from '../../wire/connection.ts';
import { BARRIER_METHOD } from './barrier.ts';

/** A server that does not answer this long sends no more edits either, or nobody can wait for them. */
const BARRIER_MS = 3000;

export class CommandEdits {
  readonly #connection: Pick<Connection, 'request'>;
  readonly #clock: Clock;
  #taken: WorkspaceEdit[] | undefined;
  #free: Promise<void> = Promise.resolve();

  constructor(connection: Pick<Connection, 'request'>, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /**
   * The server is told that its edit was applied: most let their command fail otherwise. Until it is on disk, the
   * server's documents stay as the disk is, so nothing that it says later is about text that is not there.
   */
  take({ edit }: ApplyWorkspaceEditParams): ApplyWorkspaceEditResult {
    if (!this.#taken)
      return { applied: false, failureReason: 'edits are applied for a running command only' };
    this.#taken.push(edit);
    return { applied: true };
  }

  /** `inTurn` is entered when no other command runs, so that nobody waits for a turn that only waits itself. */
  async run(
    command: ServerCommand,
    signal: AbortSignal,
    inTurn: (send: () => Promise<CommandOutcome>) => Promise<CommandOutcome>,
  ): Promise<CommandOutcome> {
    const before = this.#free;
    const over = deferred<void>();
    this.#free = before.then(() => over.promise);
    let isUnanswered = false;
    const edits: WorkspaceEdit[] = [];
    const send = async () => {
      this.#taken = edits;
      isUnanswered = !signal.aborted;
      const result = await this.#connection.request(ExecuteCommandRequest.method, command, {
        signal,
        // Its edits may still come; they must not be taken for those of the next command.
        late: () => over.resolve(),
      });
      isUnanswered = false;
      // Some servers answer first and send the edit after.
      await this.#passBarrier(signal);
      return { result, edits };
    };
    try {
      await abandonable(before, signal);
      return await inTurn(send);
    } finally {
      if (this.#taken === edits) this.#taken = undefined;
      if (!isUnanswered || !signal.aborted) over.resolve();
    }
  }

  async #passBarrier(signal: AbortSignal): Promise<void> {
    const answered = this.#connection.request(BARRIER_METHOD, {}, { signal }).then(
      () => {},
      () => {},
    );
    await withTimeout(answered, BARRIER_MS, () => undefined, this.#clock);
  }
}
