/**
 * What goes out to the clients of one session. A stream is read as fast as it is written, so that what nobody reads is
 * known and bounded, and its end is noticed at once when the client has gone.
 */

export class Outflow {
  readonly #mostBytes: number;
  #bytes = 0;
  #open = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** How many streams are being sent. */
  get open(): number {
    return this.#open;
  }

  /** The same bytes; `ended` is called once, when all have been read or nobody reads any more. */
  follow(
    source: ReadableStream<Uint8Array>,
    gone: AbortSignal,
    ended: () => void,
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    const reader = source.getReader();
    const waiting: Uint8Array<ArrayBuffer>[] = [];
    let wake = () => {};
    let isOver = false;
    let hasAll = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.#open -= 1;
      gone.removeEventListener('abort', drop);
      wake();
      ended();
    };
    const drop = () => {
      for (const chunk of waiting.splice(0)) this.#bytes -= chunk.length;
      reader.cancel().catch(() => {});
      end();
    };
    const read = async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (isOver) return;
        if (done) break;
        // One that is too large by itself goes out alone.
        if (this.#bytes > 0 && this.#bytes + value.length > this.#mostBytes) return drop();
        this.#bytes += value.length;
        waiting.push(value as Uint8Array<ArrayBuffer>);
        wake();
      }
      hasAll = true;
      if (waiting.length === 0) end();
    };
    this.#open += 1;
    gone.addEventListener('abort', drop);
    if (gone.aborted) drop();
    read().catch(drop);
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
      while (waiting.length === 0 && !isOver)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const chunk = waiting.shift();
      if (!chunk) return controller.close();
      this.#bytes -= chunk.length;
      controller.enqueue(chunk);
      if (hasAll && waiting.length === 0) end();
    };
    // Nothing waits beyond what is counted.
    return new ReadableStream({ pull, cancel: drop }, { highWaterMark: 0 });
  }
}
