/** Skills whose phases are kept, as an agent meets them over MCP. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SKILLS_WITH_PHASES } from '../../src/frontend/features/phases/skills.ts';
import { WRITING_TOOLS } from '../support/writing-tools.ts';
import { type FakeSession, type FakeSessionOptions, fakeSession } from './fake-session.ts';

const FILE = 'src/use.fake';
const EDIT = { file_path: FILE, old_text: 'const client', new_text: 'const other' };
const SKILLS = SKILLS_WITH_PHASES.map(({ name }) => name);

const PULLING: FakeSessionOptions = { scenario: { diagnostics: { profile: 'pull' } } };

describe('a session', () => {
  let session: FakeSession;
  beforeAll(async () => {
    session = await fakeSession(undefined, { ...PULLING, ...WRITING_TOOLS });
  });
  beforeEach(async () => {
    await session.ask('deactivate_skill');
  });
  afterAll(async () => void (await session[Symbol.asyncDispose]()));

  const activate = (skill_name: string, mode = 'block') =>
    session.ask('activate_skill', { skill_name, mode });
  const phase = async () => (await session.ask('get_skill_phase')).split('\n')[0];
  const refused = async (tool: string, args: Readonly<Record<string, unknown>> = {}) => {
    const { isError, text } = await session.call(tool, args);
    expect(isError).toBe(true);
    return text;
  };

  it('is in no skill at first, enters one, asks for its phase and leaves it, as often as it likes', async () => {
    expect(await phase()).toBe(`no skill is active; activate_skill takes ${SKILLS.join(', ')}`);
    expect(await session.ask('activate_skill', { skill_name: 'lsp-verify' })).toContain(
      'activated (warn): phase test_correlation (1 of 5) of lsp-verify',
    );
    expect(await phase()).toBe('phase test_correlation (1 of 5) of lsp-verify (warn)');
    expect(await session.ask('deactivate_skill')).toBe(
      'deactivated in phase test_correlation (1 of 5) of lsp-verify',
    );
    expect(await session.ask('deactivate_skill')).toBe('deactivated: no skill was active');
  });

  it('is told of a skill that is active, of one that is not known, and of a mode that there is not', async () => {
    expect(await refused('activate_skill', { skill_name: 'lsp-renam' })).toBe(
      `unknown skill "lsp-renam", did you mean lsp-rename? Skills with phases are ${SKILLS.join(', ')}.`,
    );
    expect(await refused('activate_skill', { skill_name: 'lsp-rename', mode: 'strict' })).toBe(
      'mode must be one of warn, block, got "strict". Correct mode.',
    );
    expect(await phase()).toContain('no skill is active');
    await activate('lsp-rename');
    expect(await refused('activate_skill', { skill_name: 'lsp-verify' })).toBe(
      'lsp-rename is already active, in phase prerequisites (1 of 3) of lsp-rename. Go on with it, or call deactivate_skill first.',
    );
  });

  it('completes lsp-safe-edit, and is led there by its refusals', async () => {
    await activate('lsp-safe-edit');
    await session.ask('get_diagnostics', { file_path: FILE });
    const before = session.workspace.read(FILE);
    expect(await refused('apply_edit', EDIT)).toBe(
      'Phase violation: apply_edit would change files, which is not allowed in phase setup (1 of 4) of lsp-safe-edit. Recovery: apply_edit belongs to phase apply. First: preview_edit, evaluate_session or simulate_chain begins phase speculative_preview; or leave the skill: deactivate_skill.',
    );
    expect(session.workspace.read(FILE)).toBe(before);
    expect(await session.ask('preview_edit', EDIT)).toContain(
      'note: now in phase speculative_preview (2 of 4) of lsp-safe-edit',
    );
    expect(await session.ask('apply_edit', EDIT)).toContain('note: now in phase apply (3 of 4)');
    expect(session.workspace.read(FILE)).not.toBe(before);
    expect(await refused('preview_edit', EDIT)).toContain(
      'which is over: deactivate_skill, and activate_skill',
    );
    expect(await session.ask('get_diagnostics', { file_path: FILE })).toContain(
      'now in phase verify_and_fix',
    );
    const shown = await session.ask('get_skill_phase');
    expect(shown).toContain(
      'called so far: get_diagnostics, apply_edit, preview_edit, apply_edit, preview_edit',
    );
    expect(shown).toContain('next: deactivate_skill when all is done');
    await session.ask('apply_edit', { file_path: FILE, old_text: 'const other', new_text: 'const client' });
  });

  it('completes lsp-rename: nothing is renamed before it was shown', async () => {
    await activate('lsp-rename');
    const renamed = { file_path: 'src/client.fake', symbol: 'Client.stop', new_name: 'halt' };
    expect(await refused('rename_symbol', renamed)).toContain(
      'First: rename_symbol with dry_run:true begins phase preview',
    );
    await session.ask('find_references', { symbol: 'Client.stop' });
    expect(await phase()).toContain('phase preview (2 of 3)');
    expect(await refused('apply_edit', EDIT)).toContain(
      'rename_symbol with dry_run:true completes phase preview',
    );
    const shown = await session.ask('rename_symbol', { ...renamed, dry_run: true });
    expect(shown).not.toContain('now in');
    const edit_id = /apply_edit with edit_id (e\d+)/.exec(shown)?.[1];
    const applied = await session.ask('apply_edit', { edit_id });
    expect(applied).toContain('now in phase execute (3 of 3)');
    expect(session.workspace.read('src/client.fake')).toContain('halt()');
    expect(await refused('run_tests')).toContain('run_tests has no place in lsp-rename: deactivate_skill.');
    await session.ask('apply_edit', { undo: /apply_edit with undo (e\d+)/.exec(applied)?.[1] });
    expect(session.workspace.read('src/client.fake')).toContain('stop()');
  });

  it('stays where it is when a call fails, finds several places, or writes nothing', async () => {
    await activate('lsp-rename');
    await refused('rename_symbol', { symbol: 'nowhere', new_name: 'x', dry_run: true });
    await refused('find_references', { symbol: 'Client.stop', limit: 'many' });
    expect(await phase()).toContain('phase prerequisites (1 of 3)');
    await session.ask('deactivate_skill');
    await activate('lsp-safe-edit');
    await session.ask('preview_edit', EDIT);
    await session.ask('apply_edit', { ...EDIT, dry_run: true });
    expect(await phase()).toContain('phase speculative_preview (2 of 4)');
  });

  it('hears of a violation before it hears of its arguments', async () => {
    await activate('lsp-safe-edit');
    for (const args of [{}, { file_path: 'gone.fake' }, { no_such: 1 }])
      expect(await refused('replace_symbol_body', args)).toMatch(/^Phase violation: /);
  });

  it('is refused tools that change files in any way, those too that no rule names', async () => {
    await activate('lsp-verify');
    const before = session.workspace.read(FILE);
    for (const tool of [
      'append_text',
      'wipe_file',
      'move_file',
      'execute_command',
      'safe_edit',
      'format_range',
    ])
      expect(await refused(tool, { file_path: FILE, text: 'x' })).toMatch(
        /^Phase violation: .* would change files/,
      );
    expect(session.workspace.read(FILE)).toBe(before);
  });

  it.each(SKILLS)('always gets to the tools about phases in %s', async (skill) => {
    await activate(skill);
    expect(await phase()).toContain(`of ${skill} (block)`);
    expect(await refused('activate_skill', { skill_name: skill })).toContain('already active');
    expect(await session.ask('deactivate_skill')).toContain('deactivated in');
  });

  it('is warned only where it wants that', async () => {
    await activate('lsp-safe-edit', 'warn');
    const text = await session.ask('apply_edit', EDIT);
    expect(text).toContain(
      'note: phase violation: apply_edit would change files, which is not allowed in phase setup',
    );
    expect(session.workspace.read(FILE)).toContain('const other');
    expect(await phase()).toBe('phase setup (1 of 4) of lsp-safe-edit (warn)');
    await session.ask('apply_edit', { file_path: FILE, old_text: 'const other', new_text: 'const client' });
  });

  it('gets back to a skill from fewer tools', async () => {
    await activate('lsp-safe-edit');
    await session.ask('activate_tools', { profile: 'core' });
    expect(await refused('apply_edit', EDIT)).toContain(
      'First: a tool that activate_tools with profile full lists begins phase speculative_preview; or leave the skill: activate_tools with profile full lists the tool for that',
    );
    await session.ask('activate_tools', { profile: 'full' });
  });
});

describe('phases', () => {
  it('are those of one session each, in both protocols, and said as data too', async () => {
    const data: FakeSessionOptions = { args: ['--output', 'json'] };
    await using one = await fakeSession(undefined, {
      ...data,
      client: { versionNegotiation: { mode: 'legacy' } },
    });
    await using other = await fakeSession(undefined, {
      ...data,
      client: { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    });
    const started = await one.call('activate_skill', { skill_name: 'lsp-refactor', mode: 'block' });
    expect(started.json).toMatchObject({
      status: 'activated',
      skill: 'lsp-refactor',
      mode: 'block',
      current_phase: 'blast_radius',
      total_phases: 5,
      allowed_tools: expect.arrayContaining(['blast_radius', 'find_references', 'go_to_symbol']),
      forbidden_tools: expect.arrayContaining([
        'apply_edit',
        'preview_edit',
        'rename_symbol',
        'Edit',
        'Write',
      ]),
    });
    expect((await other.call('get_skill_phase')).json).toEqual({ active: false, available_skills: SKILLS });
    await other.call('activate_skill', { skill_name: 'lsp-rename', mode: 'block' });
    const results = await Promise.all(
      [one, other].map(({ call }) => call('blast_radius', { changed_files: ['src/client.fake'] })),
    );
    expect(results.map(({ isError }) => isError)).toEqual([false, false]);
    await one.call('get_diagnostics', { file_path: FILE });
    expect((await one.call('get_skill_phase')).json).toMatchObject({
      active: true,
      skill_name: 'lsp-refactor',
      current_phase: 'speculative_preview',
      phase_index: 1,
      tool_history: ['blast_radius', 'get_diagnostics'],
    });
    expect((await other.call('get_skill_phase')).json).toMatchObject({
      skill_name: 'lsp-rename',
      phase_index: 0,
      tool_history: ['blast_radius'],
    });
    for (const [{ call }, skill] of [
      [one, 'lsp-refactor'],
      [other, 'lsp-rename'],
    ] as const) {
      const { isError, raw } = await call('move_file', {});
      expect(isError).toBe(true);
      const [sentence, violation] = raw.content.map((item) => (item.type === 'text' ? item.text : ''));
      expect(sentence).toMatch(/^Phase violation: move_file .* Recovery: /);
      expect(JSON.parse(violation ?? '')).toMatchObject({
        error: 'phase_violation',
        tool: 'move_file',
        skill,
      });
      expect(raw.structuredContent).toMatchObject({ status: 'error', error_code: 'phase_violation', skill });
    }
  });

  it('are kept before the user is asked for his consent', async () => {
    let asked = 0;
    await using session = await fakeSession(undefined, {
      ...PULLING,
      args: ['--permission', 'ask'],
      client: { capabilities: { elicitation: {} } },
    });
    session.frontEnd.client.setRequestHandler('elicitation/create', async () => {
      asked += 1;
      return { action: 'decline' };
    });
    await session.ask('activate_skill', { skill_name: 'lsp-safe-edit', mode: 'block' });
    expect((await session.call('apply_edit', EDIT)).text).toMatch(/^Phase violation/);
    expect((await session.call('execute_command', { command: 'fake.run' })).text).toMatch(/^Phase violation/);
    expect(asked).toBe(0);
    await session.ask('preview_edit', EDIT);
    expect(await session.ask('apply_edit', { ...EDIT, dry_run: false })).not.toContain('now in');
    expect(asked).toBe(1);
    expect(await session.ask('get_skill_phase')).toContain('phase speculative_preview (2 of 4)');
  });

  it('leave their events in the audit, each with its time', async () => {
    await using session = await fakeSession(undefined, PULLING);
    await session.ask('activate_skill', { skill_name: 'lsp-safe-edit', mode: 'block' });
    await session.call('apply_edit', EDIT);
    await session.ask('preview_edit', EDIT);
    await session.ask('deactivate_skill');
    await session.frontEnd.close();
    const file = path.join(session.workspace.stateDir, 'audit.jsonl');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    const records = lines.map((line): Record<string, unknown> => JSON.parse(line));
    const ofPhases = (target: string) => ({ mode: 'phase_enforcement', target });
    expect(records).toMatchObject([
      { tool: 'activate_skill', success: true, edit_summary: ofPhases('lsp-safe-edit: setup') },
      { tool: 'apply_edit', success: false, error_message: expect.stringMatching(/^Phase violation/) },
      { tool: 'phase_violation', success: false, edit_summary: ofPhases('lsp-safe-edit: setup: apply_edit') },
      { tool: 'preview_edit', success: true },
      {
        tool: 'phase_advance',
        success: true,
        edit_summary: ofPhases('lsp-safe-edit: setup -> speculative_preview'),
      },
      {
        tool: 'deactivate_skill',
        success: true,
        edit_summary: ofPhases('lsp-safe-edit: speculative_preview'),
      },
    ]);
    for (const { timestamp } of records) expect(new Date(String(timestamp)).toISOString()).toBe(timestamp);
  });
});
