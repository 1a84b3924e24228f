/** What a tool does to the world around it: what it may do, and what clients are told of it, follow from this word. */

/** `read` looks, `preview` computes a change, `write` changes files; the others reach further than the files of the roots. */
export type Effect = 'read' | 'preview' | 'write' | Reaching;

/** `execute` runs what the project or a server brings; `expand` takes in another folder, or a server elsewhere. */
export type Reaching = 'execute' | 'expand';

/** What a tool does only for some of its arguments. */
export interface BeyondEffect {
  readonly effect: Reaching;
  /** Which arguments, to be read after the name of the tool: `with connect`. */
  readonly when: string;
}

export function isReaching(effect: Effect): effect is Reaching {
  return effect === 'execute' || effect === 'expand';
}

/** The hints of MCP. They are made for what a connection may do at most: a hint that says less than happens would be a lie. */
export function hintsFor(
  effects: readonly Effect[],
  { changesSession }: { readonly changesSession: boolean },
): Record<string, boolean> {
  const has = (...some: readonly Effect[]) => some.some((effect) => effects.includes(effect));
  const openWorldHint = has('execute', 'expand');
  if (!changesSession && !has('write', 'execute', 'expand')) return { readOnlyHint: true, openWorldHint };
  const destructiveHint = has('write', 'execute');
  const hints = { readOnlyHint: false, destructiveHint, openWorldHint };
  // Clients take a tool without `idempotentHint` for one that must not be repeated, so these need no `false`.
  return destructiveHint ? hints : { ...hints, idempotentHint: true };
}
