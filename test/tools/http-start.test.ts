/** Starting the server: what it says when it listens, and in one line why it does not. */
import { createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort, runHttp, startHttp, TOKEN } from '../support/http-front-end.ts';
import { createWorkspace } from '../support/workspace.ts';

const workspace = createWorkspace('');
afterAll(() => workspace[Symbol.asyncDispose]());

/** What a server that does not start says, without the name of the program, and how it leaves. */
async function refusal(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { exited, stderr } = runHttp(args, workspace.env(env), workspace.root);
  const { code } = await exited;
  return `${code} ${stderr().replace(/^agent-lsp: /, '')}`;
}

const NO_TOKEN =
  'HTTP needs a token that clients show. Set AGENT_LSP_TOKEN, for example to what `openssl rand -hex 32` prints, or pass --no-auth on 127.0.0.1.';
const ODD_TOKEN =
  'the token has characters that clients cannot send, or is empty. Use letters, digits and - . _ ~ + / only; AGENT_LSP_TOKEN may name several, separated by commas.';

describe('a server that is not to start says why in one line', () => {
  it('a port or an address that is none', async () => {
    expect(await refusal(['--no-auth', '--port=65536'])).toBe(
      '2 --port is "65536", which is no number from 1 to 65535. Leave it out for 8080.\n',
    );
    expect(await refusal(['--no-auth', '--listen-addr=localhost'])).toBe(
      '2 --listen-addr is "localhost", which is no IP address. Pass one, for example 127.0.0.1, ::1 or 0.0.0.0.\n',
    );
  });

  it('no token', async () => {
    expect(await refusal([])).toBe(`2 ${NO_TOKEN}\n`);
    expect(await refusal([], { AGENT_LSP_TOKEN: '' })).toBe(`2 ${NO_TOKEN}\n`);
    expect(await refusal([], { AGENT_LSP_TOKEN: 'two words' })).toBe(`2 ${ODD_TOKEN}\n`);
  });

  it('no token at an address that others reach', async () => {
    expect(await refusal(['--no-auth', '--listen-addr', '0.0.0.0'])).toBe(
      '2 --no-auth would let in everybody who reaches 0.0.0.0. Set AGENT_LSP_TOKEN, or listen on 127.0.0.1.\n',
    );
  });

  it('a token that is not to be asked for', async () => {
    expect(await refusal(['--no-auth'], { AGENT_LSP_TOKEN: 'secret' })).toBe(
      '2 there is a token, and --no-auth says that none is wanted. Leave out one of them.\n',
    );
  });

  it('a port that is taken, an address of another machine', async () => {
    const other = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    expect(await refusal(['--no-auth', '--port', String(port)])).toBe(
      `2 port ${port} of 127.0.0.1 is taken. Pass another with --port.\n`,
    );
    await new Promise((resolve) => other.close(resolve));
    expect(await refusal(['--listen-addr', '192.0.2.1'], { AGENT_LSP_TOKEN: 'secret' })).toBe(
      '2 192.0.2.1 is no address of this machine. Pass one that it has, or 0.0.0.0, with --listen-addr.\n',
    );
  });

  it('a root that is none, other names, a time that is none, and options that are for HTTP', async () => {
    expect(await refusal(['--no-auth', '-r', 'missing'])).toBe(
      `2 the root ${workspace.file('missing')} is no directory. Correct -r.\n`,
    );
    expect(await refusal(['--no-auth', '--allowed-host', 'http://code.example'])).toContain(
      'which is no host name. Pass the name alone',
    );
    expect(await refusal(['--no-auth', '--session-timeout', '0'])).toContain(
      '--session-timeout is "0", which is no number from 1 to 10080',
    );
    expect(await refusal(['--no-http', '--no-auth'])).toBe('2 --no-auth is for --http, which is not given\n');
    expect(await refusal(['--no-auth', '--port', '1', '--port', '2'])).toBe(
      '2 --port is given more than once\n',
    );
  });
});

describe('a server that starts', () => {
  it('says in one line where it is, what for, and how to connect', async () => {
    await using http = await startHttp({ workspace, args: ['--permission', 'read'] });
    const url = `http://127.0.0.1:${http.port}/mcp`;
    expect(http.stderr()).toBe(
      `agent-lsp: MCP at ${url} for ${workspace.root} (permission read); connect for example with: claude mcp add --transport http agent-lsp ${url} --header "Authorization: Bearer $AGENT_LSP_TOKEN"\n`,
    );
    expect(await http.stop()).toEqual({ code: 0, signal: null });
  });

  it('warns of a token on the command line, and takes that of the environment before it', async () => {
    await using http = await startHttp({
      workspace,
      args: ['--token', 'of-the-command-line'],
      env: { AGENT_LSP_TOKEN: '' },
    });
    expect(http.stderr().split('\n')[0]).toBe(
      'agent-lsp: warning: other users of this machine can see a token on the command line; set AGENT_LSP_TOKEN instead',
    );
    const statusWith = async (token: string, { fetch } = http) =>
      (await fetch('/mcp', { headers: { Authorization: `Bearer ${token}` } })).status;
    expect([await statusWith(TOKEN), await statusWith('of-the-command-line')]).toEqual([401, 400]);
    await using both = await startHttp({ workspace, args: ['--token', 'of-the-command-line'] });
    expect([await statusWith(TOKEN, both), await statusWith('of-the-command-line', both)]).toEqual([
      400, 401,
    ]);
  });

  it('listens on 127.0.0.1 and port 8080 if not told otherwise, and asks for no token where none is wanted', async () => {
    const { exited, stderr, child } = runHttp(['--no-auth'], workspace.env(), workspace.root);
    const ended = exited.then(() => 'ended');
    const said = new Promise<string>((resolve) => child.stderr?.once('data', () => resolve('said')));
    await Promise.race([ended, said]);
    // Another program of this machine may have the port.
    expect(stderr()).toMatch(/MCP at http:\/\/127\.0\.0\.1:8080\/mcp |port 8080 of 127\.0\.0\.1 is taken/);
    child.kill('SIGKILL');
    await exited;
    await using http = await startHttp({ workspace, args: ['--no-auth'], env: { AGENT_LSP_TOKEN: '' } });
    expect(http.stderr()).not.toContain('--header');
    await using session = await http.connect({ token: '' });
    expect((await session.client.listTools()).tools.length).toBeGreaterThan(0);
  });

  it.each(['::1', '0.0.0.0'])('listens on %s when it is told so', async (address) => {
    await using http = await startHttp({ workspace, args: ['--listen-addr', address] });
    const host = address.includes(':') ? `[${address}]` : '127.0.0.1';
    const response = await fetch(`http://${host}:${http.port}/health`);
    expect(await response.json()).toEqual({ status: 'ok' });
  });
});
