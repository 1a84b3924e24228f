/**
 * gopls reads the disk by itself when it loads packages. Here its go command waits for a sign, so that it looks just
 * when a file is not what it was before and is again afterwards, which nobody has told it.
 */
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type FrontEnd, startFrontEnd } from '../support/mcp-client.ts';
import { describeWith } from '../support/requirements.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const MODULE = `
  //- go.mod
  module flicker

  go 1.21
  //- part/part.go
  package part

  func Part() int {
  	return 1
  }
  //- whole/whole.go
  package whole

  import "flicker/part"

  var Whole int = part.Part()
  //- apart/apart.go
  package apart

  var Apart = 0
`;
const PART = 'package part\n\nfunc Part() int {\n\treturn 2\n}\n';
const WHOLE = 'package whole\n\nimport (\n\t"flicker/apart"\n\t"flicker/part"\n)\n\n';

describeWith(['go', 'gopls'], 'diagnostics of Go are of the files as they are', ({ go }) => {
  it.each([
    { how: 'gone', spoil: (workspace: Workspace): void => workspace.remove('part/part.go') },
    { how: 'empty', spoil: (workspace: Workspace): void => void workspace.write('part/part.go', '') },
  ] as const)(
    'after a file was $how just when packages were loaded',
    { timeout: 120_000 },
    async ({ spoil }) => {
      await using workspace = createWorkspace(MODULE);
      const gate = new Gate(workspace, go);
      const session = await startFrontEnd({
        workspace,
        args: ['--output', 'json', '--daemon', 'never'],
        env: { PATH: gate.path },
      });
      expect(await problems(session, workspace, 'whole/whole.go')).toEqual([]);
      expect(await problems(session, workspace, 'apart/apart.go')).toEqual([]);
      gate.close();
      workspace.write('whole/whole.go', `${WHOLE}var Whole int = part.Part() + apart.Apart\n`);
      // Asked about another file, it loads the changed package when it likes to.
      await problems(session, workspace, 'apart/apart.go');
      await until(() => gate.isWaiting);
      spoil(workspace);
      gate.open();
      await busily(workspace, () => gate.isDone);
      // For as long as it takes to read what the command says.
      const since = performance.now();
      await busily(workspace, () => performance.now() - since > 400);
      workspace.write('part/part.go', PART);
      expect(await problems(session, workspace, 'whole/whole.go')).toEqual([]);
      await session.close();
      await workspace.expectNothingLeft();
    },
  );
});

/** A go command whose listing of packages can be held up. */
class Gate {
  readonly path: string;
  readonly #closed: string;
  readonly #waiting: string;
  readonly #done: string;

  constructor(workspace: Workspace, go: string) {
    const inScratch = (name: string) => path.join(workspace.scratch, name);
    this.#closed = inScratch('closed');
    this.#waiting = inScratch('waiting');
    this.#done = inScratch('done');
    const bin = inScratch('bin');
    mkdirSync(bin);
    const command = path.join(bin, 'go');
    writeFileSync(
      command,
      `#!/bin/sh
case "$*" in *-json*) ;; *) exec '${go}' "$@" ;; esac
[ -e '${this.#closed}' ] && : > '${this.#waiting}'
while [ -e '${this.#closed}' ]; do sleep 0.01; done
'${go}' "$@"
code=$?
: > '${this.#done}'
exit $code
`,
    );
    chmodSync(command, 0o755);
    this.path = `${bin}${path.delimiter}${workspace.env().PATH ?? ''}`;
  }

  close(): void {
    writeFileSync(this.#closed, '');
  }

  open(): void {
    rmSync(this.#done, { force: true });
    rmSync(this.#closed);
  }

  get isWaiting(): boolean {
    return existsSync(this.#waiting);
  }

  get isDone(): boolean {
    return existsSync(this.#done);
  }
}

async function problems(session: FrontEnd, workspace: Workspace, file: string): Promise<readonly string[]> {
  const { raw } = await session.call('get_diagnostics', { file_path: file }, { timeoutMs: 60_000 });
  const { data, fresh } = raw.structuredContent as {
    fresh: boolean;
    data: Readonly<Record<string, readonly { message: string }[]>>;
  };
  expect(fresh).toBe(true);
  return (data[workspace.file(file)] ?? []).map(({ message }) => message);
}

/** While files keep changing, nothing of it is told without a question. */
async function busily(workspace: Workspace, isOver: () => boolean): Promise<void> {
  let count = 0;
  await until(() => {
    workspace.write('apart/apart.go', `package apart\n\nvar Apart = ${++count}\n`);
    return isOver();
  });
}

async function until(isOver: () => boolean): Promise<void> {
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 20));
}
