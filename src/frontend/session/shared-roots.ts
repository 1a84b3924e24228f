/**
 * Whether one server may work in two folders of a session. Both must need the same server with the same settings, and
 * they must not be two checkouts of one project: the server would take a symbol of one for that of the other.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../shared/base/brand.ts';
import { isInside } from '../../shared/base/paths.ts';
import { projectName } from '../../shared/languages/manifests.ts';
import { planKey } from '../../shared/languages/plan.ts';
import type { ServerPlan } from '../../shared/link/server-plan.ts';

/** Why not, or undefined when nothing is against it. */
export function reasonAgainstSharing(first: ServerPlan, other: ServerPlan): string | undefined {
  const [a, b] = [first.root, other.root];
  if (isInside(a, b) || isInside(b, a)) return `it overlaps with ${a}`;
  // An agent that dialled a server has said that it is the one for this language.
  const isSameServer =
    first.server.kind === 'connect' || planKey({ ...first, root: b }) === planKey({ ...other, root: b });
  if (!isSameServer) return `its server or settings differ from those of ${a}`;
  if (isOtherCheckout(a, b)) return `it is another checkout of the project in ${a}`;
  return undefined;
}

function isOtherCheckout(a: AbsPath, b: AbsPath): boolean {
  const [one, two] = [checkoutOf(a), checkoutOf(b)];
  if (one && two && one.top === two.top) return false;
  if (one && two && one.repository === two.repository) return true;
  const name = projectName(a);
  return name !== undefined && name === projectName(b);
}

interface Checkout {
  readonly top: string;
  /** The same for all worktrees of a repository. */
  readonly repository: string;
}

function checkoutOf(directory: string): Checkout | undefined {
  for (let top = directory; ; top = path.dirname(top)) {
    const git = path.join(top, '.git');
    const stat = statSync(git, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return { top, repository: git };
    const pointer = stat && /^gitdir:\s*(.+?)\s*$/m.exec(textOf(git))?.[1];
    if (pointer) {
      const own = path.resolve(top, pointer);
      const isWorktree = path.basename(path.dirname(own)) === 'worktrees';
      return { top, repository: isWorktree ? path.dirname(path.dirname(own)) : own };
    }
    if (top === path.dirname(top)) return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
