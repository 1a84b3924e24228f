import { expect, it } from 'vitest';
import { until } from '../../support/events.ts';
import { startFrontEnd } from '../../support/mcp-client.ts';
import { createWorkspace } from '../../support/workspace.ts';

/** A hand-made MCP server with the manners of the real one: it leaves when its input ends. */
const SERVER = `
  import { createInterface } from 'node:readline';
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  process.stderr.write('started in ' + process.cwd() + ' with ' + process.argv[2] + '\\n');
  const lines = createInterface({ input: process.stdin });
  lines.on('close', () => process.env.STUBBORN ? setInterval(() => {}, 1e6) : process.exit(7));
  lines.on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize') {
      const { protocolVersion } = params;
      send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } });
    }
    if (method === 'notifications/cancelled') process.stderr.write('cancelled ' + params.requestId + '\\n');
    if (method !== 'tools/call') return;
    const { name, arguments: args, _meta } = params;
    if (name === 'never') return process.stderr.write('waiting\\n');
    if (name === 'slow') send({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress: 1 } });
    if (name === 'stray') process.stdout.write('not a message\\n');
    send({ id, result: { content: [{ type: 'text', text: JSON.stringify(args) }], isError: name === 'bad' } });
  });
`;

function prepared() {
  const workspace = createWorkspace();
  return { workspace, program: workspace.write('server.mjs', SERVER) };
}

it('calls tools of a real process and waits for its exit', async () => {
  const { workspace: owned, program } = prepared();
  await using workspace = owned;
  const frontEnd = await startFrontEnd({ workspace, program, args: ['--flag'] });
  expect(await frontEnd.call('echo', { a: 1 })).toMatchObject({
    text: '{"a":1}',
    json: { a: 1 },
    isError: false,
  });
  expect(await frontEnd.call('bad', {})).toMatchObject({ isError: true });
  expect(await frontEnd.close()).toEqual({ code: 7, signal: null });
  expect(frontEnd.stderr()).toBe(`started in ${workspace.root} with --flag\n`);
  expect(frontEnd.strayOutput).toEqual([]);
  await workspace.expectNothingLeft();
});

it('passes progress on and cancels', async () => {
  const { workspace: owned, program } = prepared();
  await using workspace = owned;
  await using frontEnd = await startFrontEnd({ workspace, program });
  const progress: number[] = [];
  await frontEnd.call('slow', {}, { onProgress: (each) => progress.push(each.progress) });
  expect(progress).toEqual([1]);
  const abort = new AbortController();
  const pending = frontEnd.call('never', {}, { signal: abort.signal });
  await until(() => frontEnd.stderr().includes('waiting'), { what: 'the call to arrive' });
  abort.abort(new Error('enough'));
  await expect(pending).rejects.toThrow('enough');
  await until(() => frontEnd.stderr().includes('cancelled'), { what: 'the cancellation to arrive' });
});

it('notices text on standard output that is no message', async () => {
  const { workspace: owned, program } = prepared();
  await using workspace = owned;
  await using frontEnd = await startFrontEnd({ workspace, program });
  expect((await frontEnd.call('stray')).isError).toBe(false);
  expect(frontEnd.strayOutput).toEqual(['not a message']);
});

it('kills a process that does not leave and fails', async () => {
  const { workspace: owned, program } = prepared();
  await using workspace = owned;
  const frontEnd = await startFrontEnd({ workspace, program, env: { STUBBORN: '1' } });
  await expect(frontEnd.close(100)).rejects.toThrow('did not leave within 100 ms');
  expect(await frontEnd.exited).toEqual({ code: null, signal: 'SIGKILL' });
});

it('says why a program did not start', async () => {
  const { workspace: owned } = prepared();
  await using workspace = owned;
  const program = workspace.write('broken.mjs', 'process.stderr.write("no such luck\\n"); process.exit(4);');
  await expect(startFrontEnd({ workspace, program })).rejects.toThrow(/exit code 4.*no such luck/s);
});
