/** Addresses of servers that agent-lsp did not start, as users and agents write them: `host:port`, `[::1]:port` or `:port`. */
import { fail } from '../base/failure.ts';

export interface DialAddress {
  /** In lower case; this machine if none was written. */
  readonly host: string;
  readonly port: number;
}

/** `origin` says where it was written, if an agent did not. */
export function parseDialAddress(text: string, origin?: string): DialAddress {
  const match = /^(?:\[([^\]]+)\]|([^:\s]*)):(\d{1,5})$/.exec(text.trim());
  const port = Number(match?.[3]);
  if (!match || port < 1 || port > 65535) {
    fail({
      kind: 'invalid-input',
      message: `${origin === undefined ? '' : `${origin}: `}"${text}" is not an address of a language server`,
      next: 'Give it as host:port, for example localhost:9999.',
    });
  }
  return { host: (match[1] || match[2] || '127.0.0.1').toLowerCase(), port };
}
