/** How the server is to listen and whom it lets in, from the command line and the environment; anything doubtful is refused. */
import { fail } from '../../shared/base/failure.ts';
import { HTTP_TOKEN, HTTP_TOKENS } from '../../shared/config/http-token.ts';
import { isAddress, isLoopback } from '../access/dial.ts';

/** As the command line has it. */
export interface HttpWords {
  readonly port?: string | undefined;
  readonly listenAddr?: string | undefined;
  readonly token?: string | undefined;
  readonly noAuth?: boolean | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly sessionTimeout?: string | undefined;
}

export interface HttpOptions {
  readonly port: number;
  readonly address: string;
  /** Each is a principal of its own; none: everybody on this machine is let in. */
  readonly tokens: readonly string[];
  /** Names by which clients reach the server beside its addresses: those of a proxy. */
  readonly allowedHosts: readonly string[];
  readonly sessionTimeoutMs: number;
  /** What the user is told before the server starts. */
  readonly warnings: readonly string[];
}

const PORT = { fallback: 8_080, least: 1, most: 65_535 };
const SESSION_MINUTES = { fallback: 30, least: 1, most: 7 * 24 * 60 };
const LOOPBACK = '127.0.0.1';
/** What a client can send as it is (RFC 6750); a comma separates tokens. */
const SENDABLE = /^[A-Za-z0-9\-._~+/]+=*$/;
const HOST_NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

/** `fromEnvironment` is the value of AGENT_LSP_TOKEN, which counts for more than `--token`. */
export function httpOptions(words: HttpWords, fromEnvironment: string | undefined): HttpOptions {
  const address = addressFrom(words.listenAddr);
  const tokens = tokensFrom(words, fromEnvironment, address);
  return {
    port: numberFrom('--port', words.port, PORT),
    address,
    tokens,
    allowedHosts: (words.allowedHosts ?? []).map(hostFrom),
    sessionTimeoutMs: numberFrom('--session-timeout', words.sessionTimeout, SESSION_MINUTES) * 60_000,
    warnings:
      words.token === undefined
        ? []
        : [
            `warning: other users of this machine can see a token on the command line; set ${HTTP_TOKEN} instead`,
          ],
  };
}

function addressFrom(given = LOOPBACK): string {
  if (isAddress(given)) return given;
  return refuse(
    `--listen-addr is ${JSON.stringify(given)}, which is no IP address`,
    'Pass one, for example 127.0.0.1, ::1 or 0.0.0.0',
  );
}

function tokensFrom(
  { token, noAuth }: HttpWords,
  fromEnvironment: string | undefined,
  address: string,
): readonly string[] {
  const given = fromEnvironment ?? token;
  if (noAuth) {
    if (given !== undefined)
      refuse('there is a token, and --no-auth says that none is wanted', 'Leave out one of them');
    if (!isLoopback(address))
      refuse(
        `--no-auth would let in everybody who reaches ${address}`,
        `Set ${HTTP_TOKEN}, or listen on ${LOOPBACK}`,
      );
    return [];
  }
  if (given === undefined)
    return refuse(
      'HTTP needs a token that clients show',
      `Set ${HTTP_TOKEN}, for example to what \`openssl rand -hex 32\` prints, or pass --no-auth on ${LOOPBACK}`,
    );
  const tokens = given.split(',').map((each) => each.trim());
  // The token is not repeated: what is printed may be kept.
  if (!tokens.every((each) => SENDABLE.test(each)))
    refuse(
      'the token has characters that clients cannot send, or is empty',
      `Use letters, digits and - . _ ~ + / only; ${HTTP_TOKENS}`,
    );
  return [...new Set(tokens)];
}

function hostFrom(given: string): string {
  const name = given.toLowerCase();
  if (HOST_NAME.test(name)) return name;
  return refuse(
    `--allowed-host is ${JSON.stringify(given)}, which is no host name`,
    'Pass the name alone, for example code.example, without scheme or port',
  );
}

interface Range {
  readonly fallback: number;
  readonly least: number;
  readonly most: number;
}

function numberFrom(name: string, given: string | undefined, { fallback, least, most }: Range): number {
  if (given === undefined) return fallback;
  const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= most) return number;
  return refuse(
    `${name} is ${JSON.stringify(given)}, which is no number from ${least} to ${most}`,
    `Leave it out for ${fallback}`,
  );
}

function refuse(message: string, next: string): never {
  return fail({ kind: 'invalid-input', message, next });
}
