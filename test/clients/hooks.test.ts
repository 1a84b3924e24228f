/**
 * Hooks as real clients run them, set up by the examples of the README, with a scripted model in place of a real one:
 * the model is told the error that its edit brought. Cursor is not among them, since no registry has it.
 */
import path from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import {
  DRIVEN_CLIENTS,
  type DrivenClient,
  type DrivenRun,
  drive,
  drivenClient,
  hooksOfReadme,
  patchText,
} from '../support/driven-clients.ts';
import { type ClientForm, clientForm, copilotAsClaude, type Edited } from '../support/hook-inputs.ts';
import { runProgram } from '../support/real-session.ts';
import { type ModelTurn, type ScriptedModel, scriptedModel } from '../support/scripted-model.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const SOURCES = `
//- tsconfig.json
{ "compilerOptions": { "strict": true, "module": "nodenext", "noEmit": true }, "include": ["src"] }
//- src/price.ts
export function price(cents: number): string {
  return String(cents);
}

export const old: number = 'an error of old';
`;
const NEW_ERROR = "2:3 TS2322 Type 'number' is not assignable to type 'string'.";
const OLD_ERROR = /TS2322 Type 'string'/;
const REMINDER = 'loadConfig can be asked for by name';
const ENDS: readonly ModelTurn[] = [{ say: 'Done.' }, { say: 'Done again.' }];
const EVENTS = ['session-start', 'pre-search', 'post-edit', 'turn-end', 'turn-end', 'session-end'];

describe.each(DRIVEN_CLIENTS)('$title $version', (client) => {
  it('tells its model at the end of a turn what the edits brought, and of a better way to search', async (context) => {
    await within(client, context, async ({ workspace, edit, run }) => {
      const turns = [client.search('loadConfig'), ...client.edit(workspace, edit)];
      const { hooks, model, said } = await run([...turns, ...ENDS]);
      expect(hooks.map(({ event }) => event)).toEqual(EVENTS);
      expect(said(REMINDER)).toBe(1);
      expect(said(NEW_ERROR)).toBe(turns.length + 1);
      expect(model.requests.at(-1)?.text).not.toMatch(OLD_ERROR);
      expect(model.requests).toHaveLength(turns.length + ENDS.length);
      expectForms(clientForm(client.name), hooks, edit);
    });
  });

  it('tells its model right after an edit what it brought, and nothing again at the end of the turn', async (context) => {
    await within(client, context, async ({ workspace, edit, run }) => {
      const turns = client.edit(workspace, edit);
      const { model, said } = await run([...turns, ...ENDS], { AGENT_LSP_HOOK_MODE: 'edit_write' });
      expect(said(NEW_ERROR)).toBe(turns.length);
      expect(model.requests).toHaveLength(turns.length + 1);
    });
  });
});

describe.each(['claude', 'copilot'] as const)('a subagent of %s', (name) => {
  it('is told nothing of its edits, and neither is who started it', async (context) => {
    const client = drivenClient(name);
    await within(client, context, async ({ workspace, edit, run }) => {
      const turns = client.delegate?.(client.edit(workspace, edit)) ?? [];
      const { hooks, model, said } = await run([...turns, ...ENDS]);
      expect(said(NEW_ERROR)).toBe(-1);
      expect(model.requests).toHaveLength(turns.length + 1);
      const made = hooks.find(({ event }) => event === 'post-edit');
      const form = clientForm(name).editedBySubagent?.({ root: workspace.root, session: 's' }, edit);
      expect(shapeOf(made?.input)).toMatchObject(shapeOf(form) as object);
    });
  });
});

describe('a subagent of gemini, which does not say that it is one', () => {
  it('is told nothing of its edits, but who started it is at the end of the turn', async (context) => {
    const client = drivenClient('gemini');
    await within(client, context, async ({ workspace, edit, run }) => {
      const turns = client.delegate?.(client.edit(workspace, edit)) ?? [];
      const { model, said } = await run([...turns, ...ENDS]);
      expect(said(NEW_ERROR)).toBeGreaterThan(turns.length);
      expect(said(NEW_ERROR)).toBe(model.requests.length - 1);
    });
  });
});

describe('Codex whose model has no tool for patches', () => {
  it('tells its model what a patch brought that a command has applied', async (context) => {
    await within(drivenClient('codex'), context, async ({ workspace, edit, run }) => {
      const cmd = `apply_patch <<'EOF'\n${patchText(workspace, edit)}EOF\n`;
      const { hooks, said } = await run([{ call: 'exec_command', args: { cmd } }, ...ENDS]);
      // Of such a patch it does not tell afterwards.
      expect(hooks.map(({ event }) => event)).toEqual(EVENTS.filter((event) => event !== 'post-edit'));
      expect(said(NEW_ERROR)).toBe(2);
    });
  });
});

describe('Copilot CLI with the hooks of Claude Code', () => {
  it('tells its model the same as with its own', async (context) => {
    const { title, hooksFile } = drivenClient('claude');
    const client = { ...drivenClient('copilot'), title, hooksFile };
    await within(client, context, async ({ workspace, edit, run }) => {
      const turns = [client.search('loadConfig'), ...client.edit(workspace, edit)];
      const { hooks, said } = await run([...turns, ...ENDS]);
      expect(hooks.map(({ event }) => event)).toEqual(EVENTS);
      expect(said(REMINDER)).toBe(1);
      expect(said(NEW_ERROR)).toBe(turns.length + 1);
      expectForms(copilotAsClaude, hooks, edit);
    });
  });
});

interface World {
  readonly workspace: Workspace;
  readonly edit: Edited;
  run(turns: readonly ModelTurn[], env?: Readonly<Record<string, string>>): Promise<WorldRun>;
}

interface WorldRun extends DrivenRun {
  readonly model: ScriptedModel;
  /** The first request of the client that has a text. */
  said(text: string): number;
}

async function within(
  client: DrivenClient,
  context: TestContext,
  work: (world: World) => Promise<void>,
): Promise<void> {
  const program = await client.fetch(context);
  await using workspace = createWorkspace(SOURCES);
  workspace.write(client.hooksFile, hooksOfReadme(client.title));
  const file = path.join(workspace.root, 'src/price.ts');
  const models: ScriptedModel[] = [];
  try {
    await work({
      workspace,
      edit: { file, before: '  return String(cents);', after: '  return cents;' },
      async run(turns, env) {
        const model = await scriptedModel(turns);
        models.push(model);
        const run = await drive(client, program, { workspace, model }, env);
        expect(run.code, run.printed).toBe(0);
        expect(workspace.read('src/price.ts'), run.printed).toContain('return cents;');
        for (const { event, code, err } of run.hooks)
          expect({ event, code, err }).toEqual({ event, code: '0', err: '' });
        const said = (text: string) => model.requests.findIndex((request) => request.text.includes(text));
        return { ...run, model, said };
      },
    });
  } finally {
    for (const model of models) await model[Symbol.asyncDispose]();
    await runProgram(workspace, 'daemon-stop', '--all', '--now');
  }
  await workspace.expectNothingLeft();
}

/** The inputs that other tests use have nothing that a client does not send, and nothing of another kind. */
function expectForms(form: ClientForm, hooks: DrivenRun['hooks'], edit: Edited): void {
  const at = { root: path.dirname(path.dirname(edit.file)), session: 's' };
  const inputs = {
    'pre-search': form.searched(at, 'loadConfig'),
    'post-edit': form.edited(at, edit),
    'turn-end': form.turnEnded(at),
  };
  for (const [event, input] of Object.entries(inputs)) {
    const sent = hooks.find((hook) => hook.event === event)?.input;
    expect(shapeOf(sent), event).toMatchObject(shapeOf(input) as object);
  }
}

/** The kinds of all values, and the words by which clients are told apart. */
function shapeOf(value: unknown, key = ''): unknown {
  if (/^(?:hook_event_name|tool_?name)$/i.test(key)) return value;
  if (typeof value !== 'object' || value === null) return typeof value;
  if (Array.isArray(value)) return 'array';
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, shapeOf(each, name)]));
}
