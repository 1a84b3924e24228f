import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineTransport } from '../../../../src/frontend/mcp/fast-path/line-transport.ts';
import { CallShortCut } from '../../../../src/frontend/mcp/fast-path/short-cut.ts';
import { type CallResult, type McpCaller, ToolCalls } from '../../../../src/frontend/mcp/tool-calls.ts';
import { ToolSet } from '../../../../src/frontend/mcp/tool-set.ts';
import { deferred } from '../../../../src/shared/base/lifetime.ts';
import { silentLog } from '../../../../src/shared/base/log.ts';

async function transportOn(input: PassThrough, output = new PassThrough()) {
  const [messages, errors]: [unknown[], string[]] = [[], []];
  const transport = new LineTransport(input, output);
  const closed = { times: 0 };
  transport.onmessage = (message) => void messages.push(message);
  transport.onerror = (error) => void errors.push(error.message);
  transport.onclose = () => void closed.times++;
  await transport.start();
  return { transport, messages, errors, closed };
}

describe('the line transport', () => {
  it('hears the same messages however the bytes are cut', async () => {
    const message = fc.record({ jsonrpc: fc.constant('2.0'), text: fc.string({ unit: 'grapheme' }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 5 }),
        fc.array(fc.nat(400), { maxLength: 9 }),
        async (sent, cuts) => {
          const bytes = Buffer.from(sent.map((one) => `${JSON.stringify(one)}\n`).join(''));
          const input = new PassThrough();
          const { messages } = await transportOn(input);
          const ends = [...cuts.filter((cut) => cut < bytes.length), bytes.length].sort((a, b) => a - b);
          ends.forEach((end, index) => void input.write(bytes.subarray(ends[index - 1] ?? 0, end)));
          await turn();
          expect(messages).toEqual(sent);
        },
      ),
    );
  });

  it('reports a line that is no message and goes on with the next', async () => {
    const input = new PassThrough();
    const { messages, errors } = await transportOn(input);
    input.write('{"half": \n\n7\n{"jsonrpc":"2.0"}\n');
    await turn();
    expect(errors).toEqual([
      expect.stringContaining('JSON'),
      'a message must be one JSON object in one line',
    ]);
    expect(messages).toEqual([{ jsonrpc: '2.0' }]);
  });

  it('closes once when the input ends or the output breaks, and sends no more', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const { transport, errors, closed } = await transportOn(input, output);
    output.emit('error', new Error('broken pipe'));
    input.end();
    await turn();
    output.emit('error', new Error('and again'));
    expect([closed.times, errors]).toEqual([1, ['broken pipe']]);
    await expect(transport.send({})).rejects.toThrow('the client has gone');
  });

  it('lets a sender wait until a client reads on', async () => {
    const output = new PassThrough({ highWaterMark: 16 });
    const { transport } = await transportOn(new PassThrough(), output);
    let isSent = false;
    const sending = transport.send({ text: 'x'.repeat(100) }).then(() => (isSent = true));
    await turn();
    expect(isSent).toBe(false);
    output.resume();
    await sending;
  });
});

/** Calls that end when the test says so. */
class HeldCalls extends ToolCalls {
  readonly started: { name: string; args: unknown; caller: McpCaller }[] = [];
  readonly end = deferred<CallResult>();

  constructor() {
    const notWanted = () => Promise.reject(new Error('not wanted'));
    super({ config: notWanted, open: notWanted }, new ToolSet(silentLog), () => {});
  }

  override run(name: string, args: unknown, caller: McpCaller): Promise<CallResult> {
    this.started.push({ name, args, caller });
    return this.end.promise;
  }
}

function shortCut() {
  const calls = new HeldCalls();
  const sent: object[] = [];
  const send = async (message: object) => void sent.push(message);
  const skills = { prompts: async () => [] };
  const cut = new CallShortCut({ calls, skills, isAnswered: true, send });
  const begin = () => cut.takes({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
  return { calls, sent, cut, begin };
}

const CALL = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'list', arguments: {} } };

describe('the short cut for calls', () => {
  it('takes plain calls only, and only of clients that began with initialize', () => {
    const { cut, begin, calls } = shortCut();
    expect(cut.takes(CALL)).toBe(false);
    expect(begin()).toBe(false);
    expect(cut.takes(CALL)).toBe(true);
    const params = { name: 'list' };
    for (const unusual of [
      { ...CALL, method: 'resources/list' },
      { jsonrpc: '2.0', id: 6, method: 'tools/list', params: { cursor: 'x' } },
      { ...CALL, id: null },
      { ...CALL, jsonrpc: '1.0' },
      { ...CALL, params: { ...params, name: 3 } },
      { ...CALL, params: { ...params, arguments: [] } },
      { ...CALL, params: { ...params, task: {} } },
      { ...CALL, params: { ...params, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } },
      { ...CALL, params: { ...params, _meta: { progressToken: {} } } },
      { id: 5, result: {} },
    ])
      expect(cut.takes(unusual), JSON.stringify(unusual)).toBe(false);
    expect(calls.started).toHaveLength(1);
  });

  it('answers with the result, or with the error of a call that broke', async () => {
    for (const broke of [false, true]) {
      const { cut, begin, calls, sent } = shortCut();
      begin();
      cut.takes(CALL);
      const result: CallResult = { content: [{ type: 'text', text: 'done' }] };
      if (broke) calls.end.reject(new Error('out of order'));
      else calls.end.resolve(result);
      await turn();
      const outcome = broke ? { error: { code: -32603, message: 'out of order' } } : { result };
      expect(sent).toEqual([{ jsonrpc: '2.0', id: 5, ...outcome }]);
    }
  });

  it('tells of progress only whoever asked for it', () => {
    const { cut, begin, calls, sent } = shortCut();
    begin();
    cut.takes(CALL);
    cut.takes({ ...CALL, id: 6, params: { ...CALL.params, _meta: { progressToken: 'p' } } });
    for (const { caller } of calls.started) caller.progress(1, 'indexing');
    const params = { progressToken: 'p', progress: 1, message: 'indexing' };
    expect(sent).toEqual([{ jsonrpc: '2.0', method: 'notifications/progress', params }]);
  });

  it('cancels its own calls, leaves others to the SDK, and answers no call that was cancelled', async () => {
    const { cut, begin, calls, sent } = shortCut();
    begin();
    cut.takes(CALL);
    const cancel = (requestId: unknown) =>
      cut.takes({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    expect(cancel(99)).toBe(false);
    expect(calls.started[0]?.caller.signal.aborted).toBe(false);
    expect(cancel(5)).toBe(true);
    expect(calls.started[0]?.caller.signal.aborted).toBe(true);
    calls.end.resolve({ content: [] });
    await turn();
    expect(sent).toEqual([]);
  });

  it('gives up what is running when the client has gone', () => {
    const { cut, begin, calls } = shortCut();
    begin();
    cut.takes(CALL);
    cut.close();
    expect(calls.started[0]?.caller.signal.aborted).toBe(true);
  });
});
