/**
 * Finds knots of files that import one another. Each knot is reported once, by its shortest cycle,
 * because that is the edge list a person needs in order to cut it.
 */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Each cycle as a path whose first file is also its last. */
export function findCycles(graph: Graph): string[][] {
  const cycles: string[][] = [];
  for (const knot of knots(graph)) {
    const members = new Set(knot);
    const candidates = knot
      .map((start) => shortestCycle(graph, members, start))
      .filter((cycle) => cycle !== undefined)
      .sort((a, b) => a.length - b.length);
    const shortest = candidates[0];
    if (shortest !== undefined) cycles.push(shortest);
  }
  return cycles;
}

/** Strongly connected components, found from the order in which a search leaves the files and the reversed graph. */
function knots(graph: Graph): string[][] {
  const left: string[] = [];
  const seen = new Set<string>();
  for (const file of graph.keys()) walk(graph, file, seen, (node) => left.push(node));

  const reversed = new Map<string, Set<string>>([...graph.keys()].map((file) => [file, new Set()]));
  for (const [file, targets] of graph) for (const target of targets) reversed.get(target)?.add(file);

  const assigned = new Set<string>();
  const found: string[][] = [];
  for (const file of left.reverse()) {
    const members: string[] = [];
    walk(reversed, file, assigned, (node) => members.push(node));
    if (members.length > 0) found.push(members.sort());
  }
  return found;
}

/** Depth first; calls back when a node is left. */
function walk(graph: Graph, node: string, seen: Set<string>, leave: (node: string) => void): void {
  if (seen.has(node)) return;
  seen.add(node);
  for (const target of graph.get(node) ?? []) if (graph.has(target)) walk(graph, target, seen, leave);
  leave(node);
}

function shortestCycle(graph: Graph, members: ReadonlySet<string>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const target of graph.get(node) ?? []) {
      if (target === start) return [...pathTo(cameFrom, node), start];
      if (!members.has(target) || cameFrom.has(target)) continue;
      cameFrom.set(target, node);
      queue.push(target);
    }
  }
  return undefined;
}

function pathTo(cameFrom: ReadonlyMap<string, string>, node: string): string[] {
  const path = [node];
  for (let at = cameFrom.get(node); at !== undefined; at = cameFrom.get(at)) path.unshift(at);
  return path;
}
