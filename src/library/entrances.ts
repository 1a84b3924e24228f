/** What is called first. The rest is loaded then: importing the package costs next to nothing. */
import type { AgentSession, HostOptions, LanguageServerHost, OpenOptions } from './contract.ts';

/** A session as the command has one: tools, fences, configuration, and servers that are shared and stay warm. */
export async function openAgentSession(options: OpenOptions = {}): Promise<AgentSession> {
  const { startAgentSession } = await import('./agent-session.ts');
  return startAgentSession(options);
}

/** One language server in this process, without a broker. It is started when it is first asked something. */
export async function createLanguageServer(options: HostOptions): Promise<LanguageServerHost> {
  const { startLanguageServer } = await import('./language-server-host.ts');
  return startLanguageServer(options);
}
