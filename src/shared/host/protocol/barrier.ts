/**
 * A question whose answer shows that the server has read everything sent before. It is about the changed file itself
 * where possible, because servers that work on each file separately answer only when they are done with that file.
 */
import { DocumentSymbolRequest, ResponseError } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import type { Clock } from '../../base/lifetime.ts';
import { pathToUri } from '../../base/paths.ts';
import type { Connection } from '../../wire/connection.ts';
import type { OfferedMethods } from './offered-methods.ts';

export interface BarrierPort {
  readonly connection: Connection;
  readonly offered: OfferedMethods;
}

/** No server has it, and every server has to say so. */
export const BARRIER_METHOD = 'agent-lsp/barrier';

interface Question {
  readonly epoch: number;
  readonly answer: Promise<boolean>;
  answeredAt: number | undefined;
}

export class Barriers {
  readonly #port: BarrierPort;
  readonly #clock: Clock;
  readonly #questions = new Map<AbsPath, Question>();

  constructor(port: BarrierPort, clock: Clock) {
    this.#port = port;
    this.#clock = clock;
  }

  /** Asks, unless that was done in this epoch or a later one, and calls back when the answer is there. */
  raise(file: AbsPath, epoch: number, answered: () => void): void {
    const known = this.#questions.get(file);
    const question = known && known.epoch >= epoch ? known : this.#pose(file, epoch);
    void question.answer.then((isAnswer) => isAnswer && answered());
  }

  /** When a question of this epoch or a later one was answered. */
  answeredAt(file: AbsPath, epoch: number): number | undefined {
    const known = this.#questions.get(file);
    return known && known.epoch >= epoch ? known.answeredAt : undefined;
  }

  #pose(file: AbsPath, epoch: number): Question {
    const answer = this.#ask(file).then((isAnswer) => {
      if (isAnswer) question.answeredAt = this.#clock.now();
      return isAnswer;
    });
    const question: Question = { epoch, answer, answeredAt: undefined };
    this.#questions.set(file, question);
    return question;
  }

  async #ask(file: AbsPath): Promise<boolean> {
    const { connection, offered } = this.#port;
    try {
      if (offered.supports(DocumentSymbolRequest.method)) {
        const params = { textDocument: { uri: pathToUri(file) } };
        await connection.request(DocumentSymbolRequest.method, params, { raw: true });
      } else {
        await connection.request(BARRIER_METHOD, {});
      }
      return true;
    } catch (error) {
      // A refusal is an answer too; a connection that ended is none.
      return error instanceof ResponseError;
    }
  }
}
