/**
 * Which tools a connection gets. The rules in one place: the most specific one that fits the tool holds (its name, then
 * the longest pattern; among equals the strictest), and where none fits, the level. A subagent's connection and one of
 * level `read` neither write nor reach beyond their roots, whatever is allowed.
 * Decision: docs/decisions/access.md#effects-decide-what-is-asked-for
 */
import { type Failure, fail } from '../../shared/base/failure.ts';
import { nearNames } from '../../shared/base/near-names.ts';
import type { PermissionLevel, PermissionRules } from '../../shared/config/choices.ts';
import { type BeyondEffect, type Effect, isReaching } from './effect.ts';

export interface AccessPolicy {
  readonly permission: PermissionLevel;
  readonly isSubagent: boolean;
  readonly permissionRules: PermissionRules;
}

/** What of a tool its access depends on. */
export interface AccessedTool {
  readonly name: string;
  readonly effect: Effect;
  /** What it does beside that for some arguments. */
  readonly beyond?: BeyondEffect | undefined;
  /** It can show what it would write. */
  readonly hasPreview: boolean;
  /** It concerns others than this session. */
  readonly isPrivileged: boolean;
  /** Only of what writes nothing: its user is asked for it unless a rule says otherwise. */
  readonly asksFirst?: boolean;
}

export type Access =
  | { readonly kind: 'allowed' }
  /** The user decides: before the call, or when the tool can say what it is about to do. */
  | { readonly kind: 'ask' /** Where nobody can be asked, it goes ahead. */; readonly ifPossible?: true }
  /** The tool may run and nothing may be written. */
  | { readonly kind: 'preview'; readonly why: 'read-only' | 'subagent' }
  | { readonly kind: 'refused'; readonly why: 'read-only' | 'subagent' }
  | { readonly kind: 'refused'; readonly why: 'denied'; readonly rule: string };

export function accessTo(tool: AccessedTool, policy: AccessPolicy): Access {
  const rule = strongestRule(tool.name, policy.permissionRules);
  if (rule?.verdict === 'deny') return { kind: 'refused', why: 'denied', rule: rule.pattern };
  const acts = tool.effect === 'write' || isReaching(tool.effect);
  if (policy.isSubagent && (acts || tool.isPrivileged)) return notToAct(tool, 'subagent');
  if (policy.permission === 'read' && acts) return notToAct(tool, 'read-only');
  if (rule === undefined && tool.asksFirst) return { kind: 'ask', ifPossible: true };
  const byLevel = acts && policy.permission === 'ask' ? 'ask' : 'allow';
  return { kind: (rule?.verdict ?? byLevel) === 'ask' ? 'ask' : 'allowed' };
}

/** What holds for what a tool does for some arguments only; undefined when there is no such thing. */
export function accessBeyond(tool: AccessedTool, policy: AccessPolicy): Access | undefined {
  return tool.beyond && accessTo({ ...tool, effect: tool.beyond.effect }, policy);
}

/** All that a connection can bring about through a tool. */
export function effectsWithin(tool: AccessedTool, policy: AccessPolicy): readonly Effect[] {
  const isShown = accessTo(tool, policy).kind === 'preview';
  const beyond = tool.beyond && accessBeyond(tool, policy)?.kind !== 'refused' ? [tool.beyond.effect] : [];
  return [isShown ? 'preview' : tool.effect, ...beyond];
}

/** What a connection is told of: a tool that can only be refused would cost its client words for nothing. */
export function offeredTools<Tool extends AccessedTool>(
  tools: readonly Tool[],
  policy: AccessPolicy,
): readonly Tool[] {
  return tools.filter((tool) => accessTo(tool, policy).kind !== 'refused');
}

/** Access that does not let a tool do what it is for. */
export type NoAccess = Extract<Access, { kind: 'refused' | 'preview' }>;

/** Why a tool is not to be had, for an agent that calls it nevertheless. `tool` may say for which arguments. */
export function refusal(tool: string, effect: Effect, access: NoAccess): Failure {
  const { does, instead } = DEEDS[effect];
  switch (access.why) {
    case 'denied':
      return {
        kind: 'not-permitted',
        reason: `${tool} is denied by the configuration (permissions.deny: "${access.rule}")`,
        next: 'Do without it, or ask the user to change that',
      };
    case 'read-only':
      return {
        kind: 'not-permitted',
        reason: `${tool} ${does}, and this session may only read (permission: read)`,
        next: `${instead}; agent-lsp --permission ask or write allows it`,
      };
    case 'subagent':
      return {
        kind: 'not-permitted',
        reason: `${tool} is not allowed for a subagent`,
        next: 'Leave it to the agent that sent you: report what should be done',
      };
  }
}

/** A rule that fits no tool is a mistake: what was meant to be denied would be open. Fails when there is one. */
export function checkRules(rules: PermissionRules, tools: readonly { readonly name: string }[]): void {
  const names = tools.map(({ name }) => name);
  for (const verdict of STRICTEST_FIRST) {
    const odd = rules[verdict].find((pattern) => !names.some((name) => fits(name, pattern)));
    if (odd === undefined) continue;
    const [nearest] = nearNames(odd.replace(/\*$/, ''), names);
    fail({
      kind: 'invalid-input',
      message: `permissions.${verdict}: no tool is called "${odd}"${nearest ? ` (did you mean "${nearest}"?)` : ''}`,
      next: 'Correct the configuration file; agent-lsp call --help lists the tools',
    });
  }
}

const CHANGES = { does: 'changes files', instead: 'Propose the change to the user' };

const DEEDS: Readonly<Record<Effect, { readonly does: string; readonly instead: string }>> = {
  read: CHANGES,
  preview: CHANGES,
  write: CHANGES,
  execute: { does: 'runs programs', instead: 'Ask the user to run it' },
  expand: { does: 'reaches beyond the roots', instead: 'Do without it, or ask the user' },
};

function notToAct(tool: AccessedTool, why: 'read-only' | 'subagent'): Access {
  return tool.effect === 'write' && tool.hasPreview ? { kind: 'preview', why } : { kind: 'refused', why };
}

type Verdict = keyof PermissionRules;

const STRICTEST_FIRST: readonly Verdict[] = ['deny', 'ask', 'allow'];

function strongestRule(
  tool: string,
  rules: PermissionRules,
): { readonly verdict: Verdict; readonly pattern: string } | undefined {
  const fitting = STRICTEST_FIRST.flatMap((verdict) =>
    rules[verdict].filter((pattern) => fits(tool, pattern)).map((pattern) => ({ verdict, pattern })),
  );
  // Sorting keeps the order of equals, so that the strictest of them stays first.
  return fitting.sort((a, b) => specificity(b.pattern) - specificity(a.pattern))[0];
}

function fits(tool: string, pattern: string): boolean {
  return pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}

/** A whole name counts for more than any beginning of it. */
function specificity(pattern: string): number {
  return pattern.endsWith('*') ? pattern.length - 1 : Number.POSITIVE_INFINITY;
}
