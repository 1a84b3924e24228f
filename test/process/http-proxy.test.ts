/** The proxies of docs/http.md, as that page has them but for addresses and files, with clients of both protocols. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { freePort, type HttpClientOptions, startHttp } from '../support/http-front-end.ts';
import { fetchTrusting, makeCertificate } from '../support/https.ts';
import { describeWith } from '../support/requirements.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../docs/http.md'), 'utf8');
const NEWER: HttpClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

interface Places {
  readonly from: number;
  readonly to: number;
  readonly certificate: string;
  readonly key: string;
}

interface Proxy {
  readonly fence: string;
  /** The whole configuration, from the part that the page has. */
  configuration(shown: string, places: Places, directory: string): string;
  args(file: string, directory: string): readonly string[];
}

const NGINX: Proxy = {
  fence: 'nginx',
  configuration: (shown, { from, to, certificate, key }, directory) => {
    const server = shown
      .replace('listen 443', `listen 127.0.0.1:${from}`)
      .replace('/etc/ssl/code.example.pem', certificate)
      .replace('/etc/ssl/code.example.key', key)
      .replace('127.0.0.1:8080', `127.0.0.1:${to}`);
    const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${directory}/${name};`,
    );
    return `daemon off; pid ${directory}/pid; error_log stderr;
events {}
http { access_log off; ${kept.join(' ')}
${server}}
`;
  },
  args: (file, directory) => ['-c', file, '-p', directory, '-e', 'stderr'],
};

const CADDY: Proxy = {
  fence: 'caddyfile',
  configuration: (shown, { from, to, certificate, key }) => {
    const site = shown
      .replace(
        'code.example {',
        `https://localhost:${from} {\n    bind 127.0.0.1\n    tls ${certificate} ${key}`,
      )
      .replace('127.0.0.1:8080', `127.0.0.1:${to}`);
    return `{
    admin off
    auto_https disable_redirects
    grace_period 1s
}
${site}`;
  },
  args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
};

describeWith(['nginx', 'openssl'], 'behind nginx', ({ nginx, openssl }) => {
  it('clients of both protocols are asked and told things while an answer is on its way', () =>
    works(nginx, NGINX, openssl));
});

describeWith(['caddy', 'openssl'], 'behind Caddy', ({ caddy, openssl }) => {
  it('clients of both protocols are asked and told things while an answer is on its way', () =>
    works(caddy, CADDY, openssl));
});

/** A question comes before the answer that needs it, and news on a stream that does not end: neither passes what waits for an end. */
async function works(program: string, proxy: Proxy, openssl: string): Promise<void> {
  await using workspace = createWorkspace('//- a.ts\nexport function shared(): number {\n  return 1;\n}\n');
  const certificate = makeCertificate(openssl, workspace.scratch);
  await using http = await startHttp({ workspace, args: ['--daemon', 'never', '--permission', 'ask'] });
  const from = await freePort();
  await using running = await startProxy(program, proxy, workspace, { from, to: http.port, ...certificate });
  const url = new URL(`https://localhost:${from}/mcp`);
  const trusting = fetchTrusting(certificate);
  await until(async () => (await trusting(new URL('/health', url)).catch(() => undefined))?.ok ?? false, {
    what: 'the proxy',
    seen: running.stderr,
  });
  expect((await trusting(url, { method: 'POST', body: '{}' })).status).toBe(401);

  const questions: string[] = [];
  const { connect } = http;
  await using older = await connect({
    url,
    fetch: trusting,
    capabilities: { elicitation: { form: {} } },
    prepare: (client) =>
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        questions.push(params.message);
        return { action: 'accept', content: {} };
      }),
  });
  const rename = { symbol: 'shared', new_name: 'common', dry_run: false };
  expect(await older.call('rename_symbol', rename)).toContain('changed 1 place');
  expect(questions).toHaveLength(1);

  let changes = 0;
  await using newer = await connect({
    ...NEWER,
    url,
    fetch: trusting,
    prepare: (client) =>
      client.setNotificationHandler('notifications/tools/list_changed', () => {
        changes += 1;
      }),
  });
  const news = await newer.client.listen({ toolsListChanged: true });
  await newer.call('activate_tools', { profile: 'core' });
  await until(() => changes > 0, { what: 'news of the list of tools' });
  await news.close();
}

async function startProxy(
  program: string,
  { fence, configuration, args }: Proxy,
  workspace: Workspace,
  places: Places,
): Promise<AsyncDisposable & { stderr(): string }> {
  const directory = workspace.scratch;
  const shown = new RegExp(`\`\`\`${fence}\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1];
  if (shown === undefined) throw new Error(`docs/http.md has no example for ${fence}`);
  workspace.write(path.join(directory, fence), configuration(shown, places, directory));
  const child = spawn(program, args(path.join(directory, fence), directory), {
    cwd: directory,
    env: workspace.env({ XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit');
  return {
    stderr: () => stderr,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
