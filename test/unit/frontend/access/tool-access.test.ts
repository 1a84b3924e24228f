import { describe, expect, it } from 'vitest';
import { hintsFor } from '../../../../src/frontend/access/effect.ts';
import {
  type AccessedTool,
  type AccessPolicy,
  accessBeyond,
  accessTo,
  checkRules,
  effectsWithin,
  refusal,
} from '../../../../src/frontend/access/tool-access.ts';
import { failureOf } from '../../../../src/shared/base/failure.ts';

const READ: AccessedTool = { name: 'find_symbol', effect: 'read', hasPreview: false, isPrivileged: false };
const RENAME: AccessedTool = {
  name: 'rename_symbol',
  effect: 'write',
  hasPreview: true,
  isPrivileged: false,
};
const WIPE: AccessedTool = { ...RENAME, name: 'wipe_file', hasPreview: false };
const COMMAND: AccessedTool = { ...WIPE, name: 'execute_command', effect: 'execute' };
const ADD: AccessedTool = { ...WIPE, name: 'add_workspace_folder', effect: 'expand' };
const START: AccessedTool = {
  ...READ,
  name: 'start_lsp',
  beyond: { effect: 'expand', when: 'with connect' },
};
const RESTART: AccessedTool = { ...READ, name: 'restart_lsp_server', isPrivileged: true };

function policy({
  permission = 'write',
  isSubagent = false,
  ...rules
}: Partial<Pick<AccessPolicy, 'permission' | 'isSubagent'> & AccessPolicy['permissionRules']>): AccessPolicy {
  return { permission, isSubagent, permissionRules: { allow: [], ask: [], deny: [], ...rules } };
}

const kindOf = (tool: AccessedTool, with_: Parameters<typeof policy>[0]) =>
  accessTo(tool, policy(with_)).kind;

describe('access to tools', () => {
  it('follows the level for tools that write or reach beyond the roots, and lets all others run', () => {
    for (const [permission, rename, command] of [
      ['read', 'preview', 'refused'],
      ['ask', 'ask', 'ask'],
      ['write', 'allowed', 'allowed'],
    ] as const) {
      expect(kindOf(RENAME, { permission })).toBe(rename);
      for (const tool of [WIPE, COMMAND, ADD]) expect(kindOf(tool, { permission })).toBe(command);
      expect(kindOf(START, { permission })).toBe('allowed');
      expect(accessBeyond(START, policy({ permission }))?.kind).toBe(command);
      expect(accessBeyond(READ, policy({ permission }))).toBeUndefined();
      expect(kindOf(READ, { permission })).toBe('allowed');
      expect(kindOf({ ...READ, effect: 'preview' }, { permission })).toBe('allowed');
      expect(kindOf(RESTART, { permission })).toBe('allowed');
    }
  });

  it('lets the most specific rule win, and among equals the strictest', () => {
    expect(kindOf(RENAME, { deny: ['*'], allow: ['rename_symbol'] })).toBe('allowed');
    expect(kindOf(RENAME, { deny: ['rename_symbol'], allow: ['*'] })).toBe('refused');
    expect(kindOf(RENAME, { deny: ['rename_*'], ask: ['ren*'], allow: ['*'] })).toBe('refused');
    expect(kindOf(RENAME, { deny: ['ren*'], ask: ['rename_*'], allow: ['*'] })).toBe('ask');
    expect(kindOf(RENAME, { ask: ['rename_*'], deny: ['rename_*'], allow: ['rename_*'] })).toBe('refused');
    expect(kindOf(RENAME, { ask: ['rename_symbol'], allow: ['rename_symbol*'] })).toBe('ask');
    expect(kindOf(READ, { ask: ['find_*'] })).toBe('ask');
    expect(kindOf(READ, { deny: ['rename_*'] })).toBe('allowed');
  });

  it('lets rules loosen what is asked for, but never what may only be read', () => {
    expect(kindOf(RENAME, { permission: 'ask', allow: ['rename_symbol'] })).toBe('allowed');
    expect(kindOf(RENAME, { permission: 'read', allow: ['rename_symbol'] })).toBe('preview');
    expect(kindOf(RENAME, { permission: 'read', ask: ['rename_symbol'] })).toBe('preview');
    expect(kindOf(RENAME, { permission: 'read', deny: ['rename_symbol'] })).toBe('refused');
    expect(kindOf(ADD, { permission: 'ask', allow: ['add_workspace_folder'] })).toBe('allowed');
    expect(kindOf(ADD, { permission: 'write', ask: ['add_workspace_folder'] })).toBe('ask');
    expect(kindOf(ADD, { permission: 'read', allow: ['add_workspace_folder'] })).toBe('refused');
  });

  it('asks for a tool that asks first, unless a rule says otherwise', () => {
    const asking: AccessedTool = { ...READ, name: 'lsp_rename', effect: 'preview', asksFirst: true };
    for (const permission of ['read', 'ask', 'write'] as const)
      expect(accessTo(asking, policy({ permission }))).toEqual({ kind: 'ask', ifPossible: true });
    expect(kindOf(asking, { allow: ['lsp_*'] })).toBe('allowed');
    expect(kindOf(asking, { deny: ['lsp_rename'] })).toBe('refused');
    // Who asks for it by a rule means that it must be asked for.
    expect(accessTo(asking, policy({ ask: ['lsp_rename'] }))).toEqual({ kind: 'ask' });
  });

  it('gives subagents nothing that writes, runs, reaches beyond the roots or concerns others', () => {
    const subagent = { isSubagent: true, allow: ['*', 'rename_symbol', 'restart_lsp_server', 'start_lsp'] };
    expect(accessTo(RENAME, policy(subagent))).toEqual({ kind: 'preview', why: 'subagent' });
    for (const tool of [WIPE, COMMAND, ADD, RESTART])
      expect(accessTo(tool, policy(subagent))).toEqual({ kind: 'refused', why: 'subagent' });
    expect(accessBeyond(START, policy(subagent))).toEqual({ kind: 'refused', why: 'subagent' });
    expect(kindOf(START, subagent)).toBe('allowed');
    expect(kindOf(READ, subagent)).toBe('allowed');
  });

  it('says of each refusal why and what to do', () => {
    for (const why of ['read-only', 'subagent'] as const) {
      const failure = refusal('rename_symbol', 'write', { kind: 'refused', why });
      expect(failure).toMatchObject({ kind: 'not-permitted', next: expect.stringMatching(/./) });
    }
    expect(refusal('x', 'read', { kind: 'refused', why: 'denied', rule: 'x*' })).toMatchObject({
      reason: 'x is denied by the configuration (permissions.deny: "x*")',
    });
  });

  it('tells clients the most that a connection can bring about, and not more', () => {
    const hints = (tool: AccessedTool, with_: Parameters<typeof policy>[0]) =>
      hintsFor(effectsWithin(tool, policy(with_)), { changesSession: tool === RESTART });
    const reads = { readOnlyHint: true, openWorldHint: false };
    const expands = {
      readOnlyHint: false,
      destructiveHint: false,
      openWorldHint: true,
      idempotentHint: true,
    };
    expect(hints(READ, {})).toEqual(reads);
    expect(hints(RENAME, {})).toEqual({ readOnlyHint: false, destructiveHint: true, openWorldHint: false });
    expect(hints(RENAME, { permission: 'read' })).toEqual(reads);
    expect(hints(COMMAND, {})).toEqual({ readOnlyHint: false, destructiveHint: true, openWorldHint: true });
    expect(hints(ADD, { permission: 'ask' })).toEqual(expands);
    expect(hints(START, { permission: 'ask' })).toEqual(expands);
    expect(hints(START, { permission: 'read' })).toEqual(reads);
    expect(hints(RESTART, {})).toEqual({ ...expands, openWorldHint: false });
  });

  it('takes a rule that fits no tool for a mistake', () => {
    const tools = [READ, RENAME];
    checkRules({ allow: ['*'], ask: ['find_*'], deny: ['rename_symbol'] }, tools);
    for (const [pattern, hint] of [
      ['rename_symbl', ' (did you mean "rename_symbol"?)'],
      ['destroy_*', ''],
    ] as const) {
      let thrown: unknown;
      try {
        checkRules({ allow: [], ask: [], deny: [pattern] }, tools);
      } catch (error) {
        thrown = error;
      }
      expect(failureOf(thrown)).toMatchObject({
        kind: 'invalid-input',
        message: `permissions.deny: no tool is called "${pattern}"${hint}`,
      });
    }
  });
});
