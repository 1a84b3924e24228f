/** The checks as the command that they are: one process for a test file, which is handed planted trees. */
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';

const projectRoot = path.resolve(import.meta.dirname, '../..');

type CheckName = 'architecture' | 'decisions' | 'docs' | 'exports' | 'features' | 'registry' | 'skills';

/** What a check says of a tree, a line each, as it prints them. */
export interface Findings {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/** Starts the process before the first test of the file, and ends it after the last. */
export function useChecks() {
  let started: CheckProcess | undefined;
  beforeAll(() => {
    started = startChecks();
  });
  afterAll(() => started?.end());

  async function findingsOf(check: CheckName, root: string): Promise<Findings> {
    if (!started) throw new Error('the checks run only inside of tests');
    return started.ask(check, root);
  }
  return {
    findingsOf,
    problemsOf: async (check: CheckName, root: string) => (await findingsOf(check, root)).problems,
  };
}

/** Writes the generated documentation of a tree, as `npm run docs` does for this one. */
export function writeDocs(root: string): void {
  const { status, stderr } = spawnSync(process.execPath, [...script('gen-docs.ts'), root], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`gen-docs ended with ${status}: ${stderr}`);
}

interface CheckProcess {
  ask(check: CheckName, root: string): Promise<Findings>;
  end(): Promise<void>;
}

function startChecks(): CheckProcess {
  const child = spawn(process.execPath, script('check-trees.ts'), { cwd: projectRoot });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return {
    async ask(check, root) {
      child.stdin.write(`${check}\t${root}\n`);
      const answer = await lines.next();
      if (answer.done) throw new Error(`the checks ended: ${errors}`);
      return findingsIn(answer.value);
    },
    end() {
      child.stdin.end();
      return ended;
    },
  };
}

function script(name: string): string[] {
  return ['--import', 'tsx', path.join(projectRoot, 'scripts', name)];
}

interface Problem {
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

function findingsIn(line: string): Findings {
  const result: { problems: Problem[]; warnings?: Problem[]; notes?: string[] } = JSON.parse(line);
  const { problems, warnings = [], notes = [] } = result;
  return { problems: problems.map(said), warnings: warnings.map(said), notes };
}

function said({ file, line, message }: Problem): string {
  return `${line === undefined ? file : `${file}:${line}`}  ${message}`;
}
