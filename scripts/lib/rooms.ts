/** Holds the table of rooms: who lives where, who imports whom, and that no two rooms lead to each other. */
import type { Room } from '../rooms.ts';
import { findCycles } from './import-cycles.ts';
import type { Problem } from './report.ts';
import type { SourceFile } from './source-file.ts';

const TABLE = 'scripts/rooms.ts';

export function roomProblems(
  rooms: readonly Room[],
  sources: readonly SourceFile[],
  targetsOf: (source: SourceFile) => readonly { readonly path: string; readonly line: number }[],
): Problem[] {
  const used = new Map<string, Set<string>>();
  const problems: Problem[] = [];
  for (const source of sources) {
    const own = roomOf(rooms, source.path);
    if (!own) {
      problems.push({
        file: source.path,
        line: undefined,
        message: `belongs to no room: add it to ${TABLE}`,
      });
      continue;
    }
    const doors = used.get(own.path) ?? new Set();
    used.set(own.path, doors);
    for (const { path, line } of targetsOf(source)) {
      const other = roomOf(rooms, path);
      if (!other || other === own) continue;
      doors.add(other.path);
      if (own.mayImport.includes(other.path)) continue;
      const absent = own.absent === undefined ? '' : `; deliberately absent: ${own.absent}`;
      const message = `${own.path} has no door to ${other.path}${absent}`;
      problems.push({ file: source.path, line, message });
    }
  }
  return [...problems, ...tableProblems(rooms, used)];
}

function tableProblems(rooms: readonly Room[], used: ReadonlyMap<string, ReadonlySet<string>>): Problem[] {
  const known = new Set(rooms.map(({ path }) => path));
  const doors = rooms.flatMap(({ path, mayImport }) => mayImport.map((to) => ({ from: path, to })));
  // A part of the tree says nothing about doors that others use.
  const isWhole = rooms.every(({ path }) => used.has(path));
  const say = (message: string): Problem => ({ file: TABLE, line: undefined, message });
  return [
    ...doors.filter(({ to }) => !known.has(to)).map(({ from, to }) => say(`${from}: there is no room ${to}`)),
    ...doors
      .filter(({ from, to }) => isWhole && known.has(to) && !used.get(from)?.has(to))
      .map(({ from, to }) => say(`nobody goes from ${from} to ${to}: take the door out`)),
    ...findCycles(new Map(rooms.map(({ path, mayImport }) => [path, new Set(mayImport)]))).map((cycle) =>
      say(`rooms that lead to each other: ${cycle.join(' → ')}`),
    ),
  ];
}

/** The row with the longest path that the file lies in. */
function roomOf(rooms: readonly Room[], file: string): Room | undefined {
  return rooms
    .filter(({ path }) => file === path || file.startsWith(`${path}/`))
    .reduce<Room | undefined>(
      (best, room) => (best && best.path.length > room.path.length ? best : room),
      undefined,
    );
}
