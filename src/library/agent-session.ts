/** A session of a program: the same tools, fences and warm servers as a session of the command. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sessionFeatures } from '../frontend/features/session-features.ts';
import { openSession, type Session, type SessionOptions } from '../frontend/session/session.ts';
import { sessionConfig } from '../frontend/session/session-config.ts';
import { sessionOptions } from '../frontend/session/session-options.ts';
import { packageRootOf } from '../shared/languages/environment.ts';
import type { ServerLink } from '../shared/link/server-link.ts';
import type { AgentSession, LanguageServer, OpenOptions } from './contract.ts';
import { asErrors } from './errors.ts';
import { languageServer } from './language-server.ts';
import { logOf } from './program-log.ts';
import { toolFunctions } from './tool-functions.ts';

export function startAgentSession(options: OpenOptions): Promise<AgentSession> {
  return asErrors(async () => {
    const opening = optionsFor(options);
    const session = await openSession(await sessionConfig(opening), opening);
    return agentSession(session, options);
  });
}

/** Where brokers are started from: the command of this package, so that they are shared with it. */
function optionsFor({ root, ...given }: OpenOptions): SessionOptions {
  const packageRoot = packageRootOf(fileURLToPath(import.meta.url));
  const { permission, typescript, daemon, config: configFile } = given;
  return {
    ...sessionOptions(
      { roots: rootsOf(root), permission, typescript, daemon, configFile },
      path.join(packageRoot, 'dist/agent-lsp.cjs'),
      { log: logOf(given.log), setLogLevel: () => {}, switchTools: () => {}, features: sessionFeatures },
    ),
    // Flags of a program, such as those of a debugger, are not meant for the broker.
    execArgv: [],
  };
}

function rootsOf(root: OpenOptions['root']): readonly string[] {
  if (root === undefined) return [];
  return typeof root === 'string' ? [root] : root;
}

async function agentSession(session: Session, { confirm }: OpenOptions): Promise<AgentSession> {
  const { tools, call } = await toolFunctions(session, confirm);
  const seen = new Map<ServerLink, LanguageServer>();
  const serverOf = (link: ServerLink) => {
    const server = seen.get(link) ?? languageServer(link);
    seen.set(link, server);
    return server;
  };
  const scope = (signal: AbortSignal) => ({
    signal,
    remainingMs: () => session.config.callTimeoutMs,
    tools: [],
    watch: () => {},
    report: () => {},
  });
  const close = () => session.close();
  return {
    root: session.roots.primary,
    tools,
    call,
    serverFor: (file, role = 'navigation') =>
      asErrors(async () => {
        const { servers } = session.context(scope(new AbortController().signal));
        return serverOf(await servers.linkFor(session.roots.resolve(file), { role }));
      }),
    get servers() {
      return session.links.map(serverOf);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
