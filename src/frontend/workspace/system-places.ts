/** Directories that are no project, even when a user names them: all of a disk or a home, the system's own, and where keys are kept. */
import path from 'node:path';
import type { AbsPath } from '../../shared/base/brand.ts';
import { absolutePath, isInside, realPath } from '../../shared/base/paths.ts';

/** With everything in them. */
const SYSTEM = ['/etc', '/proc', '/sys', '/dev', '/boot', '/run', '/System', '/Library'];
/** Only as a whole: projects are in some of them. */
const WIDE = [
  '/home',
  '/Users',
  '/root',
  '/usr',
  '/var',
  '/tmp',
  '/opt',
  '/mnt',
  '/media',
  '/srv',
  '/private',
];
const KEYS = ['.ssh', '.gnupg', '.aws', '.kube'];

/** What is wrong with a folder, to be read after `it is`; `folder` has its links resolved. Undefined for any other. */
export function systemPlace(folder: AbsPath, home: AbsPath | undefined): string | undefined {
  if (folder === path.parse(folder).root) return 'all of a disk';
  if (home !== undefined) {
    if (folder === home) return 'a home directory';
    if (isInside(home, folder)) return 'above a home directory';
    if (KEYS.some((name) => isInside(folder, path.join(home, name)))) return 'a place for keys';
  }
  const system = [...SYSTEM.map(real), ...windowsPlaces(folder)];
  if (system.some((place) => isInside(folder, place) || isInside(place, folder)))
    return 'a directory of the system';
  return WIDE.some((place) => real(place) === folder) ? 'a directory of the system' : undefined;
}

/** `/etc` is a link on some systems. */
function real(place: string): AbsPath {
  return realPath(absolutePath(place));
}

function windowsPlaces(folder: AbsPath): readonly string[] {
  if (process.platform !== 'win32') return [];
  const { root } = path.parse(folder);
  return ['Windows', 'Program Files', 'Program Files (x86)', 'ProgramData'].map((name) =>
    path.join(root, name),
  );
}
