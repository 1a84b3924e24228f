/** Which of two versions is newer; only what deciding between two installations of this program needs. */

/** Negative when `a` is older than `b`. A pre-release is older than its release; nonsense is older than anything. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  for (let index = 0; index < 3; index++) {
    const difference = (left.numbers[index] ?? 0) - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.pre.length === 0 || right.pre.length === 0) return right.pre.length - left.pre.length;
  return comparePreReleases(left.pre, right.pre);
}

function parse(version: string): { numbers: number[]; pre: string[] } {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(version.trim());
  if (!match) return { numbers: [-1, -1, -1], pre: [] };
  return { numbers: match.slice(1, 4).map(Number), pre: match[4]?.split('.') ?? [] };
}

function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [left, right] = [a[index], b[index]];
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    if (left === right) continue;
    const numeric = [/^\d+$/.test(left), /^\d+$/.test(right)];
    if (numeric[0] && numeric[1]) return Number(left) - Number(right);
    if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return 0;
}
