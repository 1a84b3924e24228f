/**
 * A model that says what a test has written down, in the protocols that clients of models speak: so real clients run
 * their tools and their hooks without a model, and what they send is seen.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model does next: it calls a tool of the client, or it says something, which ends its turn. */
export type ModelTurn = { readonly call: string; readonly args: object | string } | { readonly say: string };

export interface ModelRequest {
  readonly path: string;
  /** As it came. */
  readonly text: string;
}

export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  /** Those that were answered from the script, in order. */
  readonly requests: readonly ModelRequest[];
  /** All others: titles, counts of tokens, lists of models. */
  readonly others: readonly ModelRequest[];
}

interface Protocol {
  readonly path: RegExp;
  answer(turn: ModelTurn, response: http.ServerResponse, number: number): void;
}

export async function scriptedModel(turns: readonly ModelTurn[]): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const others: ModelRequest[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    const told = { path, text: Buffer.concat(chunks).toString('utf8') };
    const protocol = PROTOCOLS.find((each) => request.method === 'POST' && each.path.test(path));
    if (protocol && listsTools(told.text)) {
      const turn = turns[requests.length] ?? { say: 'Done.' };
      requests.push(told);
      protocol.answer(turn, response, requests.length);
      return;
    }
    others.push(told);
    if (protocol) return protocol.answer({ say: 'ok' }, response, 0);
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not here"}}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    others,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Questions beside the conversation of the agent come without tools. */
function listsTools(text: string): boolean {
  return /"tools":\s*\[\s*\{/.test(text);
}

function stream(response: http.ServerResponse, events: readonly object[], isNamed: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    const { type } = event as { type?: string };
    response.write(`${isNamed ? `event: ${type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
  }
}

const anthropic: Protocol = {
  path: /\/v1\/messages(?:\?|$)/,
  answer(turn, response, number) {
    const isCall = 'call' in turn;
    const block = isCall
      ? { type: 'tool_use', id: `toolu_${number}`, name: turn.call, input: {} }
      : { type: 'text', text: '' };
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.args) }
      : { type: 'text_delta', text: turn.say };
    const usage = { input_tokens: 10, output_tokens: 10 };
    const message = {
      ...{ id: `msg_${number}`, type: 'message', role: 'assistant', model: 'scripted', content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage },
    };
    const stop_reason = isCall ? 'tool_use' : 'end_turn';
    stream(
      response,
      [
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
        { type: 'message_stop' },
      ],
      true,
    );
    response.end();
  },
};

const responses: Protocol = {
  path: /\/responses(?:\?|$)/,
  answer(turn, response, number) {
    const id = `resp_${number}`;
    const item = itemOf(turn, number);
    const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };
    stream(
      response,
      [
        { type: 'response.created', response: { id } },
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { id, status: 'completed', output: [item], usage } },
      ],
      true,
    );
    response.end();
  },
};

/** A tool whose argument is a text and no object is one of free form. */
function itemOf(turn: ModelTurn, number: number): object {
  if ('say' in turn) {
    const content = [{ type: 'output_text', text: turn.say, annotations: [] }];
    return { type: 'message', id: `msg_${number}`, role: 'assistant', status: 'completed', content };
  }
  const called = { id: `item_${number}`, call_id: `call_${number}`, name: turn.call, status: 'completed' };
  return typeof turn.args === 'string'
    ? { type: 'custom_tool_call', ...called, input: turn.args }
    : { type: 'function_call', ...called, arguments: JSON.stringify(turn.args) };
}

const chat: Protocol = {
  path: /\/chat\/completions(?:\?|$)/,
  answer(turn, response, number) {
    const isCall = 'call' in turn;
    const base = { id: `chat_${number}`, object: 'chat.completion.chunk', created: 1, model: 'scripted' };
    const delta = isCall
      ? {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              ...{ index: 0, id: `call_${number}`, type: 'function' },
              function: { name: turn.call, arguments: JSON.stringify(turn.args) },
            },
          ],
        }
      : { role: 'assistant', content: turn.say };
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    stream(
      response,
      [
        { ...base, choices: [{ index: 0, delta, finish_reason: null }] },
        { ...base, choices: [{ index: 0, delta: {}, finish_reason: isCall ? 'tool_calls' : 'stop' }], usage },
      ],
      false,
    );
    response.end('data: [DONE]\n\n');
  },
};

const gemini: Protocol = {
  path: /:(?:streamG|g)enerateContent(?:\?|$)/,
  answer(turn, response) {
    const part = 'call' in turn ? { functionCall: { name: turn.call, args: turn.args } } : { text: turn.say };
    const content = { role: 'model', parts: [part] };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 };
    stream(
      response,
      [
        {
          candidates: [{ content, finishReason: 'STOP', index: 0 }],
          usageMetadata,
          modelVersion: 'scripted',
        },
      ],
      false,
    );
    response.end();
  },
};

const PROTOCOLS: readonly Protocol[] = [anthropic, responses, chat, gemini];
