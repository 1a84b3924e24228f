/** The permission of one call: what the rules say about its tool, and the user where they leave it to him. */
import { type Consent, type Permission, refuseWithout, type WriteQuestion } from './permission.ts';
import type { Access, AccessedTool } from './tool-access.ts';

export type UserAnswer = 'accepted' | 'declined' | 'cannot-ask';

/** Shows a question to the person behind the session. Fails when the call is cancelled meanwhile. */
export type AskUser = (question: string, signal: AbortSignal) => Promise<UserAnswer>;

export interface CallPermissionOptions {
  readonly tool: Pick<AccessedTool, 'name' | 'effect' | 'hasPreview' | 'asksItself'>;
  readonly access: Exclude<Access, { kind: 'refused' }>;
  /** Undefined when nobody can be asked. */
  readonly askUser: ((question: string) => Promise<UserAnswer>) | undefined;
}

const MOST_FILES_SHOWN = 10;

/** Fails unless the tool may run; a tool that cannot show what it would do is asked for before it does it. */
export async function callPermission(options: CallPermissionOptions): Promise<Permission> {
  const { tool, access, askUser } = options;
  const writes = tool.effect === 'write';
  if (access.kind === 'preview') return settled(access);
  if (access.kind === 'allowed') return writes ? settled(access) : READ_ONLY;
  if (writes && (tool.hasPreview || tool.asksItself)) return asking(askUser);
  const answer = (await askUser?.(`agent-lsp: may the tool ${tool.name} be used now?`)) ?? 'cannot-ask';
  if (answer === 'accepted') return writes ? settled({ kind: 'allowed' }) : READ_ONLY;
  return refuseWithout(answer, tool.name);
}

/** For what does not write: should it try to, it is not allowed. */
export const READ_ONLY: Permission = settled({ kind: 'preview', why: 'read-only' });

function settled(access: Extract<Access, { kind: 'allowed' | 'preview' }>): Permission {
  const mayWrite = access.kind === 'allowed';
  return {
    level: mayWrite ? 'write' : 'read',
    mayWrite,
    defaultDryRun: !mayWrite,
    howToApply: mayWrite ? 'Call again with dry_run: false to apply it.' : whyPreview(access.why),
    confirmWrite: async () => (mayWrite ? 'allowed' : 'preview-only'),
  };
}

function asking(askUser: CallPermissionOptions['askUser']): Permission {
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
      : `agent-lsp: may ${tool} change ${files.length === 1 ? '1 file' : `${files.length} files`}?`,
    summary,
    ...files.slice(0, MOST_FILES_SHOWN).map((file) => `  ${file}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n');
}
