import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  boundsFor,
  type SessionBounds,
  sessionNamedIn,
} from '../../../../src/frontend/http/session-bounds.ts';
import { failureSentence } from '../../../../src/frontend/render/failure.ts';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { absolutePath } from '../../../../src/shared/base/paths.ts';

const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'al-')));
const place = (name: string) => absolutePath(path.join(base, name));
mkdirSync(place('work/a, b'), { recursive: true });
mkdirSync(place('work-else'));
symlinkSync(base, place('work/out'));
afterAll(() => rmSync(base, { recursive: true }));

const MOST: SessionBounds = { roots: [place('work')], permission: 'ask', isSubagent: false, tools: 'full' };

const asked = (headers: Record<string, string>, params: object = {}, most = MOST) =>
  boundsFor(most, new Headers(headers), { params });

function refusal(headers: Record<string, string>, params: object = {}, most = MOST): string {
  try {
    return `taken: ${JSON.stringify(asked(headers, params, most))}`;
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return failureSentence(failure);
  }
}

const inCapabilities = (wish: object) => ({ capabilities: { experimental: { 'agent-lsp': wish } } });

describe('what a session asks for', () => {
  it('is everything if it says nothing', () => {
    expect(asked({})).toEqual(MOST);
    expect(boundsFor(MOST, new Headers(), undefined)).toEqual(MOST);
  });

  it('takes what is the same or less, and says what there is otherwise', () => {
    expect(asked({ 'Agent-Lsp-Permission': 'read' }).permission).toBe('read');
    expect(asked({ 'Agent-Lsp-Permission': 'ask' }).permission).toBe('ask');
    expect(refusal({ 'Agent-Lsp-Permission': 'write' })).toBe(
      'permission write is more than this server gives (ask). Ask for ask or less; agent-lsp --permission write gives it.',
    );
    expect(refusal({ 'Agent-Lsp-Permission': 'all' })).toContain('Pass one of read, ask, write');
    expect(asked({ 'Agent-Lsp-Subagent': 'true' }).isSubagent).toBe(true);
    expect(refusal({ 'Agent-Lsp-Subagent': 'false' }, {}, { ...MOST, isSubagent: true })).toContain(
      'subagents only',
    );
    expect(asked({ 'Agent-Lsp-Tools': 'core' }).tools).toBe('core');
    expect(refusal({ 'Agent-Lsp-Tools': 'lsp' })).toContain('the tools of this server are full, not lsp');
    expect(asked({ 'Agent-Lsp-Tools': 'lsp' }, {}, { ...MOST, tools: 'auto' }).tools).toBe('lsp');
  });

  it('is a root inside those of the server, wherever links lead', () => {
    const inside = place('work/a, b');
    expect(asked({ 'Agent-Lsp-Roots': `${base}/work/a%2C%20b` }).roots).toEqual([inside]);
    expect(asked({}, { _meta: { 'agent-lsp/roots': [inside, `file://${base}/work`] } }).roots).toEqual([
      inside,
      place('work'),
    ]);
    for (const root of [
      base,
      `${base}/work-else`,
      `${base}/work/..`,
      `${base}/work/out`,
      `${base}/work/out/work-else`,
      '/',
    ])
      expect(refusal({ 'Agent-Lsp-Roots': root }), root).toContain('is outside of those of this server');
    for (const root of ['work', '', '.', `${base}/work/missing`, '%', 'http://x/y', '\0'])
      expect(refusal({}, { _meta: { 'agent-lsp/roots': [root] } }), root).toContain('is no directory here');
    expect(refusal({ 'Agent-Lsp-Roots': '%E0%A4%A' })).toContain('cannot be read');
    expect(refusal({}, inCapabilities({ roots: [] }))).toContain('no roots are asked for');
    expect(refusal({}, inCapabilities({ roots: [7] }))).toContain('is no directory here');
  });

  it('is bound by headers where a message says something, too', () => {
    expect(asked({ 'Agent-Lsp-Permission': 'ask' }, inCapabilities({ permission: 'read' })).permission).toBe(
      'read',
    );
    expect(refusal({ 'Agent-Lsp-Permission': 'read' }, inCapabilities({ permission: 'ask' }))).toContain(
      '(read)',
    );
    expect(
      refusal(
        { 'Agent-Lsp-Roots': `${base}/work/a%2C%20b` },
        { _meta: { 'agent-lsp/roots': [place('work')] } },
      ),
    ).toContain('outside');
  });

  it('may name a session of the newer protocol', () => {
    const body = { params: { _meta: { 'agent-lsp/session': 'inner' } } };
    expect(sessionNamedIn(new Headers(), body)).toBe('inner');
    expect(sessionNamedIn(new Headers({ 'Agent-Lsp-Session': 'outer' }), body)).toBe('outer');
    expect(sessionNamedIn(new Headers(), undefined)).toBeUndefined();
  });
});
