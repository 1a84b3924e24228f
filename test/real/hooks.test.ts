/** Hooks run as clients run them, against real servers: an edit that breaks something is reported, and nothing else is. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HookEventName } from '../../src/frontend/features/hooks/hook-event.ts';
import {
  CLIENT_FORMS,
  type ClientForm,
  clientForm,
  type HookRunResult,
  runHookCommand,
} from '../support/hook-inputs.ts';
import { type RealWorld, realWorld, sharedServers } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

interface HookLanguage {
  readonly language: string;
  /** A file with an error of old in it, one that uses its `price`, and one that has nothing to do with either. */
  readonly files: string;
  readonly edited: string;
  readonly user: string;
  /** Takes the function away that the other file uses. */
  readonly breaking: readonly [before: string, after: string];
  readonly userError: RegExp;
  readonly oldError: RegExp;
  /** Changes a body and breaks nothing. */
  readonly harmless: readonly [before: string, after: string];
  /** An error in the edited file itself. */
  readonly wrong: readonly [before: string, after: string];
  readonly ownError: RegExp;
}

const TYPESCRIPT: HookLanguage = {
  language: 'typescript',
  files: `
//- tsconfig.json
{ "compilerOptions": { "strict": true, "module": "nodenext", "noEmit": true }, "include": ["src"] }
//- src/price.ts
export function price(cents: number): string {
  return String(cents);
}

export function name(): string {
  return 'a name';
}

export const old: number = 'an error of old';
//- src/shop.ts
import { price } from './price.js';

export const shown = price(3);
//- src/apart.ts
export const apart = 1;
`,
  edited: 'src/price.ts',
  user: 'src/shop.ts',
  breaking: ['export function price(cents', 'export function cost(cents'],
  userError: /^src\/shop\.ts \(not edited\)\n {2}1:10 TS2305 .*no exported member 'price'/m,
  oldError: /TS2322/,
  harmless: ["return 'a name';", "return 'another name';"],
  wrong: ["return 'a name';", 'return 7;'],
  ownError: /^src\/price\.ts\n {2}6:3 TS2322 Type 'number' is not assignable to type 'string'\.$/m,
};

const PYTHON: HookLanguage = {
  language: 'python',
  files: `
//- pyproject.toml
[project]
name = "shop"
version = "1"
//- shop/__init__.py
//- shop/price.py
def price(cents: int) -> str:
    return str(cents)


def name() -> str:
    return "a name"


old: int = "an error of old"
//- shop/shown.py
from shop.price import price

shown = price(3)
`,
  edited: 'shop/price.py',
  user: 'shop/shown.py',
  breaking: ['def price(cents', 'def cost(cents'],
  userError: /^shop\/shown\.py \(not edited\)\n {2}1:24 reportAttributeAccessIssue .*"price" is unknown/m,
  oldError: /reportAssignmentType/,
  harmless: ['return "a name"', 'return "another name"'],
  wrong: ['return "a name"', 'return 7'],
  ownError: /^shop\/price\.py\n {2}6:12 reportReturnType /m,
};

const GO: HookLanguage = {
  language: 'go',
  files: `
//- go.mod
module shop

go 1.19
//- price/price.go
package price

func Price(cents int) int {
	return cents
}

func Name() string {
	return "a name"
}

var Old int = "an error of old"
//- main.go
package main

import "shop/price"

func main() {
	println(price.Price(3))
}
`,
  edited: 'price/price.go',
  user: 'main.go',
  breaking: ['func Price(cents', 'func Cost(cents'],
  userError: /^main\.go \(not edited\)\n {2}6:16 \w+ .*price\.Price/m,
  oldError: /IncompatibleAssign/,
  harmless: ['return "a name"', 'return "another name"'],
  wrong: ['return "a name"', 'return 7'],
  ownError: /^price\/price\.go\n {2}8:9 IncompatibleAssign /m,
};

describe('hooks in a TypeScript project', () => {
  const world = hookWorld(TYPESCRIPT);
  languageCases(world, TYPESCRIPT);

  it.each(CLIENT_FORMS)(
    'are answered to $name in its form, at the end of a turn and right after an edit',
    async (form) => {
      const session = `forms-${form.name}`;
      await world.edit(TYPESCRIPT.wrong, async (edit) => {
        const at = { root: world.root, session };
        const silent = await world.run(['post-edit'], form.edited(at, edit));
        expect(told(form, 'post-edit', silent)).toBeUndefined();
        const end = await world.run(['turn-end'], form.turnEnded(at));
        expect(told(form, 'turn-end', end)).toMatch(/^agent-lsp: the edits of this turn brought 1 error:\n/);
        expect(told(form, 'turn-end', end)).toMatch(TYPESCRIPT.ownError);
        const again = await world.run(['turn-end'], form.turnEnded(at));
        expect(told(form, 'turn-end', again)).toBeUndefined();
        const atOnce = await world.run(['post-edit', '--mode', 'edit_write'], form.edited(at, edit));
        expect(told(form, 'post-edit', atOnce)).toMatch(/^agent-lsp: this edit brought 1 error:\n/);
      });
    },
  );

  it('take all errors of a new file for its own', async () => {
    const form = clientForm('claude');
    const text = 'export const made: string = 1;\n';
    const file = world.write('src/made.ts', text);
    const at = { root: world.root, session: 'made' };
    const run = await world.run(['post-edit', '--mode', 'edit_write'], form.created(at, file, text));
    world.remove('src/made.ts');
    expect(told(form, 'post-edit', run)).toMatch(/brought 1 error:\nsrc\/made\.ts\n {2}1:14 TS2322/);
  });

  it('say of a file whose text before is not known that its errors may be old, and once', async () => {
    const plain = () =>
      world.run(['post-edit', '--mode', 'edit_write', '--root', world.root, TYPESCRIPT.edited]);
    const { out, code } = await plain();
    expect(code).toBe(0);
    expect(out).toMatch(
      /^agent-lsp: 1 error after this edit, not known whether these were there before:\nsrc\/price/,
    );
    expect(out).toMatch(TYPESCRIPT.oldError);
    expect((await plain()).out).toBe('');
  });

  it('compare a patch that a shell applies with the text before it ran, of which alone the client tells', async () => {
    const form = clientForm('codex');
    const at = { root: world.root, session: 'shell' };
    const [before, after] = TYPESCRIPT.wrong;
    const patch = `*** Begin Patch\n*** Update File: price.ts\n@@\n-  ${before}\n+  ${after}\n*** End Patch\n`;
    const command = `cd src && apply_patch <<'EOF'\n${patch}EOF\n`;
    const ahead = { ...form.searched(at, ''), tool_input: { command } };
    expect(await world.run(['pre-search'], ahead)).toEqual({ code: 0, out: '', err: '' });
    await world.edit(TYPESCRIPT.wrong, async () => {
      const end = await world.run(['turn-end'], form.turnEnded(at));
      expect(told(form, 'turn-end', end)).toMatch(/^agent-lsp: the edits of this turn brought 1 error:\n/);
      expect(told(form, 'turn-end', end)).toMatch(TYPESCRIPT.ownError);
    });
    // It was refused: nothing changed, and nothing is said of what was wrong before.
    await world.run(['pre-search'], ahead);
    expect(told(form, 'turn-end', await world.run(['turn-end'], form.turnEnded(at)))).toBeUndefined();
  });

  it('look at 16 files, and say how many more there are', async () => {
    const names = Array.from({ length: 19 }, (_, index) => `src/many/n${String(index).padStart(2, '0')}.ts`);
    const files = names.map((name) => world.write(name, 'export const n: string = 1;\n'));
    await world.run(['post-edit', '--root', world.root, ...files]);
    const env = { AGENT_LSP_HOOK_MAX_TOKENS: '2000' };
    const { out } = await world.run(['turn-end', '--root', world.root, '--client', 'plain'], {}, env);
    world.remove('src/many');
    expect(out).toMatch(/^agent-lsp: 16 errors after the edits of this turn/);
    expect(out).toContain('src/many/n15.ts');
    expect(out).not.toContain('src/many/n16.ts');
    expect(out).toMatch(/not looked at: 3 more edited files\n$/);
  });

  it('say nothing of what is no source of the project, and write nothing into it', async () => {
    const before = readdirSync(world.root, { recursive: true }).sort();
    const form = clientForm('claude');
    const at = { root: world.root, session: 'others' };
    const outside = world.write(
      `${path.dirname(world.root)}/scratch/outside.ts`,
      'export const x: string = 1;\n',
    );
    const notes = world.write('notes.md', '# x\n');
    const bytes = world.write('src/binary.ts', '\0\0\0');
    for (const file of [outside, notes, bytes, `${world.root}/src/gone.ts`, '/nowhere/at/all.ts']) {
      const run = await world.run(
        ['post-edit', '--mode', 'edit_write'],
        form.edited(at, { file, before: 'a', after: 'b' }),
      );
      expect(run, file).toEqual({ code: 0, out: '', err: '' });
    }
    world.remove('notes.md');
    world.remove('src/binary.ts');
    expect(readdirSync(world.root, { recursive: true }).sort()).toEqual(before);
  });
});

describe('hooks in a Python project', () => {
  languageCases(hookWorld(PYTHON), PYTHON);
});

describeWith(['go', 'gopls'], 'hooks in a Go project', () => {
  languageCases(hookWorld(GO), GO);
});

/** The same for every language, in this order on one warm server. */
function languageCases(world: HookWorld, language: HookLanguage): void {
  const form = clientForm('claude');
  const place = (session: string) => ({ root: world.root, session });
  const reportAtOnce = async (session: string, edit: Parameters<ClientForm['edited']>[1]) =>
    told(
      form,
      'post-edit',
      await world.run(['post-edit', '--mode', 'edit_write'], form.edited(place(session), edit)),
    );

  it('start the servers of the project with a session, and keep them', async () => {
    const start = { session_id: 's', cwd: world.root, hook_event_name: 'SessionStart', source: 'startup' };
    expect(await world.run(['session-start'], start)).toEqual({ code: 0, out: '', err: '' });
    const servers = await sharedServers(world.workspace);
    expect(servers.map((server) => [server.language, server.sessions])).toEqual([[language.language, []]]);
  });

  it('report what an edit breaks in another file, and not what was wrong before', async () => {
    await world.edit(language.breaking, async (edit) => {
      const report = await reportAtOnce('breaking', edit);
      expect(report).toMatch(/^agent-lsp: this edit brought 1 error:\n/);
      expect(report).toMatch(language.userError);
      expect(report).not.toMatch(language.oldError);
    });
  });

  it('report what an edit breaks in its own file, and nothing again when it is taken back', async () => {
    await world.edit(language.wrong, async (edit) => {
      const report = await reportAtOnce('wrong', edit);
      expect(report).toMatch(/^agent-lsp: this edit brought 1 error:\n/);
      expect(report).toMatch(language.ownError);
    });
    const [before, after] = language.wrong;
    const back = { file: path.join(world.root, language.edited), before: after, after: before };
    expect(await reportAtOnce('wrong', back)).toBeUndefined();
  });

  it('say nothing of an edit that breaks nothing', async () => {
    await world.edit(language.harmless, async (edit) => {
      expect(await reportAtOnce('harmless', edit)).toBeUndefined();
    });
  });

  it('report once at the end of a turn, of all its edits', async () => {
    const at = place('turn');
    const note = async (edit: Parameters<ClientForm['edited']>[1]) =>
      expect(await world.run(['post-edit'], form.edited(at, edit))).toEqual({ code: 0, out: '', err: '' });
    await world.edit(language.breaking, async (first) => {
      await note(first);
      await world.edit(language.wrong, async (second) => {
        await note(second);
        const report = told(form, 'turn-end', await world.run(['turn-end'], form.turnEnded(at)));
        expect(report).toMatch(/^agent-lsp: the edits of this turn brought 2 errors:\n/);
        expect(report).toMatch(language.ownError);
        expect(report).toMatch(language.userError);
        expect(await world.run(['turn-end'], form.turnEnded(at))).toEqual({ code: 0, out: '', err: '' });
      });
    });
  });
}

/** What reaches the agent; undefined for nothing. Whatever is printed must be in the form of the client. */
function told(form: ClientForm, event: HookEventName, { code, out, err }: HookRunResult): unknown {
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out === '' ? undefined : form.told(event, JSON.parse(out));
}

interface HookWorld {
  readonly root: string;
  readonly workspace: RealWorld['workspace'];
  run(
    args: readonly string[],
    input?: object,
    env?: Readonly<Record<string, string>>,
  ): Promise<HookRunResult>;
  write(name: string, text: string): string;
  remove(name: string): void;
  /** Makes an edit for the time of `work`. */
  edit<T>(
    edit: readonly [before: string, after: string],
    work: (edit: { file: string; before: string; after: string }) => Promise<T>,
  ): Promise<T>;
}

function hookWorld({ files, edited }: HookLanguage): HookWorld {
  let opened: RealWorld | undefined;
  const world = () => opened ?? fail('the world is made before the tests');
  beforeAll(() => {
    opened = realWorld(files);
  });
  afterAll(async () => {
    // What sessions have left is let go of with them; the servers are shared and stay until they are stopped.
    await opened?.end();
    await opened?.[Symbol.asyncDispose]();
    expect(existsSync(world().workspace.root)).toBe(false);
  });
  return {
    get root() {
      return world().workspace.root;
    },
    get workspace() {
      return world().workspace;
    },
    run: (args, input, env) => runHookCommand(world().workspace, args, input, env),
    write: (name, text) => world().workspace.write(name, text),
    remove: (name) => world().workspace.remove(name),
    async edit([before, after], work) {
      world().edit(edited, before, after);
      try {
        return await work({ file: world().workspace.file(edited), before, after });
      } finally {
        world().edit(edited, after, before);
      }
    },
  };
}

function fail(why: string): never {
  throw new Error(why);
}
