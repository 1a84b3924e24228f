/**
 * Whether a call may change files or reach beyond its roots, as tools see it. A tool that writes shows what it would do
 * while `defaultDryRun` holds and nobody said otherwise, and asks `confirmWrite` right before it touches the disk. What
 * runs programs or widens the session takes an `Agreed` plan, which only `consentTo` gives.
 */
import { fail } from '../../shared/base/failure.ts';
import type { PermissionLevel } from '../../shared/config/choices.ts';
import type { Reaching } from './effect.ts';

/** What is about to be written, in words that the user can judge. */
export interface WriteQuestion {
  readonly tool: string;
  /** One line, e.g. `rename stop to halt: 14 places`. */
  readonly summary: string;
  /** As the user knows them: relative to the root. None when it cannot be said which. */
  readonly files: readonly string[];
}

/** Without `allowed` nothing may be written: the user said no, or there is no way to ask. */
export type Consent = 'allowed' | 'declined' | 'preview-only';

/** Something that a tool is about to do, decided so far that nothing of it is left to be chosen. */
export interface Deed {
  /** One line that the user can judge, e.g. `work in /w/other, too`. */
  readonly summary: string;
}

declare const agreed: unique symbol;

/** A step that the rules or the user allow. Only `agreeTo` makes one, and only call-permission.ts calls it. */
export interface Agreed<Did extends Reaching, Planned extends Deed> {
  readonly plan: Planned;
  readonly [agreed]: Did;
}

export function agreeTo<Did extends Reaching, Planned extends Deed>(plan: Planned): Agreed<Did, Planned> {
  return { plan } as Agreed<Did, Planned>;
}

export interface Permission {
  /** What holds for this tool in this session; the same for all of its calls. */
  readonly level: PermissionLevel;
  /** False when this call cannot write whatever is asked or answered. */
  readonly mayWrite: boolean;
  /** What `dry_run` is when the caller did not say. */
  readonly defaultDryRun: boolean;
  /** The last sentence of a preview: how to apply it, or why that is not possible here. */
  readonly howToApply: string;
  /** Settles when it is known whether to write now; asks the user if need be. The call's deadline waits meanwhile. */
  confirmWrite(question: WriteQuestion): Promise<Consent>;
  /**
   * Gives the plan back as one that may be carried out, or fails with what to do instead. The rules come first: nothing
   * is looked up for who is refused, and nobody is asked about what `plan` fails for.
   */
  consentTo<Did extends Reaching, Planned extends Deed>(
    effect: Did,
    plan: () => Planned | Promise<Planned>,
  ): Promise<Agreed<Did, Planned>>;
}

/** For what cannot be shown instead of done. */
export function refuseWithout(answer: 'declined' | 'cannot-ask', tool: string): never {
  const isDeclined = answer === 'declined';
  return fail({
    kind: 'not-permitted',
    reason: isDeclined
      ? `the user did not agree to ${tool}; nothing was done`
      : `${tool} needs the user's consent, and this client cannot ask for it`,
    next: isDeclined
      ? 'Ask what to do instead before trying again'
      : 'Propose it to the user; agent-lsp --permission write or a rule that allows the tool needs no asking',
  });
}

/** What an answer says that ends without having written. */
export function notWritten(consent: Exclude<Consent, 'allowed'>, permission: Permission): string {
  return consent === 'declined'
    ? 'Nothing was written: the user did not agree. Ask what to change before trying again.'
    : `Nothing was written. ${permission.howToApply}`;
}
