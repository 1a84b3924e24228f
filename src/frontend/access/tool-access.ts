/**
 * Which tools a connection gets. The rules in one place: the most specific one that fits the tool holds (its name, then
 * the longest pattern; among equals the strictest), and where none fits, the level. A subagent's connection and one of
 * level `read` never write, whatever is allowed.
 */
import { type Failure, fail } from '../../shared/base/failure.ts';
import type { PermissionLevel, PermissionRules } from '../../shared/config/choices.ts';
import { nearestWord } from '../../shared/config/nearest.ts';

export interface AccessPolicy {
  readonly permission: PermissionLevel;
  readonly isSubagent: boolean;
  readonly permissionRules: PermissionRules;
}

/** What of a tool its access depends on. */
export interface AccessedTool {
  readonly name: string;
  readonly effect: 'read' | 'preview' | 'write';
  /** It can show what it would write. */
  readonly hasPreview: boolean;
  /** It cannot show beforehand what it does, and asks for consent in its own words. */
  readonly asksItself?: boolean;
  /** It concerns others than this session. */
  readonly isPrivileged: boolean;
}

export type Access =
  | { readonly kind: 'allowed' }
  /** The user decides: before the call, or before something is written if the tool can show what. */
  | { readonly kind: 'ask' }
  /** The tool may run and nothing may be written. */
  | { readonly kind: 'preview'; readonly why: 'read-only' | 'subagent' }
  | { readonly kind: 'refused'; readonly why: 'read-only' | 'subagent' }
  | { readonly kind: 'refused'; readonly why: 'denied'; readonly rule: string };

export function accessTo(tool: AccessedTool, policy: AccessPolicy): Access {
  const rule = strongestRule(tool.name, policy.permissionRules);
  if (rule?.verdict === 'deny') return { kind: 'refused', why: 'denied', rule: rule.pattern };
  const writes = tool.effect === 'write';
  if (policy.isSubagent && (writes || tool.isPrivileged)) return notToWrite(tool, 'subagent');
  if (policy.permission === 'read' && writes) return notToWrite(tool, 'read-only');
  const byLevel = writes && policy.permission === 'ask' ? 'ask' : 'allow';
  return { kind: (rule?.verdict ?? byLevel) === 'ask' ? 'ask' : 'allowed' };
}

/** What a connection is told of: a tool that can only be refused would cost its client words for nothing. */
export function offeredTools<Tool extends AccessedTool>(
  tools: readonly Tool[],
  policy: AccessPolicy,
): readonly Tool[] {
  return tools.filter((tool) => accessTo(tool, policy).kind !== 'refused');
}

/** Why a tool is not to be had, for whoever calls it nevertheless. */
export function refusal(tool: string, access: Extract<Access, { kind: 'refused' }>): Failure {
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
        reason: `${tool} changes files, and this session may only read (permission: read)`,
        next: 'Propose the change to the user; agent-lsp --permission ask or write allows it',
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
    const nearest = nearestWord(odd.replace(/\*$/, ''), names);
    fail({
      kind: 'invalid-input',
      message: `permissions.${verdict}: no tool is called "${odd}"${nearest ? ` (did you mean "${nearest}"?)` : ''}`,
      next: 'Correct the configuration file; agent-lsp call --help lists the tools',
    });
  }
}

function notToWrite(tool: AccessedTool, why: 'read-only' | 'subagent'): Access {
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
