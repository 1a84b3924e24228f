import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeServer } from '../support/fake-server.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';
import { type FakeSession, fakeSession, writeFakeConfig } from './fake-session.ts';

/** An error of one line, after which the same session answers as if nothing had happened. */
async function refusal(
  session: Pick<FakeSession, 'call' | 'ask' | 'workspace'>,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  const before = filesIn(session.workspace.root);
  const { text, isError } = await session.call(tool, args);
  expect(isError).toBe(true);
  expect(text).not.toContain('\n');
  expect(text).toMatch(/[.?]$/);
  expect(filesIn(session.workspace.root)).toEqual(before);
  expect(await session.ask('list_symbols', { file_path: 'src/use.fake' })).toContain('function again');
  return text;
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true }).map(String).sort();
}

const HERE = { file_path: 'src/use.fake' };

describe('bad input is refused with the way out, and the server stays well', () => {
  it('line 0', async () => {
    await using session = await fakeSession();
    const text = await refusal(session, 'go_to_definition', { ...HERE, line: 0, column: 1 });
    expect(text).toBe('line must be >= 1, got 0. Correct line.');
  });

  it('a line past the end and a column past the line', async () => {
    await using session = await fakeSession();
    expect(await refusal(session, 'go_to_definition', { ...HERE, line: 99, column: 1 })).toBe(
      'line 99 is past the end of src/use.fake. Pass a line from 1 to 9.',
    );
    expect(await refusal(session, 'go_to_definition', { ...HERE, line: 2, column: 40 })).toBe(
      'column 40 is past the end of line 2 of src/use.fake. Pass a column from 1 to 15.',
    );
  });

  it('a missing file', async () => {
    await using session = await fakeSession();
    const text = await refusal(session, 'inspect_symbol', { file_path: 'src/gone.fake', line: 1 });
    expect(text).toBe(
      `${session.workspace.file('src/gone.fake')} does not exist. Check the path; relative paths start at the root.`,
    );
  });

  it('a directory', async () => {
    await using session = await fakeSession();
    const text = await refusal(session, 'get_symbol_source', { file_path: 'src', line: 1 });
    expect(text).toContain('src is a directory. Pass the path of a file in it.');
  });

  it('a binary file and one that is too large', async () => {
    await using session = await fakeSession();
    session.workspace.write('image.fake', new Uint8Array([1, 0, 2]));
    session.workspace.write('huge.fake', 'x'.repeat(2 * 1024 * 1024 + 1));
    expect(await refusal(session, 'list_symbols', { file_path: 'image.fake' })).toContain('is a binary file');
    expect(await refusal(session, 'list_symbols', { file_path: 'huge.fake' })).toContain('is too large');
  });

  it('a path outside the roots, however it is written', async () => {
    await using session = await fakeSession();
    const { root } = session.workspace;
    for (const file_path of [
      '/etc/passwd',
      '../scratch/config.json',
      `${root}/../scratch/config.json`,
      'file:///etc/passwd',
    ]) {
      const text = await refusal(session, 'list_symbols', { file_path });
      expect(text).toBe(
        `${file_path} is outside the workspace roots (${root}). Use a path inside them, or start agent-lsp with -r <directory> or AGENT_LSP_ALLOWED_PATHS.`,
      );
    }
  });

  it('a symlink that leads out of the root', async () => {
    await using session = await fakeSession();
    const secret = path.join(session.workspace.scratch, 'secret.fake');
    writeFileSync(secret, 'const secret = 1\n');
    symlinkSync(secret, session.workspace.file('link.fake'));
    symlinkSync(session.workspace.scratch, session.workspace.file('linked'));
    expect(await refusal(session, 'list_symbols', { file_path: 'link.fake' })).toContain(
      'outside the workspace roots',
    );
    expect(await refusal(session, 'list_symbols', { file_path: 'linked/secret.fake' })).toContain(
      'outside the workspace roots',
    );
  });

  it('a file of an unknown language, and an unknown language', async () => {
    await using session = await fakeSession('//- a.unknown\ntext\n//- src/use.fake\nfunction again() {\n}\n');
    const text = await refusal(session, 'list_symbols', { file_path: 'a.unknown' });
    expect(text).toMatch(
      /^no language server is known for .*a\.unknown\. Pass language_id \(one of .*fake.*\), or configure a server/,
    );
    const named = await refusal(session, 'list_symbols', { file_path: 'a.unknown', language_id: 'klingon' });
    expect(named).toContain('language "klingon" is not known');
  });

  it('a server that is not installed: the install command and a search that works now', async () => {
    await using session = await fakeSession(
      '//- flake.nix\nfoo = bar;\n//- src/use.fake\nfunction again() {\n}\n',
    );
    const text = await refusal(session, 'find_references', { file_path: 'flake.nix', line: 1, column: 7 });
    expect(text).toMatch(/^nil, the language server for nix, was not found\. Install it with: /);
    expect(text).toContain(`Until then: grep -rnw --include='*.nix' -- 'bar' ${session.workspace.root}.`);
  });

  it('a language that is switched off, which is neither started nor counted as missing', async () => {
    await using session = await fakeSession(
      '//- app.py\nprint(1)\n//- src/use.fake\nfunction again() {\n}\n',
      {
        config: {},
        disabled: ['python'],
      },
    );
    const text = await refusal(session, 'list_symbols', { file_path: 'app.py' });
    expect(text).toMatch(/^python is switched off in .*config\.json: servers\[1\]\. Remove "disabled" there/);
    expect(text).toContain('Until then: grep -rnw');
    expect(await session.ask('detect_lsp_servers')).toContain('python: switched off by configuration');
    expect(await session.ask('find_symbol', { query: 'again' })).not.toContain('python');
  });

  it('a configured command that is not there', async () => {
    await using workspace = createWorkspace('//- a.fake\ntext\n');
    const servers = [{ extensions: ['fake'], language_id: 'fake', command: ['/nowhere/fake-lsp'] }];
    const config = workspace.write(`${workspace.scratch}/config.json`, JSON.stringify({ servers }));
    await using frontEnd = await startFrontEnd({
      workspace,
      args: ['--config', config, '--daemon', 'never'],
    });
    const { text, isError } = await frontEnd.call('list_symbols', { file_path: 'a.fake' });
    expect(isError).toBe(true);
    expect(text).toContain('/nowhere/fake-lsp');
    expect((await frontEnd.call('detect_lsp_servers')).isError).toBe(false);
  });

  it('a configuration with an unknown key, until it is corrected', async () => {
    await using workspace = createWorkspace('//- src/use.fake\nfunction again() {\n}\n');
    const server = fakeServer(workspace.scratch);
    const config = writeFakeConfig(workspace, server, { demon: 'never' });
    await using frontEnd = await startFrontEnd({
      workspace,
      args: ['--config', config, '--daemon', 'never'],
    });
    const refused = await frontEnd.call('list_symbols', { file_path: 'src/use.fake' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('demon');
    expect(refused.text).toContain('daemon');
    writeFakeConfig(workspace, server);
    expect((await frontEnd.call('list_symbols', { file_path: 'src/use.fake' })).text).toContain(
      'function again',
    );
  });

  it('parameters that are missing, unknown or of the wrong type', async () => {
    await using session = await fakeSession();
    expect(await refusal(session, 'list_symbols', {})).toBe(
      'file_path is required (string). Pass file_path.',
    );
    expect(await refusal(session, 'list_symbols', { file_path: '' })).toBe(
      'file_path must not be empty. Pass file_path.',
    );
    expect(await refusal(session, 'list_symbols', { path: 'a' })).toMatch(
      /^unknown parameter "path", did you mean file_path\? /,
    );
    // What it had been called before has a name now that is listed.
    expect(await refusal(session, 'find_symbol', { quary: 'stop' })).toMatch(
      /^unknown parameter "quary", did you mean symbol\? Parameters are: symbol, /,
    );
    expect(await refusal(session, 'go_to_definition', { ...HERE, line: 'two' })).toBe(
      'line must be of type number, got "two". Correct line.',
    );
    expect(await refusal(session, 'go_to_definition', { ...HERE, line: 1.5 })).toContain('line must be');
    expect(await refusal(session, 'go_to_definition', { line: 1 })).toContain('file_path is missing');
    expect(await refusal(session, 'go_to_definition', HERE)).toContain(
      'Pass symbol, position_pattern, or line',
    );
    expect(await refusal(session, 'go_to_definition', { ...HERE, collumn: 2 })).toMatch(
      /^unknown parameter "collumn", did you mean column\? Parameters are: file_path, symbol, /,
    );
  });

  it('takes numbers and null as clients tend to write them', async () => {
    await using session = await fakeSession();
    const text = await session.ask('go_to_definition', { ...HERE, line: '2', column: '8', symbol: null });
    expect(text).toContain('src/client.fake:2:3');
  });
});
