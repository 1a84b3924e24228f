import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

interface Outcome {
  readonly code: number | null;
  readonly messages: readonly { id?: number; result?: unknown; error?: unknown }[];
  readonly stderr: string;
}

const HANDSHAKE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };

/** Writes the messages, ends the input when `last` has been answered (at once without one), and waits for the exit. */
function run(workspace: Workspace, messages: readonly object[], last?: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BUILT_PROGRAM], { cwd: workspace.root, env: workspace.env() });
    let [out, stderr] = ['', ''];
    const parsed = () =>
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (last !== undefined && parsed().some(({ id }) => id === last)) child.stdin.end();
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    if (last === undefined) child.stdin.end();
    child.on('close', (code) => resolve({ code, messages: parsed(), stderr }));
  });
}

function cacheOf(workspace: Workspace): string {
  return path.join(workspace.stateDir, 'code-cache');
}

describe('starting', () => {
  it('answers the handshake once and then everything that follows', async () => {
    await using workspace = createWorkspace();
    const { code, messages, stderr } = await run(
      workspace,
      [HANDSHAKE, { jsonrpc: '2.0', method: 'notifications/initialized' }, LIST],
      2,
    );
    expect(messages.map(({ id }) => id)).toEqual([1, 2]);
    expect(messages[1]?.result).toHaveProperty('tools');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('answers a handshake even when the input ends right behind it', async () => {
    await using workspace = createWorkspace();
    const { code, messages } = await run(workspace, [HANDSHAKE]);
    expect({ code, answered: messages.map(({ id }) => id) }).toEqual({ code: 0, answered: [1] });
  });

  it('leaves when nobody reads its answers any more', async () => {
    await using workspace = createWorkspace();
    const child = spawn(process.execPath, [BUILT_PROGRAM], { cwd: workspace.root, env: workspace.env() });
    const exited = new Promise((resolve) => child.on('exit', resolve));
    child.stdin.on('error', () => {});
    child.stdin.write(`${JSON.stringify(HANDSHAKE)}\n`);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdout.destroy();
    child.stdin.write(`${JSON.stringify(LIST)}\n`);
    expect(await exited).toBe(0);
    await workspace.expectNothingLeft();
  });

  it('keeps compiled code in the state directory for nobody else', async () => {
    await using workspace = createWorkspace();
    await run(workspace, [HANDSHAKE, LIST], 2);
    const files = readdirSync(cacheOf(workspace));
    expect(files.length).toBeGreaterThan(0);
    expect(files.every((file) => file.endsWith('.bin'))).toBe(true);
    expect(readdirSync(workspace.root)).toEqual([]);
    const again = await run(workspace, [HANDSHAKE, LIST], 2);
    expect(again.messages[1]?.result).toHaveProperty('tools');
    expect(readdirSync(cacheOf(workspace))).toEqual(files);
  });

  it('starts all the same when the compiled code is damaged, cut or not to be trusted', async () => {
    await using workspace = createWorkspace();
    await run(workspace, [HANDSHAKE, LIST], 2);
    const spoil = (change: (data: Buffer) => Buffer) => {
      for (const name of readdirSync(cacheOf(workspace))) {
        const file = path.join(cacheOf(workspace), name);
        writeFileSync(file, change(readFileSync(file)));
      }
    };
    for (const change of [
      (data: Buffer) => data.subarray(0, data.length / 3),
      (data: Buffer) => data.fill(7, 100, 5_000),
      () => Buffer.alloc(0),
      () => Buffer.alloc(4_096, 'x'),
    ]) {
      spoil(change);
      const { code, messages } = await run(workspace, [HANDSHAKE, LIST], 2);
      expect(code).toBe(0);
      expect(messages[1]?.result).toHaveProperty('tools');
    }
    chmodSync(cacheOf(workspace), 0o777);
    spoil((data) => Buffer.concat([data, data]));
    expect((await run(workspace, [HANDSHAKE, LIST], 2)).code).toBe(0);
  });

  it('starts without a state directory that it could use', async () => {
    await using workspace = createWorkspace();
    const file = workspace.write(`${workspace.scratch}/file`, '');
    const env = () => workspace.env({ AGENT_LSP_STATE_DIR: `${file}/state` });
    const blocked = { ...workspace, env };
    const { code, messages } = await run(blocked, [HANDSHAKE, LIST], 2);
    expect(code).toBe(0);
    expect(messages[1]?.result).toHaveProperty('tools');
  });
});
