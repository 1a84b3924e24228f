/**
 * The token that HTTP clients show. It is taken out of the environment when it is read, because everything that is started
 * from here inherits that: language servers, builds and brokers have no use for it.
 */

export const HTTP_TOKEN = 'AGENT_LSP_TOKEN';
export const HTTP_TOKENS = `${HTTP_TOKEN} may name several, separated by commas`;

export function takeHttpToken(): string | undefined {
  const token = process.env[HTTP_TOKEN];
  delete process.env[HTTP_TOKEN];
  return token === '' ? undefined : token;
}
