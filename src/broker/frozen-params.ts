/** What any process may send that knows the token, whatever the version: nothing in it is taken for granted. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { isObject } from '../shared/base/unknown-value.ts';
import type { SleepParams, StopParams } from '../shared/rendezvous/broker-protocol.ts';

export function parseStop(params: unknown): StopParams {
  const mode = isObject(params) && params.mode === 'now' ? 'now' : 'drain';
  return { mode, reason: reasonIn(params, 'asked to stop') };
}

export function parseSleep(params: unknown): SleepParams {
  return { reason: reasonIn(params, 'asked to sleep') };
}

/** Compares digests, so that neither content nor length can be learned from the time it takes. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function reasonIn(params: unknown, otherwise: string): string {
  return isObject(params) && typeof params.reason === 'string' ? params.reason : otherwise;
}
