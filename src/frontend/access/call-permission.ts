/** The permission of one call: what the rules say about its tool, and the user where they leave it to him. */
import { counted } from '../../shared/base/counted.ts';
import { fail } from '../../shared/base/failure.ts';
import type { AuditNotes } from './audit-facts.ts';
import { isReaching, type Reaching } from './effect.ts';
import { agreeTo, type Consent, type Permission, refuseWithout, type WriteQuestion } from './permission.ts';
import { type Access, type AccessedTool, refusal } from './tool-access.ts';

export type UserAnswer = 'accepted' | 'declined' | 'cannot-ask';

/** Shows a question to the person behind the session. Fails when the call is cancelled meanwhile. */
export type AskUser = (question: string, signal: AbortSignal) => Promise<UserAnswer>;

export interface CallPermissionOptions {
  readonly tool: Pick<AccessedTool, 'name' | 'effect' | 'beyond' | 'hasPreview'>;
  readonly access: Exclude<Access, { kind: 'refused' }>;
  /** The same for what the tool does for some arguments only. */
  readonly beyond?: Access | undefined;
  /** Undefined when nobody can be asked. */
  readonly askUser: ((question: string) => Promise<UserAnswer>) | undefined;
  /** Where it is recorded what was asked for. */
  readonly audit: AuditNotes;
}

const MOST_FILES_SHOWN = 10;

/**
 * Fails unless the tool may run. One that neither shows what it would do nor says it when it comes to it is asked for before.
 * Decision: docs/decisions/access.md#a-tool-may-ask-first
 */
export async function callPermission(options: CallPermissionOptions): Promise<Permission> {
  const { tool, access, askUser, audit } = options;
  const consentTo = consenting(options);
  const writes = tool.effect === 'write' || tool.effect === 'execute';
  if (access.kind === 'preview') return { ...settled(access), consentTo };
  if (access.kind === 'allowed') return { ...(writes ? settled(access) : READ_ONLY), consentTo };
  if (tool.hasPreview || tool.effect === 'execute') return { ...asking(options), consentTo };
  if (isReaching(tool.effect)) return { ...READ_ONLY, consentTo };
  const answer = (await askUser?.(`agent-lsp: may the tool ${tool.name} be used now?`)) ?? 'cannot-ask';
  audit.note({ access: { effect: tool.effect, consent: answer } });
  const goesAhead = answer === 'accepted' || (answer === 'cannot-ask' && access.ifPossible === true);
  if (!goesAhead) return refuseWithout(answer, tool.name);
  return { ...(writes ? settled({ kind: 'allowed' }) : READ_ONLY), consentTo };
}

/** For what does not write: should it try to, it is not allowed. */
export const READ_ONLY: Permission = {
  ...settled({ kind: 'preview', why: 'read-only' }),
  consentTo: async () =>
    fail({ kind: 'not-permitted', reason: 'only reading is allowed here', next: 'Call the tool for it' }),
};

function consenting(options: CallPermissionOptions): Permission['consentTo'] {
  const { tool, askUser, audit } = options;
  return async (effect, planned) => {
    const { subject, access } = declared(options, effect);
    if (access.kind === 'refused' || access.kind === 'preview') {
      audit.note({ access: { effect, consent: 'refused' } });
      return fail(refusal(subject, effect, access));
    }
    const plan = await planned();
    const asked = async () =>
      (await askUser?.(`agent-lsp: may ${tool.name} do this?\n${plan.summary}`)) ?? 'cannot-ask';
    const consent = access.kind === 'allowed' ? 'allowed' : await asked();
    audit.note({ access: { effect, what: plan.summary, consent } });
    return consent === 'allowed' || consent === 'accepted' ? agreeTo(plan) : refuseWithout(consent, subject);
  };
}

/** A tool that does what its literal does not say is a mistake of ours, and does not get to do it. */
function declared(
  { tool, access, beyond }: CallPermissionOptions,
  effect: Reaching,
): { readonly subject: string; readonly access: Access } {
  if (tool.effect === effect) return { subject: tool.name, access };
  if (tool.beyond?.effect === effect && beyond)
    return { subject: `${tool.name} ${tool.beyond.when}`, access: beyond };
  throw new Error(`${tool.name} does not declare the effect ${effect}`);
}

type WritePermission = Omit<Permission, 'consentTo'>;

function settled(access: Extract<Access, { kind: 'allowed' | 'preview' }>): WritePermission {
  const mayWrite = access.kind === 'allowed';
  return {
    level: mayWrite ? 'write' : 'read',
    mayWrite,
    defaultDryRun: !mayWrite,
    howToApply: mayWrite ? 'Call again with dry_run: false to apply it.' : whyPreview(access.why),
    confirmWrite: async () => (mayWrite ? 'allowed' : 'preview-only'),
  };
}

function asking({ askUser, audit }: CallPermissionOptions): WritePermission {
  const mayWrite = askUser !== undefined;
  return {
    level: 'ask',
    mayWrite,
    defaultDryRun: true,
    howToApply: mayWrite
      ? 'Call again with dry_run: false to apply it; the user will be asked.'
      : 'This is a preview only: changes need the user’s consent, and this client cannot ask for it. Propose the change to the user; agent-lsp --permission write applies without asking.',
    confirmWrite: async (question): Promise<Consent> => {
      const answer = (await askUser?.(questionText(question))) ?? 'cannot-ask';
      audit.note({ access: { effect: 'write', what: question.summary, consent: answer } });
      if (answer === 'cannot-ask') return 'preview-only';
      return answer === 'accepted' ? 'allowed' : 'declined';
    },
  };
}

function whyPreview(why: 'read-only' | 'subagent'): string {
  return why === 'subagent'
    ? 'This is a preview only: a subagent may not change files. Report it to the agent that sent you.'
    : 'This is a preview only: this session may only read. Propose the change to the user; agent-lsp --permission ask or write applies it.';
}

function questionText({ tool, summary, files }: WriteQuestion): string {
  const more = files.length - MOST_FILES_SHOWN;
  return [
    files.length === 0
      ? `agent-lsp: may ${tool} do this?`
      : `agent-lsp: may ${tool} change ${counted(files.length, 'file')}?`,
    summary,
    ...files.slice(0, MOST_FILES_SHOWN).map((file) => `  ${file}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n');
}
