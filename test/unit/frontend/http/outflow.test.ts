import { describe, expect, it } from 'vitest';
import { Outflow } from '../../../../src/frontend/http/outflow.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function source() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  return {
    stream,
    write: (text: string) => controller.enqueue(bytes(text)),
    end: () => controller.close(),
    isCancelled: () => isCancelled,
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what goes out', () => {
  it('is what was written, to its end', async () => {
    const outflow = new Outflow(1_000);
    const { stream, write, end } = source();
    let ended = 0;
    const followed = outflow.follow(stream, new AbortController().signal, () => {
      ended += 1;
    });
    write('one ');
    write('two');
    end();
    expect(await new Response(followed).text()).toBe('one two');
    expect([ended, outflow.open]).toEqual([1, 0]);
  });

  it('drops a stream that nobody reads, and counts for the session', async () => {
    const outflow = new Outflow(10);
    const [slow, other] = [source(), source()];
    let ended = 0;
    const followed = outflow.follow(slow.stream, new AbortController().signal, () => {
      ended += 1;
    });
    outflow.follow(other.stream, new AbortController().signal, () => {});
    slow.write('12345');
    await turn();
    other.write('12345');
    await turn();
    expect([ended, slow.isCancelled(), other.isCancelled()]).toEqual([0, false, false]);
    slow.write('1');
    await turn();
    expect([ended, slow.isCancelled(), other.isCancelled(), outflow.open]).toEqual([1, true, false, 1]);
    // What was not read is gone: the client asks for it again.
    expect(await new Response(followed).text()).toBe('');
  });

  it('lets a message through that is too large by itself, and nothing after it', async () => {
    const outflow = new Outflow(10);
    const { stream, write, isCancelled } = source();
    const followed = outflow.follow(stream, new AbortController().signal, () => {});
    write('x'.repeat(100));
    await turn();
    expect(isCancelled()).toBe(false);
    const reader = followed.getReader();
    expect((await reader.read()).value?.length).toBe(100);
    write('y'.repeat(100));
    await turn();
    write('z');
    await turn();
    expect(isCancelled()).toBe(true);
  });

  it('has ended when all is read, not when all is written', async () => {
    const outflow = new Outflow(1_000);
    const { stream, write, end } = source();
    let ended = 0;
    const followed = outflow.follow(stream, new AbortController().signal, () => {
      ended += 1;
    });
    write('last words');
    end();
    await turn();
    expect(ended).toBe(0);
    expect(await new Response(followed).text()).toBe('last words');
    expect([ended, outflow.open]).toEqual([1, 0]);
  });

  it('notices at once that the client has gone', async () => {
    const outflow = new Outflow(1_000);
    const { stream, isCancelled } = source();
    const gone = new AbortController();
    let ended = 0;
    outflow.follow(stream, gone.signal, () => {
      ended += 1;
    });
    gone.abort();
    await turn();
    expect([ended, isCancelled(), outflow.open]).toEqual([1, true, 0]);
  });
});
