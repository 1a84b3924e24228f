import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { fakeServer } from '../support/fake-server.ts';
import { stopBrokers } from '../support/link-worlds.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';
import { fakeSession, writeFakeConfig } from './fake-session.ts';

const TROUBLED = `
//- bad.fake
fine
ERROR one
//- good.fake
const good = 1;
`;

const OLDER = { versionNegotiation: { mode: 'legacy' } } as const;
const NEWER = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

async function texts(client: Client, uri: string): Promise<string[]> {
  const { contents } = await client.readResource({ uri });
  return contents.map((content) => ('text' in content ? content.text : ''));
}

/** Addresses that the client was told to have changed. */
function updatesOf(client: Client): string[] {
  const updates: string[] = [];
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void updates.push(params.uri),
  );
  return updates;
}

interface Message {
  readonly level: string;
  readonly logger: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

function messagesOf(client: Client): Message[] {
  const messages: Message[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => {
    messages.push({ level: params.level, logger: params.logger, data: params.data as Message['data'] });
  });
  return messages;
}

describe.each([
  { era: 'older', client: OLDER },
  { era: 'newer', client: NEWER },
])('resources of $era clients', ({ client }) => {
  it('are listed, with templates for files and places', async () => {
    await using session = await fakeSession(TROUBLED, { client });
    const uris = async () => (await session.frontEnd.client.listResources()).resources.map(({ uri }) => uri);
    const ofExtensions = ['lsp-typescript://projects', 'lsp-python://tests'];
    const fixed = ['lsp-diagnostics://', 'lsp-servers://', 'lsp-references://', ...ofExtensions];
    expect(await uris()).toEqual(fixed);
    const { resourceTemplates } = await session.frontEnd.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'lsp-diagnostics:///{+filePath}',
      'lsp-hover:///{+filePath}{?line,column,language_id}',
      'lsp-completions:///{+filePath}{?line,column,language_id}',
      'skill://{skill}/SKILL.md',
    ]);
    expect(session.server.journal.entries()).toEqual([]);
    await session.ask('open_document', { file_path: 'bad.fake' });
    expect(await uris()).toEqual([...fixed, `lsp-diagnostics://${session.workspace.file('bad.fake')}`]);
  });

  it('give the diagnostics of a file or of all open ones, with the proof', async () => {
    await using session = await fakeSession(TROUBLED, {
      client,
      scenario: { diagnostics: { profile: 'pull' } },
    });
    const { client: mcp } = session.frontEnd;
    const [bad, good] = [session.workspace.file('bad.fake'), session.workspace.file('good.fake')];
    expect(await texts(mcp, 'lsp-diagnostics://')).toEqual([
      '{}',
      'No file is open in this session, so nothing was checked',
    ]);
    const [data = '', proof] = await texts(mcp, `lsp-diagnostics://${bad}`);
    const error = { line: 2, column: 1, end_line: 2, end_column: 6, severity: 1, code: 'fake-error' };
    expect(JSON.parse(data)).toEqual({ [bad]: [{ ...error, source: 'fake', message: 'ERROR one' }] });
    expect(proof).toBe('bad.fake: 1 error; fresh (pull, fake-lsp)');
    for (const file_path of [bad, good]) await session.ask('open_document', { file_path });
    const [all = ''] = await texts(mcp, 'lsp-diagnostics:///');
    expect(JSON.parse(all)).toMatchObject({ [bad]: [{ line: 2 }], [good]: [] });
  });

  it('give hovers and completions at a place', async () => {
    await using session = await fakeSession(TROUBLED, { client });
    const { client: mcp } = session.frontEnd;
    const place = `${session.workspace.file('good.fake')}?line=1&column=7`;
    expect(await texts(mcp, `lsp-hover://${place}&language_id=fake`)).toEqual(['const good = 1;']);
    const [completions = ''] = await texts(mcp, `lsp-completions://${place}`);
    expect(JSON.parse(completions)).toEqual({
      isIncomplete: false,
      items: [
        { label: 'const', kind: 'text' },
        { label: 'good', kind: 'text' },
      ],
    });
  });

  it('refuse what is outside the roots, missing or no address, and start nothing for it', async () => {
    await using session = await fakeSession(TROUBLED, { client });
    const { client: mcp } = session.frontEnd;
    for (const [uri, message] of [
      ['lsp-diagnostics:///etc/passwd', /outside the workspace roots/],
      ['lsp-hover:///good.fake?line=1', /Add column=/],
      ['lsp-nothing://', /is not the address of a resource/],
    ] as const) {
      await expect(mcp.readResource({ uri })).rejects.toThrow(message);
    }
    const [data = '', why] = await texts(mcp, `lsp-diagnostics://${session.workspace.file('gone.fake')}`);
    expect(JSON.parse(data)).toEqual({ [session.workspace.file('gone.fake')]: null });
    expect(why).toMatch(/^MISSING: /);
    expect(session.server.journal.entries()).toEqual([]);
  });
});

describe('subscriptions of older clients', () => {
  it('tell of one file or of all, until exactly that one is ended', async () => {
    await using session = await fakeSession(TROUBLED, { client: OLDER });
    const { client } = session.frontEnd;
    const updates = updatesOf(client);
    const [bad, good] = ['bad.fake', 'good.fake'].map(
      (name) => `lsp-diagnostics://${session.workspace.file(name)}`,
    ) as [string, string];
    for (const uri of [bad, good]) await client.subscribeResource({ uri });
    expect(session.server.journal.entries()).toEqual([]);
    await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    await until(() => updates.length > 0, { what: 'an update' });
    expect(updates).toEqual([bad]);

    await client.unsubscribeResource({ uri: bad });
    await client.subscribeResource({ uri: 'lsp-diagnostics://' });
    session.workspace.write('bad.fake', 'ERROR two\n');
    await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    await until(() => updates.length > 1, { what: 'an update of all' });
    expect(updates).toEqual([bad, 'lsp-diagnostics://']);
    await expect(client.subscribeResource({ uri: 'lsp-diagnostics:///etc/passwd' })).rejects.toThrow(
      /outside the workspace roots/,
    );
  });
});

describe('subscriptions of newer clients', () => {
  it('begin with listen and end when it is closed', async () => {
    await using session = await fakeSession(TROUBLED, { client: NEWER });
    const { client } = session.frontEnd;
    const updates = updatesOf(client);
    const [bad, good] = ['bad.fake', 'good.fake'].map(
      (name) => `lsp-diagnostics://${session.workspace.file(name)}`,
    ) as [string, string];
    const first = await client.listen({ resourceSubscriptions: [bad] });
    const second = await client.listen({ resourceSubscriptions: [good, 'lsp-diagnostics://'] });
    expect(first.honoredFilter).toEqual({ resourceSubscriptions: [bad] });
    await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    await until(() => updates.length > 1, { what: 'two updates' });
    expect(updates.toSorted()).toEqual(['lsp-diagnostics://', bad].toSorted());

    await first.close();
    session.workspace.write('bad.fake', 'ERROR two\n');
    await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    await until(() => updates.length > 2, { what: 'an update of all' });
    expect(updates.slice(2)).toEqual(['lsp-diagnostics://']);
    await second.close();
  });

  it('tell of servers that are ready, dead and back; without asking nothing is sent', async () => {
    await using session = await fakeSession(TROUBLED, { client: NEWER });
    const { client } = session.frontEnd;
    const [updates, messages] = [updatesOf(client), messagesOf(client)];
    const subscription = await client.listen({ resourceSubscriptions: ['lsp-servers://'] });
    await session.ask('list_symbols', { file_path: 'good.fake' });
    await until(() => updates.length > 0, { what: 'the state of a server' });
    const states = async () => JSON.parse((await texts(client, 'lsp-servers://'))[0] ?? '');
    expect(await states()).toMatchObject([{ language: 'fake', state: 'ready', mode: 'direct' }]);
    const before = updates.length;
    process.kill(session.server.journal.entries()[0]?.pid ?? 0, 'SIGKILL');
    await until(() => updates.length > before, { what: 'the crash' });
    await session.ask('list_symbols', { file_path: 'good.fake' });
    expect(await states()).toMatchObject([{ state: 'ready' }]);
    expect(messages).toEqual([]);
    await subscription.close();
  });
});

describe('messages to older clients', () => {
  it('say when the workspace is ready, when its server dies, and when that is there again', async () => {
    await using session = await fakeSession(TROUBLED, { client: OLDER });
    const { client } = session.frontEnd;
    const messages = messagesOf(client);
    const heard = (logger: string) => messages.filter((message) => message.logger === logger);
    await session.ask('list_symbols', { file_path: 'good.fake' });
    await until(() => heard('workspace').length > 0, { what: 'the workspace being ready' });
    expect(heard('workspace')).toMatchObject([{ level: 'info', data: { type: 'workspace_ready' } }]);
    process.kill(session.server.journal.entries()[0]?.pid ?? 0, 'SIGKILL');
    await until(() => heard('health').length > 0, { what: 'the crash' });
    await session.ask('list_symbols', { file_path: 'good.fake' });
    await until(() => heard('health').length > 1, { what: 'the recovery' });
    expect(heard('health')).toMatchObject([
      { level: 'error', data: { type: 'server_health', status: 'crashed', language: 'fake' } },
      { level: 'info', data: { type: 'server_health', status: 'recovered', language: 'fake' } },
    ]);
  });

  it('count what changed in files, and are left out below the level that the client chose', async () => {
    await using session = await fakeSession(TROUBLED, { client: OLDER });
    const { client } = session.frontEnd;
    const messages = messagesOf(client);
    await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    await until(() => messages.some(({ logger }) => logger === 'diagnostics'), { what: 'the counts' });
    expect(messages.find(({ logger }) => logger === 'diagnostics')).toEqual({
      level: 'info',
      logger: 'diagnostics',
      data: {
        type: 'diagnostics_changed',
        updates: [{ uri: `file://${session.workspace.file('bad.fake')}`, errors: 1, warnings: 0 }],
      },
    });
    await client.setLoggingLevel('error');
    const before = messages.length;
    session.workspace.write('bad.fake', 'ERROR a\nERROR b\n');
    await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    process.kill(session.server.journal.entries()[0]?.pid ?? 0, 'SIGKILL');
    await until(() => messages.length > before, { what: 'the crash' });
    expect(messages.slice(before)).toMatchObject([{ level: 'error', logger: 'health' }]);
  });
});

describe('messages about diagnostics that are switched off', () => {
  it('do not come, and what a client subscribed to and everything else does', async () => {
    const config = { push_diagnostics: false };
    await using session = await fakeSession(TROUBLED, { client: OLDER, config });
    const { client } = session.frontEnd;
    const messages = messagesOf(client);
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri);
    });
    const uri = `lsp-diagnostics://${session.workspace.file('bad.fake')}`;
    await client.subscribeResource({ uri });
    await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    session.workspace.write('bad.fake', 'ERROR a\nERROR b\n');
    await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    await until(() => updated.includes(uri), { what: 'the subscription' });
    await until(() => messages.some(({ logger }) => logger === 'workspace'), { what: 'the workspace' });
    expect(messages.filter(({ logger }) => logger === 'diagnostics')).toEqual([]);
  });
});

describe('files that change on disk', () => {
  it('make references old: older clients get a message, and subscribers are told', async () => {
    await using session = await fakeSession(TROUBLED, { client: OLDER });
    const { client } = session.frontEnd;
    const [updates, messages] = [updatesOf(client), messagesOf(client)];
    await client.subscribeResource({ uri: 'lsp-references://' });
    await session.ask('list_symbols', { file_path: 'good.fake' });
    session.workspace.write('new.fake', 'good\n');
    session.workspace.write('good.fake', 'const better = 1;\n');
    await until(() => updates.length > 0, { what: 'the update' });
    await until(() => messages.some(({ logger }) => logger === 'file_watcher'), { what: 'the message' });
    expect(updates).toEqual(['lsp-references://']);
    expect(messages.find(({ logger }) => logger === 'file_watcher')).toMatchObject({
      level: 'info',
      data: { type: 'stale_references', files_changed: 2 },
    });
    const [changes = ''] = await texts(client, 'lsp-references://');
    const { watching, files } = JSON.parse(changes) as { watching: boolean; files: { file: string }[] };
    const changed = ['good.fake', 'new.fake'].map(session.workspace.file);
    expect([watching, files.map(({ file }) => file).toSorted()]).toEqual([true, changed]);
  });

  it('are told to newer clients that listen, and to no others', async () => {
    await using session = await fakeSession(TROUBLED, { client: NEWER });
    const { client } = session.frontEnd;
    const [updates, messages] = [updatesOf(client), messagesOf(client)];
    const uri = `lsp-hover://${session.workspace.file('good.fake')}?line=1&column=7`;
    const subscription = await client.listen({ resourceSubscriptions: ['lsp-references://', uri] });
    await session.ask('list_symbols', { file_path: 'good.fake' });
    session.workspace.write('good.fake', 'const better = 1;\n');
    await until(() => updates.length > 1, { what: 'the updates' });
    expect(updates).toEqual([uri, 'lsp-references://']);
    expect(messages).toEqual([]);
    await subscription.close();
  });
});

describe('subscriptions on a shared server', () => {
  it('tell what another session made the server find', async () => {
    await using workspace = createWorkspace(TROUBLED);
    const server = fakeServer(workspace.scratch);
    const args = ['--config', writeFakeConfig(workspace, server), '--daemon', 'always'];
    await using listener = await startFrontEnd({ workspace, args, client: NEWER });
    await using editor = await startFrontEnd({ workspace, args, client: OLDER });
    const updates = updatesOf(listener.client);
    const uri = `lsp-diagnostics://${workspace.file('bad.fake')}`;
    await listener.client.listen({ resourceSubscriptions: [uri] });
    await listener.call('list_symbols', { file_path: 'good.fake' });
    await editor.call('get_diagnostics', { file_path: 'bad.fake' });
    await until(() => updates.length > 0, { what: 'the update' });
    expect(updates).toEqual([uri]);
    expect(server.journal.received('initialize')).toHaveLength(1);
    for (const frontEnd of [listener, editor]) await frontEnd.close();
    await stopBrokers(workspace);
    await workspace.expectNothingLeft();
  });
});

describe('resources over a real server', () => {
  it('tell TypeScript errors, and that a change elsewhere made one', async () => {
    await using workspace = createWorkspace(`
    //- tsconfig.json
    {"compilerOptions": {"strict": true}}
    //- a.ts
    import { price } from './b';
    export const wrong: number = 'text';
    export const right: number = price;
    //- b.ts
    export const price = 1;
    `);
    await using frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never'], client: NEWER });
    const { client } = frontEnd;
    const updates = updatesOf(client);
    const file = workspace.file('a.ts');
    const uri = `lsp-diagnostics://${file}`;
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    const read = async () => {
      const [data = '', proof] = await texts(client, uri);
      return { proof, found: (JSON.parse(data) as Record<string, { line: number; code: string }[]>)[file] };
    };
    const first = await read();
    expect(first.proof).toMatch(/^a\.ts: 1 error; fresh \(pull, [\w-]+\)$/);
    expect(first.found).toMatchObject([{ line: 2, code: 'TS2322' }]);
    expect((await texts(client, `lsp-hover://${file}?line=2&column=14`))[0]).toContain('const wrong: number');
    workspace.write('b.ts', "export const price = 'free';\n");
    await until(() => updates.length > 0, { what: 'the update' });
    expect(updates).toEqual([uri]);
    expect((await read()).found).toMatchObject([{ line: 2 }, { line: 3, code: 'TS2322' }]);
    await subscription.close();
    await frontEnd.close();
    await workspace.expectNothingLeft();
  });
});
