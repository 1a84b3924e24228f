/** Which processes descend from one, as far as the platform tells cheaply. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parseProcStat } from '../shared/process-identity.ts';

/** The pid itself and everything below it. On Windows only the pid itself. */
export async function processTree(
  root: number,
  platform: NodeJS.Platform = process.platform,
): Promise<number[]> {
  const parents = await parentTable(platform);
  const children = new Map<number, number[]>();
  for (const [pid, parent] of parents) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const tree = new Set<number>();
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    if (tree.has(pid)) continue;
    tree.add(pid);
    open.push(...(children.get(pid) ?? []));
  }
  return [...tree];
}

async function parentTable(platform: NodeJS.Platform): Promise<[pid: number, parent: number][]> {
  if (platform === 'linux') return linuxParents();
  if (platform === 'win32') return [];
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='], { timeout: 5000 });
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent] = line.trim().split(/\s+/);
      return [Number(pid), Number(parent)];
    });
}

function linuxParents(): [number, number][] {
  const table: [number, number][] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      table.push([Number(name), parseProcStat(readFileSync(`/proc/${name}/stat`, 'utf8')).parent]);
    } catch {
      // It ended between the listing and the reading.
    }
  }
  return table;
}
