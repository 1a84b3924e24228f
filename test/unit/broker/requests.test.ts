/** Parameters from another process are checked before anything is done with them. */
import { describe, expect, it } from 'vitest';
import { parseRequest, takesTurn } from '../../../src/broker/requests.ts';

const overlay = [{ file: '/w/a.ts', text: 'x', base: null }];
const requests = [{ method: 'textDocument/hover', params: { any: 1 } }];
const evaluation = { overlay, requests, diagnosticsFor: ['/w/b.ts'] };

describe('a question about text that is tried out', () => {
  it('is understood, and waits for its turn', () => {
    const parsed = parseRequest('evaluate', { evaluation, whenReady: true, timeoutMs: 5 });
    expect(parsed).toEqual({ request: { method: 'evaluate', evaluation, whenReady: true }, timeoutMs: 5 });
    expect(takesTurn(parsed.request)).toBe(true);
  });

  it.each([
    { what: 'nothing at all', broken: undefined },
    { what: 'no requests', broken: { ...evaluation, requests: null } },
    { what: 'a text that is none', broken: { ...evaluation, overlay: [{ ...overlay[0], text: 1 }] } },
    { what: 'no base', broken: { ...evaluation, overlay: [{ file: '/w/a.ts', text: 'x' }] } },
    { what: 'a request without method', broken: { ...evaluation, requests: [{ params: {} }] } },
    { what: 'a file that is none', broken: { ...evaluation, diagnosticsFor: [''] } },
  ])('is refused with $what', ({ broken }) => {
    expect(() => parseRequest('evaluate', { evaluation: broken })).toThrow(/bad or missing parameter/);
  });
});
