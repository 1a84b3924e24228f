/** The forms of clients: whose JSON it is, what it says, and the JSON that is answered. */
import { describe, expect, it } from 'vitest';
import { hookClient } from '../../../../../src/frontend/features/hooks/clients.ts';
import type { HookInput } from '../../../../../src/frontend/features/hooks/hook-event.ts';
import { readEvent } from '../../../../../src/frontend/features/hooks/read-event.ts';
import { CLIENT_FORMS, copilotAsClaude } from '../../../../support/hook-inputs.ts';

const at = { root: '/project', session: 's1' };
const edit = { file: '/project/src/a.ts', before: 'const a = 1;\n', after: 'const a = 2;\n' };
const forms = [
  ...CLIENT_FORMS.map((form) => ({ words: form.name, form })),
  { words: 'copilot, in the words of Claude Code', form: copilotAsClaude },
];
const eventOf = (input: object, files: readonly string[] = []) =>
  readEvent(hookClient(input as HookInput), input as HookInput, files);

describe.each(forms)('the JSON of $words', ({ form }) => {
  it('is told from that of the others', () => {
    const inputs = [
      form.edited(at, edit),
      form.created(at, edit.file, edit.after),
      form.searched(at, 'loadConfig'),
      form.turnEnded(at),
    ];
    expect(inputs.map((input) => hookClient(input as HookInput).name)).toEqual(inputs.map(() => form.name));
  });

  it('says which file was edited, by whom, and what stood there', () => {
    const event = eventOf(form.edited(at, edit));
    expect(event).toMatchObject({
      session: 's1',
      directory: '/project',
      isSubagent: false,
      continuations: 0,
    });
    expect(event.changes).toHaveLength(1);
    expect(['/project/src/a.ts', 'src/a.ts']).toContain(event.changes[0]?.path);
    expect(event.changes[0]?.replacements).toEqual([{ before: edit.before, after: edit.after }]);
  });

  it('says that a file is new', () => {
    const [change] = eventOf(form.created(at, '/project/src/new.ts', 'export {};\n')).changes;
    const isMadeOfNothing = change?.replacements[0]?.before === '';
    expect(change?.original === null || isMadeOfNothing).toBe(true);
  });

  it('says what is searched for, and no edit', () => {
    expect(eventOf(form.searched(at, 'loadConfig'))).toMatchObject({ searched: 'loadConfig', changes: [] });
  });

  it('says whether the turn was prolonged before', () => {
    expect([false, true].map((again) => eventOf(form.turnEnded(at, again)).continuations)).toEqual([0, 1]);
  });

  it('gets answers in its own form, and nothing that decides for the user', () => {
    for (const [event, input] of [
      ['post-edit', form.edited(at, edit)],
      ['turn-end', form.turnEnded(at)],
      ['pre-search', form.searched(at, 'loadConfig')],
    ] as const) {
      const answer = hookClient(input as HookInput).answer(event, input as HookInput, {
        toAgent: 'two errors',
      });
      expect(form.told(event, JSON.parse(answer))).toBe('two errors');
      expect(answer).not.toMatch(/permission|"continue"/);
    }
  });

  it('gets nothing, or an empty object, when there is nothing to say', () => {
    const input = form.edited(at, edit) as HookInput;
    expect(['', '{}']).toContain(hookClient(input).answer('post-edit', input, {}));
  });
});

describe('an event', () => {
  it.each(
    forms.flatMap(({ words, form }) =>
      form.editedBySubagent ? [{ words, input: form.editedBySubagent(at, edit) }] : [],
    ),
  )('of $words inside of a subagent is known as such', ({ input }) => {
    expect(eventOf(input).isSubagent).toBe(true);
  });

  it.each([
    { hook_event_name: 'SubagentStop', session_id: 's1', stop_hook_active: false },
    { hook_event_name: 'subagentStop', conversation_id: 's1', workspace_roots: ['/project'] },
  ])('about the end of a subagent is known as such: %o', (input) => {
    expect(eventOf(input).isSubagent).toBe(true);
  });

  it('of a turn that the user broke off is known as such', () => {
    const stopped = { conversation_id: 's1', workspace_roots: ['/project'], hook_event_name: 'stop' };
    expect(eventOf({ ...stopped, status: 'aborted' }).isBrokenOff).toBe(true);
    expect(eventOf({ ...stopped, status: 'completed' }).isBrokenOff).toBe(false);
  });

  it('of no known client has the files of the command line', () => {
    expect(hookClient({}).name).toBe('plain');
    expect(eventOf({}, ['a.ts', 'b.ts']).changes.map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
  });

  it.each([
    {
      what: 'several edits of one file',
      tool_name: 'MultiEdit',
      tool_input: { file_path: '/a', edits: [{ old_string: 'x', new_string: 'y' }] },
      files: ['/a'],
    },
    {
      what: 'a notebook',
      tool_name: 'NotebookEdit',
      tool_input: { notebook_path: '/a.ipynb', new_source: 'x' },
      files: ['/a.ipynb'],
    },
    {
      what: 'a list of files',
      tool_name: 'editFiles',
      tool_input: { files: ['/a.ts', { path: '/b.ts' }], content: '' },
      files: ['/a.ts', '/b.ts'],
    },
    {
      what: 'a tool of no known name that replaces text',
      tool_name: 'mcp__x__edit',
      tool_input: { path: '/a', old_string: '', new_string: 'y' },
      files: ['/a'],
    },
    {
      what: 'arguments that are JSON in a text',
      tool_name: 'edit',
      tool_input: '{"path":"/a","old_str":"x","new_str":"y"}',
      files: ['/a'],
    },
    {
      what: 'a patch that is no argument but all of them',
      tool_name: 'apply_patch',
      tool_input: '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch\n',
      files: ['a.ts'],
    },
    {
      what: 'a tool that only reads',
      tool_name: 'Read',
      tool_input: { file_path: '/a', limit: 3 },
      files: [],
    },
    {
      what: 'fields of other kinds than documented',
      tool_name: 'Edit',
      tool_input: { file_path: 7, edits: 'no', files: [null, 3] },
      files: [],
    },
    { what: 'no arguments', tool_name: 'Edit', tool_input: undefined, files: [] },
  ])('names the files of $what', ({ tool_name, tool_input, files }) => {
    const input = { hook_event_name: 'PostToolUse', session_id: 's1', tool_name, tool_input };
    expect(eventOf(input).changes.map(({ path }) => path)).toEqual(files);
  });

  it('names all files of a patch', () => {
    const command = [
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      '@@ class A',
      ' keep',
      '-old',
      '+new',
      '*** Add File: src/b.ts',
      '+text',
      '*** Delete File: src/c.ts',
      '*** Update File: src/d.ts',
      '*** Move to: src/e.ts',
      '@@',
      '-one',
      '+two',
      '*** End Patch',
    ].join('\n');
    const input = {
      hook_event_name: 'PostToolUse',
      turn_id: 't',
      tool_name: 'apply_patch',
      tool_input: { command },
    };
    expect(eventOf(input).changes).toEqual([
      {
        path: 'src/a.ts',
        original: undefined,
        replacements: [{ before: 'keep\nold\n', after: 'keep\nnew\n' }],
      },
      { path: 'src/b.ts', original: null, replacements: [{ before: '', after: 'text\n' }] },
      { path: 'src/c.ts', original: undefined, replacements: [] },
      { path: 'src/e.ts', original: undefined, replacements: [{ before: 'one\n', after: 'two\n' }] },
    ]);
  });
});

describe('a command of a shell that applies a patch', () => {
  const patch =
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch\nEOF\n";

  it.each([
    { where: 'where it is', before: '', file: 'a.ts' },
    { where: 'in a directory', before: 'cd src && ', file: 'src/a.ts' },
    { where: 'in one with a blank', before: 'cd "my src" && ', file: 'my src/a.ts' },
    { where: 'in one that is named as a whole', before: "cd '/w/src' && ", file: '/w/src/a.ts' },
    { where: 'after other commands', before: 'ls src && ', file: 'a.ts' },
  ])('names its files, and that it has not run yet: $where', ({ before, file }) => {
    const event = eventOf({
      ...{ hook_event_name: 'PreToolUse', turn_id: 't', session_id: 's', cwd: '/w' },
      ...{ tool_name: 'Bash', tool_input: { command: `${before}${patch}` } },
    });
    expect(event.changes.map(({ path }) => path)).toEqual([file]);
    expect(event.isAhead).toBe(true);
  });
});

describe('VS Code', () => {
  it('gets a report where it looks for it', () => {
    const input = {
      hook_event_name: 'PostToolUse',
      session_id: 's1',
      timestamp: '2026-01-01T10:00:00.000Z',
      transcript_path: '/transcript.json',
      cwd: '/project',
      tool_name: 'replace_string_in_file',
      tool_input: { filePath: '/project/a.ts', oldString: 'a', newString: 'b' },
    };
    const client = hookClient(input);
    expect(client.name).toBe('copilot');
    expect(eventOf(input).changes).toEqual([
      { path: '/project/a.ts', original: undefined, replacements: [{ before: 'a', after: 'b' }] },
    ]);
    expect(JSON.parse(client.answer('post-edit', input, { toAgent: 'x' }))).toMatchObject({
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'x' },
    });
  });
});

describe('what stands before a tool', () => {
  it.each([
    {
      name: 'cursor',
      input: {
        hook_event_name: 'preToolUse',
        conversation_id: 'c',
        workspace_roots: ['/w'],
        tool_name: 'Grep',
      },
    },
    {
      name: 'gemini',
      input: { hook_event_name: 'BeforeTool', session_id: 's', timestamp: '', transcript_path: '' },
    },
  ])('is only let pass by $name, which has no place for a text there', ({ name, input }) => {
    const client = hookClient(input as HookInput);
    expect(client.name).toBe(name);
    expect(client.answer('pre-search', input as HookInput, { toAgent: 'x' })).toBe('{}');
  });
});
