/** A certificate of one's own, and requests that trust it: `fetch` of Node trusts what the whole process does. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { FetchLike } from '@modelcontextprotocol/client';

export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** For `localhost`. */
export function makeCertificate(openssl: string, directory: string): Certificate {
  const made = { certificate: path.join(directory, 'own.pem'), key: path.join(directory, 'own.key') };
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', made.key, '-out', made.certificate];
  execFileSync(openssl, ['req', '-x509', ...curve, ...name, ...files], { stdio: 'ignore' });
  return made;
}

export function fetchTrusting({ certificate }: Certificate): FetchLike {
  const ca = readFileSync(certificate);
  return async (url, init = {}) => {
    const asked = new Request(url, init);
    const body = Buffer.from(await asked.arrayBuffer());
    const options = {
      method: asked.method,
      headers: Object.fromEntries(asked.headers),
      ca,
      agent: false,
    } as const;
    return new Promise<Response>((resolve, reject) => {
      const sent = httpsRequest(new URL(asked.url), { ...options, signal: asked.signal }, (answer) =>
        resolve(responseOf(answer)),
      );
      sent.on('error', reject);
      sent.end(body);
    });
  };
}

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 500, headers } = answer;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const hasBody = status !== 204 && status !== 202;
  if (!hasBody) answer.resume();
  const body = hasBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array<ArrayBuffer>>) : null;
  return new Response(body, { status, headers: pairs });
}
