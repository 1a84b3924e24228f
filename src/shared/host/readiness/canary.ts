/**
 * Finds out whether a server that says nothing about its index has one: the host asks it about a real file until it
 * gives the same answer twice and finds by name what that file declares. No timer ever says "ready".
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DocumentSymbolRequest, WorkspaceSymbolRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { type Clock, delay, withTimeout } from '../../base/lifetime.ts';
import { pathToUri } from '../../base/paths.ts';
import { fieldOf } from '../../base/unknown-value.ts';
import type { ServerPlan } from '../../link/server-plan.ts';
import { firstSource } from '../documents/first-source.ts';
import { BARRIER_METHOD } from '../protocol/barrier.ts';
import type { Quirks } from '../protocol/quirks.ts';
import type { Readiness } from './readiness.ts';

/** What is needed of a server instance. */
export interface CanaryServer {
  readonly plan: ServerPlan;
  readonly quirks: Quirks;
  readonly readiness: Readiness;
  readonly connection: { request(method: string, params: unknown): Promise<unknown> };
  readonly documents: { sync(file: AbsPath): Promise<unknown> };
  readonly offered: { supports(method: string): boolean };
  /** Aborted with the end of the server. */
  readonly ended: AbortSignal;
}

const FIRST_ANSWER_MS = 3000;
const CANARY_MS = 1500;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;
/** A server that has given so many answers without the name does not find it at all. */
const MOST_SEARCHES = 12;

/** Called right after `initialized`; resolves when the server may be used, which is before it is ready. */
export async function awaitReadiness(server: CanaryServer, clock: Clock): Promise<void> {
  const { ready } = server.quirks;
  const asksFirst = ready.by === 'first-answer' || ready.by === 'canary';
  const answered = asksFirst ? firstAnswer(server) : undefined;
  if (answered) await withTimeout(answered, FIRST_ANSWER_MS, () => undefined, clock);
  server.readiness.handshakeDone();
  if (ready.by === 'first-file') void openFirstFile(server, ready.lists);
  if (ready.by !== 'canary') return;
  // Most servers prove themselves at once, and then the first call need not be told of an index.
  await withTimeout(proveByCanary(server, clock, answered), CANARY_MS, () => undefined, clock);
}

/** The same for a folder that the server has just been told of. */
export async function awaitFolder(server: CanaryServer, clock: Clock, folder: AbsPath): Promise<void> {
  // Such a server says itself when it has it.
  if (server.quirks.ready.by === 'log') return;
  using _loading = server.readiness.loading(folder);
  // Work that it reports has been announced when it answers this.
  await server.connection.request(BARRIER_METHOD, {}).catch(() => {});
  if (server.quirks.ready.by !== 'canary' || server.ended.aborted) return;
  const { quirks, readiness, connection, documents, offered, ended, plan } = server;
  const there = { quirks, readiness, connection, documents, offered, ended, plan: { ...plan, root: folder } };
  await singCanary(there, clock).catch(() => undefined);
}

async function proveByCanary(
  server: CanaryServer,
  clock: Clock,
  answered: Promise<void> | undefined,
): Promise<void> {
  // Without a file to ask about, or when it refuses to tell, an answer to anything is all that there can be.
  const proof = await singCanary(server, clock).catch(() => undefined);
  if (proof === undefined) await answered;
  if (!server.ended.aborted) server.readiness.proven(proof ?? 'first answer');
}

/** Any answer will do, also that there is no such method. */
async function firstAnswer({ connection, readiness, quirks }: CanaryServer): Promise<void> {
  await connection.request('agent-lsp/firstAnswer', {}).catch(() => {});
  if (quirks.ready.by === 'first-answer') readiness.proven('first answer');
}

/** The answer about a file comes after the list of files was found, and so after indexing was announced. */
async function openFirstFile(server: CanaryServer, lists: readonly string[]): Promise<void> {
  const file = await firstSource(server.plan);
  if (file !== undefined)
    await server.documents
      .sync(file)
      .then(() => symbolsOf(server, file))
      .catch(() => {});
  const known = lists.some((name) => existsSync(path.join(server.plan.root, name)));
  server.readiness.firstFile(
    known ? undefined : `there is no ${lists[0]}, so only files that were opened are known`,
  );
}

async function singCanary(server: CanaryServer, clock: Clock): Promise<string | undefined> {
  const { offered, plan } = server;
  const file = offered.supports(DocumentSymbolRequest.method) ? await firstSource(plan) : undefined;
  if (file === undefined) return undefined;
  await server.documents.sync(file);
  const outline = await sameTwice(server, clock, () => symbolsOf(server, file));
  const name = nameIn(outline);
  if (name === undefined || !offered.supports(WorkspaceSymbolRequest.method)) return 'same outline twice';
  const uri = pathToUri(file);
  const finds = (answer: unknown) => JSON.stringify(answer ?? null).includes(JSON.stringify(`${uri}`));
  const found = await sameTwice(
    server,
    clock,
    () => server.connection.request(WorkspaceSymbolRequest.method, { query: name }),
    finds,
  );
  return finds(found) ? `found ${name} twice` : 'same outline twice';
}

function symbolsOf({ connection }: CanaryServer, file: AbsPath): Promise<unknown> {
  return connection.request(DocumentSymbolRequest.method, { textDocument: { uri: pathToUri(file) } });
}

/** Asks until two answers in a row are equal and good enough, with longer and longer pauses. */
async function sameTwice(
  { ended }: CanaryServer,
  clock: Clock,
  ask: () => Promise<unknown>,
  isEnough: (answer: unknown) => boolean = () => true,
): Promise<unknown> {
  let pause = FIRST_PAUSE_MS;
  let before = await ask();
  for (let asked = 1; ; asked++) {
    await delay(pause, { clock, signal: ended });
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    const answer = await ask();
    const isSame = JSON.stringify(answer) === JSON.stringify(before);
    if (isSame && (isEnough(answer) || asked >= MOST_SEARCHES)) return answer;
    before = answer;
  }
}

/** Names with spaces or signs are made up by the server, such as `<function>` or `impl X for Y`. */
function nameIn(outline: unknown): string | undefined {
  if (!Array.isArray(outline)) return undefined;
  const names = outline.flatMap((symbol: unknown) => {
    const name = fieldOf(symbol, 'name');
    return typeof name === 'string' && /^[\p{L}_]\w{2,}$/u.test(name) ? [name] : [];
  });
  return names[0];
}
