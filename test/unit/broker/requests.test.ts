/** Parameters from another process are checked before anything is done with them. */
import { describe, expect, it } from 'vitest';
import { parseRequest, takesTurn } from '../../../src/broker/requests.ts';
import type { AbsPath } from '../../../src/shared/base/brand.ts';
import type { ReachQuestion } from '../../../src/shared/link/reach-question.ts';

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

describe('a question about the projects of a workspace', () => {
  it('keeps all that was asked on the way to the broker', () => {
    const file = (path: string) => path as AbsPath;
    // Each field has a value of its own, so that one which is forgotten on the way is missed here.
    const question: Required<ReachQuestion> = {
      name: 'stop',
      also: ['start'],
      file: file('/w/a.py'),
      except: [file('/w/b')],
      wantsMentions: true,
      wantsOwnKindOnly: true,
      wantsDeclarations: true,
      boundary: file('/w'),
      isWide: true,
      folders: [file('/w')],
      lookMs: 1,
      showMs: 2,
      stateDir: file('/state'),
    };
    expect(parseRequest('reach', { question }).request).toMatchObject({ question });
  });
});
