/** Which name is renamed next: any word of any file, and every second time something that a file declares. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { McpProcess } from '../bench/mcp-process.ts';
import type { RenameWorkspace } from './workspaces.ts';

export interface Point {
  readonly line: number;
  readonly column: number;
}

export interface Drawn extends Point {
  readonly file: string;
  readonly name: string;
  /** Where it is declared: two places with the same one are the same symbol. */
  readonly symbol: string;
}

/** Undefined when there is nothing that can be renamed. */
export async function draw(
  { root, files }: RenameWorkspace,
  session: McpProcess,
  random: () => number,
): Promise<Drawn | undefined> {
  const any = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const file = path.join(root, any(files) ?? '');
  const place = random() < 0.5 ? any(await declared(session, file)) : any(wordsIn(file));
  if (!place) return undefined;
  const answer = JSON.parse(await session.call('prepare_rename', { file_path: file, ...place })) as {
    readonly renamable?: boolean;
    readonly placeholder?: string;
    readonly place?: Point;
  };
  if (!answer.renamable || !answer.place || answer.placeholder === undefined) return undefined;
  const { line, column } = answer.place;
  const drawn = { file, line, column, name: answer.placeholder };
  return { ...drawn, symbol: await declarationOf(session, drawn) };
}

/** Lines only: other renames move things along their lines. */
async function declarationOf(session: McpProcess, place: Omit<Drawn, 'symbol'>): Promise<string> {
  const { file, line, column, name } = place;
  const text = await session.call('go_to_definition', { file_path: file, line, column }).catch(() => '[]');
  const [first] = JSON.parse(text) as readonly { readonly file: string; readonly line: number }[];
  return `${first?.file ?? file}:${first?.line ?? line} ${name}`;
}

interface Node {
  readonly selectionRange: { readonly start: Point };
  readonly children?: readonly Node[];
}

async function declared(session: McpProcess, file: string): Promise<readonly Point[]> {
  const nodes = JSON.parse(await session.call('list_symbols', { file_path: file })) as readonly Node[];
  const all = (each: readonly Node[]): Point[] =>
    each.flatMap(({ selectionRange, children = [] }) => [selectionRange.start, ...all(children)]);
  return Array.isArray(nodes) ? all(nodes) : [];
}

function wordsIn(file: string): readonly Point[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu)].map(({ index: at }) => ({
        line: index + 1,
        column: at + 1,
      })),
    );
}

/** Other renames have moved it along its line, or have renamed it already. */
export function onItsLine(drawn: Drawn): Drawn | undefined {
  const text = readFileSync(drawn.file, 'utf8').split('\n')[drawn.line - 1] ?? '';
  const escaped = drawn.name.replace(/[$]/g, '\\$&');
  const columns = [...text.matchAll(new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`, 'g'))].map(
    ({ index }) => index + 1,
  );
  const [nearest] = columns.sort((a, b) => Math.abs(a - drawn.column) - Math.abs(b - drawn.column));
  return nearest === undefined ? undefined : { ...drawn, column: nearest };
}

/** The new name is like no other, so wherever it stands it is the same thing; its own line is never in a string. */
export function placeOf({ root, files }: RenameWorkspace, drawn: Drawn, newName: string): Drawn {
  const bare = newName.replace(/^#/, '');
  const own = readFileSync(drawn.file, 'utf8').split('\n')[drawn.line - 1] ?? '';
  if (own.includes(bare)) return { ...drawn, column: own.indexOf(bare) + 1, name: newName };
  for (const file of [drawn.file, ...files.map((name) => path.join(root, name))]) {
    const lines = readFileSync(file, 'utf8').split('\n');
    const line = lines.findIndex((text) => text.includes(bare));
    if (line >= 0)
      return { ...drawn, file, line: line + 1, column: (lines[line] ?? '').indexOf(bare) + 1, name: newName };
  }
  return drawn;
}

export function shown({ file, line, column }: Drawn): string {
  return `${file.split('/').slice(-2).join('/')}:${line}:${column}`;
}
