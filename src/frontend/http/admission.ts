/**
 * Who is let in. A page in a browser that was made to believe that this server is its own (DNS rebinding) gives itself away
 * by the names in `Host` and `Origin`; everybody else shows a token. Of a refusal nothing is said that would help to guess.
 * Decision: docs/decisions/http.md#who-is-let-in
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isAddress, isLoopback } from '../access/dial.ts';
import type { HttpOptions } from './http-options.ts';
import { CODES, errorBody, type Reply } from './replies.ts';

/** Who shows the same token is the same; a session is of one principal. */
export type Principal = string;

/** A stranger's connection is not kept: what else it brings is not read. */
const STRANGER = { Connection: 'close' };

const UNAUTHORIZED: Reply = {
  status: 401,
  body: { error: 'unauthorized' },
  headers: { ...STRANGER, 'WWW-Authenticate': 'Bearer' },
};

export class Admission {
  readonly #digests: readonly Buffer[];
  readonly #allowedHosts: readonly string[];
  readonly #isLocal: boolean;

  constructor({ tokens, allowedHosts, address }: Pick<HttpOptions, 'tokens' | 'allowedHosts' | 'address'>) {
    this.#digests = tokens.map(digest);
    this.#allowedHosts = allowedHosts;
    this.#isLocal = isLoopback(address);
  }

  admit(headers: IncomingHttpHeaders): { readonly principal: Principal } | Reply {
    const { host, origin } = headers;
    if (!this.#isOurs(hostNameIn(`http://${host ?? ''}`))) return foreign('Host', host);
    if (origin !== undefined && !this.#isOurs(hostNameIn(origin))) return foreign('Origin', origin);
    if (this.#digests.length === 0) return { principal: 'anybody' };
    const principal = this.#principalOf(headers.authorization);
    return principal === undefined ? UNAUTHORIZED : { principal };
  }

  /** Takes the same time whichever token it is, and whether it is one: all digests are compared to the end. */
  #principalOf(authorization: string | undefined): Principal | undefined {
    const shown = digest(/^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '');
    const same = this.#digests.filter((known) => timingSafeEqual(known, shown));
    return same[0]?.toString('hex');
  }

  /** An address cannot be rebound. Other names are taken for ours only where the user says so. */
  #isOurs(name: string | undefined): boolean {
    if (name === undefined) return false;
    if (this.#allowedHosts.includes(name) || name === 'localhost') return true;
    const address = name.replace(/^\[(.*)\]$/, '$1');
    return isAddress(address) && (!this.#isLocal || isLoopback(address));
  }
}

/** Only of web addresses: `null` and the schemes of extensions have none. */
function hostNameIn(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, username, pathname } = new URL(url);
  const isPlain = username === '' && (pathname === '/' || pathname === '');
  return isPlain && /^https?:$/.test(protocol) && hostname !== '' ? hostname : undefined;
}

function foreign(header: 'Host' | 'Origin', value: string | undefined): Reply {
  const message = `${header} ${JSON.stringify(value ?? '')} is not allowed; agent-lsp --allowed-host <name> allows a name`;
  return {
    status: 403,
    body: errorBody(CODES.refused, message),
    headers: STRANGER,
  };
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token, 'latin1').digest();
}
