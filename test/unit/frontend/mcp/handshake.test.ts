import { PassThrough } from 'node:stream';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import { ClientRoots } from '../../../../src/frontend/mcp/client-roots.ts';
import {
  answerEarly,
  HANDSHAKE_VERSIONS,
  handshakeIn,
} from '../../../../src/frontend/mcp/fast-path/early-answer.ts';
import { instructionsFor } from '../../../../src/frontend/mcp/instructions.ts';
import { ResourceCalls } from '../../../../src/frontend/mcp/resource-calls.ts';
import { RoundTrips } from '../../../../src/frontend/mcp/round-trips.ts';
import { createMcpServer } from '../../../../src/frontend/mcp/server.ts';
import { SessionLog } from '../../../../src/frontend/mcp/session-log.ts';
import { SkillCalls } from '../../../../src/frontend/mcp/skill-calls.ts';
import { ToolCalls } from '../../../../src/frontend/mcp/tool-calls.ts';
import { ToolSet } from '../../../../src/frontend/mcp/tool-set.ts';

function handshake(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: { roots: { listChanged: true } },
    clientInfo: { name: 'client', version: '1' },
    ...changes,
  };
  return { jsonrpc: '2.0', id: 7, method: 'initialize', params };
}

/** What the SDK itself writes in answer to a message. */
async function sdkAnswer(message: unknown): Promise<unknown> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const notWanted = () => Promise.reject(new Error('not wanted'));
  const session = { config: notWanted, open: notWanted, close: async () => {}, opened: undefined };
  const log = new SessionLog(() => {}, 'emergency');
  const toolSet = new ToolSet(log);
  const calls = new ToolCalls(session, toolSet, () => {});
  const skills = new SkillCalls(session, toolSet, import.meta.filename);
  const resources = new ResourceCalls(session, log);
  const roundTrips = new RoundTrips();
  const transport = new StdioServerTransport(input, output);
  const roots = new ClientRoots(log);
  const instructions = instructionsFor('full');
  const make = () => createMcpServer({ calls, roundTrips, resources, skills, roots, log, instructions });
  const handle = serveStdio(make, { transport });
  const answer = new Promise<Buffer>((resolve) => output.once('data', resolve));
  input.write(`${JSON.stringify(message)}\n`);
  const line = String(await answer);
  await handle.close();
  return JSON.parse(line);
}

async function earlyAnswer(text: string): Promise<{ id: unknown; written: string; left: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.write(text);
  const id = await answerEarly(input, output, 'auto');
  return { id, written: String(output.read() ?? ''), left: String(input.read() ?? '') };
}

describe('the early answer to a handshake', () => {
  it('is the answer of the SDK, for every version that begins with initialize', async () => {
    expect([...HANDSHAKE_VERSIONS].sort()).toEqual([...SUPPORTED_PROTOCOL_VERSIONS].sort());
    for (const protocolVersion of HANDSHAKE_VERSIONS) {
      const message = handshake({ protocolVersion });
      const { id, written } = await earlyAnswer(`${JSON.stringify(message)}\n`);
      expect(id).toBe(7);
      expect(JSON.parse(written)).toEqual(await sdkAnswer(message));
    }
  });

  it('leaves the input as it was, with all that follows', async () => {
    const text = `${JSON.stringify(handshake())}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`;
    expect((await earlyAnswer(text)).left).toBe(text);
  });

  it('leaves everything unusual to the SDK', async () => {
    for (const message of [
      handshake({ protocolVersion: '2026-07-28' }),
      handshake({ protocolVersion: '1999-01-01' }),
      handshake({ clientInfo: { name: 'client' } }),
      handshake({ capabilities: { roots: 3 } }),
      handshake({ _meta: {} }),
      { ...handshake(), id: null },
      { ...handshake(), method: 'ping' },
      [handshake()],
    ]) {
      expect(handshakeIn(JSON.stringify(message))).toBeUndefined();
    }
    expect(handshakeIn('not json')).toBeUndefined();
    const half = JSON.stringify(handshake());
    expect(await earlyAnswer(half)).toEqual({ id: undefined, written: '', left: half });
  });

  it('does not wait for a client that says nothing', async () => {
    expect(await answerEarly(new PassThrough(), new PassThrough(), 'auto')).toBeUndefined();
    const ended = new PassThrough();
    ended.end();
    expect(await answerEarly(ended, new PassThrough(), 'auto')).toBeUndefined();
  });
});
