/** The ways of calls that ARCHITECTURE.md shows: a table of rooms from top to bottom, with the files that a call comes to. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Room } from '../rooms.ts';
import type { Problem } from './report.ts';
import { readTextIfThere } from './tree.ts';

const FILE = 'ARCHITECTURE.md';
const HEADING = '## How a call travels';
const ROW = /^\| `([\w/-]+)` \|(.*)\|$/;

/** Files that are not there, rooms that are entered twice, and rooms that lead back up. */
export function wayProblems(root: string, rooms: readonly Room[]): Problem[] {
  const lines = (readTextIfThere(root, FILE) ?? '').split('\n');
  const from = lines.indexOf(HEADING);
  if (from < 0) return [];
  const above: string[] = [];
  const problems: Problem[] = [];
  for (const [at, text] of lines.entries()) {
    if (at > from && text.startsWith('## ')) break;
    const [, name = '', cells = ''] = (at > from && ROW.exec(text)) || [];
    if (name === '') continue;
    const [room, line] = [`src/${name}`, at + 1];
    const isThere = (file: string) => existsSync(join(root, room, `${file}.ts`));
    // A role is no file; all other words in code are.
    const files = [...cells.matchAll(/(?<!role )`([^`]+)`/g)].map(([, file = '']) => file);
    for (const file of files.filter((each) => !isThere(each)))
      problems.push({ file: FILE, line, message: `${room} has no file ${file}.ts` });
    if (above.includes(room)) problems.push({ file: FILE, line, message: `enters ${name} twice` });
    const back = rooms.find(({ path }) => path === room)?.mayImport.filter((door) => above.includes(door));
    for (const door of back ?? [])
      problems.push({ file: FILE, line, message: `${name} leads back up to ${door}` });
    above.push(room);
  }
  return problems;
}
