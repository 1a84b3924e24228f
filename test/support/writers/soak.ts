/**
 * Edits of three files while another program writes to the same ones. Every answer is held against the bytes: what it says
 * of the files must be true, and no line of the other program may get lost without an answer that says where it is.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type FrontEnd, startFrontEnd } from '../mcp-client.ts';
import { pick, type Random, seeded } from '../truth/model.ts';
import { createWorkspace, type Workspace } from '../workspace.ts';
import { judge, keptIn, ownLines, type Texts, theirLines } from './judge.ts';

export interface WritersResult {
  readonly edits: number;
  readonly applied: number;
  /** Before a file was written, and while files were written. */
  readonly refused: number;
  readonly collided: number;
  readonly theirLines: number;
  readonly keptFiles: number;
  /** Lines of others that are only in a kept file. */
  readonly onlyKept: number;
  readonly wrong: readonly string[];
  readonly lost: readonly string[];
  readonly ms: number;
}

const NAMES = ['a.ts', 'b.ts', 'c.ts'] as const;
const FILES = `
//- tsconfig.json
{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","target":"es2022"},"include":["*.ts"]}
//- a.ts
export function price0(): number {
  return 1;
}
export const mark = 0;
//- b.ts
import { price0 as price } from './a';
export const total = price();
export const mark = 0;
//- c.ts
import { price0 as price } from './a';
export const double = 2 * price();
export const mark = 0;
`;

interface Edit {
  readonly tool: 'apply_edit' | 'rename_symbol';
  readonly args: Readonly<Record<string, unknown>>;
  readonly wanted: Texts;
}

export async function soakWriters({ edits, seed }: { edits: number; seed: number }): Promise<WritersResult> {
  await using workspace = createWorkspace(FILES);
  await using session = await startFrontEnd({ workspace, args: ['--daemon', 'never'] });
  const soak = new Soak(workspace, session, seeded(seed));
  const writer = startWriter(workspace, seed);
  const began = performance.now();
  await soak.run(edits);
  await writer.stop();
  await soak.settle();
  return { ...soak.result(writer.lines), edits, ms: performance.now() - began };
}

class Soak {
  readonly #workspace: Workspace;
  readonly #session: FrontEnd;
  readonly #random: Random;
  readonly #tally = { applied: 0, refused: 0, collided: 0 };
  readonly #wrong: string[] = [];
  readonly #named = new Set<string>();
  #own: Texts;
  #count = 0;
  #undo: { readonly id: string; readonly own: Texts } | undefined;

  constructor(workspace: Workspace, session: FrontEnd, random: Random) {
    this.#workspace = workspace;
    this.#session = session;
    this.#random = random;
    this.#own = this.#read();
  }

  async run(edits: number): Promise<void> {
    await this.#session.call('get_diagnostics', { file_path: 'a.ts' });
    for (let edit = 0; edit < edits; edit++) await this.#make(this.#repair() ?? this.#draw());
  }

  /** Nobody writes any more: what came in last is told with one more answer. */
  async settle(): Promise<void> {
    await this.#make(this.#text('a.ts'));
  }

  result(lines: readonly string[]): Omit<WritersResult, 'edits' | 'ms'> {
    const inFiles = new Set(Object.values(this.#read()).flatMap(theirLines));
    const kept = [...this.#named].filter((file) => existsSync(file));
    const inKept = new Set(kept.flatMap((file) => theirLines(readFileSync(file, 'utf8'))));
    const elsewhere = lines.filter((line) => !inFiles.has(line));
    return {
      ...this.#tally,
      theirLines: lines.length,
      keptFiles: kept.length,
      onlyKept: elsewhere.filter((line) => inKept.has(line)).length,
      lost: elsewhere.filter((line) => !inKept.has(line)),
      wrong: this.#wrong,
    };
  }

  async #make({ tool, args, wanted }: Edit): Promise<void> {
    const [own, before] = [this.#own, this.#read()];
    const { text, isError } = await this.#session.call(tool, args);
    for (const file of keptIn(text)) this.#named.add(file);
    const after = this.#read();
    const { outcome, wrong } = judge({ text, isError, before, after, own, wanted });
    this.#tally[outcome]++;
    this.#own = Object.fromEntries(Object.entries(after).map(([name, now]) => [name, ownLines(now)]));
    const id = /apply_edit with undo (e\d+)/.exec(text)?.[1];
    this.#undo = outcome === 'applied' && id !== undefined ? { id, own } : undefined;
    for (const each of wrong)
      this.#wrong.push(`${each}; ${tool} ${JSON.stringify(args)} said ${text}; ${JSON.stringify(after)}`);
  }

  #draw(): Edit {
    const chance = this.#random();
    if (this.#undo && chance < 0.15) {
      const { id, own } = this.#undo;
      return { tool: 'apply_edit', args: { undo: id }, wanted: own };
    }
    if (chance < 0.4) return this.#text(pick(NAMES, this.#random));
    return chance < 0.8 ? this.#all() : this.#rename();
  }

  #text(name: string): Edit {
    const [old, next] = [this.#markOf(name), `mark = ${++this.#count};`];
    const wanted = { ...this.#own, [name]: (this.#own[name] ?? '').replace(old, next) };
    return { tool: 'apply_edit', args: { file_path: name, old_text: old, new_text: next }, wanted };
  }

  #all(): Edit {
    const next = `mark = ${++this.#count};`;
    const replaced = (name: string) => (this.#own[name] ?? '').replace(this.#markOf(name), next);
    const changes = NAMES.map((name) => {
      const lines = (this.#own[name] ?? '').split('\n');
      const line = lines.findIndex((each) => each.includes('mark = '));
      const start = { line, character: lines[line]?.indexOf('mark') ?? 0 };
      const range = { start, end: { line, character: lines[line]?.length ?? 0 } };
      return [`file://${this.#workspace.file(name)}`, [{ range, newText: next }]] as const;
    });
    return {
      tool: 'apply_edit',
      args: { workspace_edit: { changes: Object.fromEntries(changes) } },
      wanted: Object.fromEntries(NAMES.map((name) => [name, replaced(name)])),
    };
  }

  #rename(): Edit {
    const [old, next] = [this.#priceOf('a.ts'), `price${++this.#count}`];
    const wanted = NAMES.map((name) => [name, (this.#own[name] ?? '').replace(old, next)] as const);
    return {
      tool: 'rename_symbol',
      args: { file_path: 'a.ts', symbol: old, new_name: next },
      wanted: Object.fromEntries(wanted),
    };
  }

  /** A rename of which a part has stayed is made whole again, by an edit like any other. */
  #repair(): Edit | undefined {
    const name = NAMES.find((each) => this.#priceOf(each) !== this.#priceOf('a.ts'));
    if (name === undefined) return undefined;
    const [old, next] = [this.#priceOf(name), this.#priceOf('a.ts')];
    const wanted = { ...this.#own, [name]: (this.#own[name] ?? '').replace(old, next) };
    return { tool: 'apply_edit', args: { file_path: name, old_text: old, new_text: next }, wanted };
  }

  #markOf(name: string): string {
    return /mark = \d+;/.exec(this.#own[name] ?? '')?.[0] ?? 'no mark';
  }

  #priceOf(name: string): string {
    return /price\d+/.exec(this.#own[name] ?? '')?.[0] ?? 'no price';
  }

  #read(): Texts {
    return Object.fromEntries(NAMES.map((name) => [name, this.#workspace.read(name)]));
  }
}

function startWriter(workspace: Workspace, seed: number): { lines: string[]; stop(): Promise<void> } {
  const script = path.join(import.meta.dirname, 'writer.ts');
  const files = NAMES.map((name) => workspace.file(name));
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', script, String(seed), ...files], {
    cwd: path.resolve(import.meta.dirname, '../../..'),
    env: workspace.env(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let buffered = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (buffered + chunk).split('\n');
    buffered = parts.pop() ?? '';
    lines.push(...parts.map((part) => part.split('\t')[1] ?? ''));
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    lines,
    stop() {
      child.stdin?.end();
      return closed;
    },
  };
}
