/** `--tools pyright` through MCP over the fake server: its list, its union, and a failure for each of its codes. */
import { describe, expect, it } from 'vitest';
import { CODE_OF, ERROR_CODES } from '../../src/frontend/features/profiles/pyright/error-codes.ts';
import { pyrightTools } from '../../src/frontend/features/profiles/pyright/tools.ts';
import { unionFace } from '../../src/frontend/features/profiles/pyright/union-face.ts';
import { tools } from '../../src/frontend/features/registry.ts';
import type { FacadeBase } from '../../src/frontend/tools/facade.ts';
import type { Failure } from '../../src/shared/base/failure.ts';
import { until } from '../support/events.ts';
import { fakeSession, SAMPLE } from './fake-session.ts';

const PYRIGHT = { args: ['--tools', 'pyright'] };
const AT_STOP = { file: 'src/use.fake', line: 2, column: 9 };

describe('the pyright profile', () => {
  it('has seven tools, all of which only read', async () => {
    await using session = await fakeSession(SAMPLE, PYRIGHT);
    const listed = (await session.frontEnd.client.listTools()).tools;
    expect(listed.map(({ name }) => name)).toEqual([
      'check_types',
      'get_hover',
      'go_to_definition',
      'get_completions',
      'find_references',
      'get_signature',
      'health_check',
    ]);
    for (const { annotations } of listed) expect(annotations).toMatchObject({ readOnlyHint: true });
  });

  it('cannot call a tool that writes, whatever it is asked', async () => {
    const called: string[] = [];
    const base = {
      config: { checkTypes: { timeoutMs: 1 } },
      run: (name: string) => {
        called.push(name);
        return Promise.reject(new Error('looked at'));
      },
    } as unknown as FacadeBase;
    const args = { path: 'a.py', file: 'a.py', line: 1, column: 1 };
    for (const tool of pyrightTools(base)) {
      const fitting = Object.fromEntries(Object.entries(args).filter(([name]) => name in tool.input.shape));
      expect(tool.effect).toBe('read');
      await expect(tool.prepare(fitting).run({} as never)).rejects.toThrow('looked at');
    }
    expect(called).toHaveLength(7);
    for (const name of called)
      expect([name, tools.find((tool) => tool.name === name)?.effect]).toEqual([name, 'read']);
  });

  it('answers with a status, a summary and data, the same in text and structure', async () => {
    await using session = await fakeSession(SAMPLE, PYRIGHT);
    const { raw, json } = await session.call('go_to_definition', AT_STOP);
    expect(json).toEqual({
      status: 'success',
      summary: 'Found 1 definition(s).',
      data: { definitions: [{ file: session.workspace.file('src/client.fake'), line: 2, column: 3 }] },
    });
    expect(raw.structuredContent).toEqual(json);
    expect((await session.call('go_to_definition', { ...AT_STOP, line: 3, column: 1 })).json).toMatchObject({
      status: 'success',
    });
  });

  it('gives every failure one of its codes, with whether to try again', () => {
    const kinds = Object.keys(CODE_OF) as Failure['kind'][];
    expect(new Set(Object.values(CODE_OF))).toEqual(new Set(ERROR_CODES));
    expect(ERROR_CODES).toHaveLength(11);
    for (const kind of kinds) {
      const facts = {
        kind,
        path: '/a',
        roots: [],
        known: [],
        left: { state: 'untouched' },
        stderr: '',
        output: '',
      };
      const { structured, isError } = unionFace('File').failure(
        { ...facts, reason: 'directory', message: 'm', next: 'n', method: 'x' } as unknown as Failure,
        undefined,
        {},
      );
      expect(isError).toBe(true);
      expect(structured).toMatchObject({
        status: 'error',
        error_code: CODE_OF[kind],
        message: expect.any(String),
        recoverable: expect.any(Boolean),
        details: expect.any(Object),
      });
    }
  });

  it('words a mistake of ours as an error as well', () => {
    expect(unionFace('File').unexpected?.('it broke')).toMatchObject({
      isError: true,
      structured: { status: 'error', error_code: 'execution_error', message: 'it broke' },
    });
  });

  const onHover = (step: object) => ({ scenario: { rules: [{ on: 'textDocument/hover', do: step }] } });

  it.each([
    {
      what: 'that crashes each time',
      options: onHover({ crash: 3 }),
      expected: {
        error_code: 'lsp_crash',
        message: expect.stringMatching(/^LSP server crashed, please retry/),
        recoverable: true,
      },
    },
    {
      what: 'that answers with an error',
      options: onHover({ error: { code: -32603, message: 'no luck' } }),
      expected: { error_code: 'lsp_error', recoverable: false, details: { code: -32603 } },
    },
    {
      what: 'that does not answer',
      options: { ...onHover({ never: true }), env: { AGENT_LSP_CALL_TIMEOUT_MS: '3000' } },
      expected: { error_code: 'timeout', recoverable: true },
    },
  ])('has a code for a server $what', async ({ options, expected }) => {
    await using session = await fakeSession(SAMPLE, { ...PYRIGHT, ...options });
    const { json, isError } = await session.call('get_hover', AT_STOP);
    expect({ isError, json }).toMatchObject({ isError: true, json: { status: 'error', ...expected } });
  });

  it('hands a cancellation down to the server', async () => {
    await using session = await fakeSession(SAMPLE, { ...PYRIGHT, ...onHover({ never: true }) });
    const cancel = new AbortController();
    const call = session.call('get_hover', AT_STOP, { signal: cancel.signal });
    call.catch(() => {});
    await until(() => session.server.journal.received('textDocument/hover').length > 0, {
      what: 'the question',
    });
    cancel.abort();
    await expect(call).rejects.toThrow();
    await until(() => session.server.journal.received('$/cancelRequest').length > 0, { what: 'its end' });
  });

  it.each([
    {
      name: 'PYRIGHT_MCP_CLI_TIMEOUT',
      value: 'soon',
      expected: /PYRIGHT_MCP_CLI_TIMEOUT is "soon", which is not a number from 1/,
    },
    { name: 'PYRIGHT_MCP_LOG_MODE', value: 'paper', expected: /PYRIGHT_MCP_LOG_MODE is "paper"/ },
    {
      name: 'PYRIGHT_MCP_TRANSPORT',
      value: 'http',
      expected:
        /PYRIGHT_MCP_TRANSPORT is "http", and this agent-lsp was started to speak MCP over stdio\. Start agent-lsp with --http, /,
    },
    {
      name: 'PYRIGHT_MCP_TRANSPORT',
      value: 'sse',
      expected: /Set PYRIGHT_MCP_TRANSPORT to http and start agent-lsp with --http/,
    },
    {
      name: 'PYRIGHT_MCP_CLI_TIMOUT',
      value: '30',
      expected: /PYRIGHT_MCP_CLI_TIMOUT is not known; did you mean "PYRIGHT_MCP_CLI_TIMEOUT"/,
    },
  ])('refuses $name=$value with a line that names it', async ({ name, value, expected }) => {
    await using session = await fakeSession(SAMPLE, { ...PYRIGHT, env: { [name]: value } });
    const { text, isError } = await session.call('health_check');
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(expected) });
  });

  it('takes no notice of its variables in another profile', async () => {
    await using session = await fakeSession(SAMPLE, { env: { PYRIGHT_MCP_CLI_TIMEOUT: 'soon' } });
    expect(await session.ask('health_check')).toContain('check_timeout_seconds 30');
  });
});
