/**
 * The one way in which tools change files. An edit is shown and kept under an id, or, where this call may write and
 * nothing speaks against it, applied; then the answer says what that did to errors and warnings.
 */

import type { AbsPath } from '../../../../shared/base/brand.ts';
import type { EditFacts } from '../../../access/audit-facts.ts';
import { notWritten } from '../../../access/permission.ts';
import type { Answer } from '../../../render/answer.ts';
import { keptSentences } from '../../../render/files-left.ts';
import type { Incomplete } from '../../../render/incomplete.ts';
import type { ToolContext } from '../../../tools/context.ts';
import { type DeltaData, deltaData, deltaLines, triedLines } from '../../diagnostics/delta.ts';
import type { DiagnosticDelta } from '../../diagnostics/diagnostic-delta.ts';
import type { FileFindings } from '../../diagnostics/diagnostics.ts';
import type { EffectHints } from '../apply/held-edits.ts';
import type { AppliedUnderId } from '../apply/session-edits.ts';
import { editsOf } from '../apply/session-edits.ts';
import { appliedLines, diffLines, previewLines } from '../text.ts';
import { beforeEdit } from './edit-effect.ts';
import { type EditPlan, isEmpty, type PlannedChange, pathsOf } from './edit-plan.ts';
import { tellRenames } from './file-operations.ts';

export interface Proposal {
  readonly tool: string;
  /** One line for the user, such as `rename stop to halt`. */
  readonly about: string;
  readonly plan: EditPlan;
  /** For the audit; whether it was applied is added. */
  readonly facts: Omit<EditFacts, 'apply'>;
  readonly dryRun?: boolean | undefined;
  /** Why it is shown before it can be applied, whatever was asked for. */
  readonly mustShow?: string | undefined;
  readonly notes?: readonly string[];
  readonly incomplete?: Incomplete | undefined;
  /** More for programs, beside the data. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly hints?: EffectHints;
  /** What it would do to errors, where it was tried out. */
  readonly trial?: EditTrial | undefined;
  /** An edit that is held already, or one that was applied and is taken back; new ones are neither. */
  readonly of?: { readonly kind: 'held' | 'undo'; readonly id: string };
}

export interface EditTrial {
  /** Undefined when it was not learned. */
  readonly effect?: DiagnosticDelta;
  /** How many files it changes that were not looked at. */
  readonly unchecked: number;
  /** What was wrong before, and need not be asked for again. */
  readonly before: readonly FileFindings[];
  /** The server has answered for exactly these texts: it need not be asked again when they are on disk. */
  readonly isSure: boolean;
  /** By the clock of the session. */
  readonly endedAt: number;
}

export interface EditData {
  readonly applied: boolean;
  /** For apply_edit while it is not applied; for its `undo` afterwards. Absent when there is nothing to do or undo. */
  readonly edit_id?: string;
  readonly summary: string;
  readonly files: {
    readonly file: string;
    readonly operation: PlannedChange['kind'];
    readonly new_path?: string;
    readonly edits: number;
  }[];
  /** Unified; of what is not applied. */
  readonly diff?: string;
  /** Of what is not applied: as it was tried out, if it was. */
  readonly diagnostics?: DeltaData;
}

const PREVIEW_DIFF_CHARACTERS = 4_000;

/** For a plan that changes something; what an empty one means, only the tool knows. */
export async function proposeEdit(context: ToolContext, proposal: Proposal): Promise<Answer<EditData>> {
  const { plan, tool, about } = proposal;
  const { permission, roots } = context;
  if (isEmpty(plan)) return nothingToDo(proposal);
  const [confirmation] = plan.confirmations;
  const mustShow = proposal.mustShow ?? (confirmation && !proposal.of ? confirmation.label : undefined);
  if (mustShow !== undefined || (proposal.dryRun ?? permission.defaultDryRun)) {
    const how = permission.mayWrite ? undefined : permission.howToApply;
    return shown(context, proposal, mustShow === undefined ? [] : [`shown first: ${mustShow}`], how);
  }
  const files = pathsOf(plan).map((file) => roots.display(file));
  const consent = await permission.confirmWrite({ tool, summary: about, files });
  if (consent !== 'allowed') return shown(context, proposal, [], notWritten(consent, permission));
  return applied(context, proposal);
}

function nothingToDo({ about, notes = [], incomplete }: Proposal): Answer<EditData> {
  const text = `${about}: nothing to change`;
  return { text, data: { applied: false, summary: text, files: [] }, notes, incomplete };
}

function shown(
  context: ToolContext,
  proposal: Proposal,
  why: readonly string[],
  next: string | undefined,
): Answer<EditData> {
  const { plan, about, notes = [], incomplete, hints, trial } = proposal;
  const { roots, audit } = context;
  const edits = editsOf(context);
  const isHeld = proposal.of?.kind === 'held';
  const held = isHeld ? edits.held.named(proposal.of.id) : edits.hold(plan, about, hints);
  audit.note({ edit: { ...proposal.facts, apply: false }, files: pathsOf(plan) });
  const view = { display: (file: AbsPath) => roots.display(file) };
  const lines = previewLines(held, view);
  return {
    text: [
      `${about}: ${lines[0]}`,
      ...lines.slice(1),
      ...(trial?.effect ? triedLines(trial.effect, trial.unchecked, view.display) : []),
      ...diffLines(plan, view, PREVIEW_DIFF_CHARACTERS),
    ].join('\n'),
    data: {
      applied: false,
      edit_id: held.id,
      summary: `${about}: ${lines[0]}`,
      files: fileData(plan),
      diff: diffLines(plan, view).join('\n'),
      ...(trial?.effect ? { diagnostics: deltaData(trial.effect) } : {}),
    },
    notes: [...why, ...notes],
    incomplete,
    ...(proposal.details ? { details: proposal.details } : {}),
    hint: next ?? `apply_edit with edit_id ${held.id} applies it`,
    hintTells: next,
  };
}

async function applied(context: ToolContext, proposal: Proposal): Promise<Answer<EditData>> {
  const { plan, about, facts, notes = [], incomplete } = proposal;
  const { roots, audit } = context;
  const errorsBefore = await beforeEdit(context, plan, {
    ...proposal.hints,
    ...knownFrom(proposal.trial, context.clock.now()),
  });
  const done = await writeEdit(context, proposal);
  await tellRenames(context, plan);
  const delta = await errorsBefore.compare();
  audit.note({ edit: { ...facts, apply: true }, files: pathsOf(plan), ...countsFor(delta) });
  const view = { display: (file: AbsPath) => roots.display(file) };
  const [first, ...rest] = appliedLines(plan, view);
  const isKnown = delta.compared.length + delta.unknown.length > 0;
  return {
    text: [`${about}: ${first}`, ...rest, ...(isKnown ? deltaLines(delta, view.display) : [])].join('\n'),
    data: {
      applied: true,
      ...(done.undoable ? { edit_id: done.id } : {}),
      summary: `${about}: ${first}`,
      files: fileData(plan),
      ...(isKnown ? { diagnostics: deltaData(delta) } : {}),
    },
    // Asked for last: a program that had a file open when it was replaced has had time to write to it.
    notes: [
      ...notes,
      ...circumstances(done, roots),
      ...errorsBefore.notes,
      ...keptSentences(await editsOf(context).takeUntold()),
    ],
    incomplete,
    hint: done.undoable ? `apply_edit with undo ${done.id} takes it back` : undefined,
    hintTells: `edit_id ${done.id}`,
  };
}

/** The user may have taken time to give permission, and other programs may have written meanwhile. */
const LONGEST_BELIEVED_MS = 2_000;

function knownFrom(trial: EditTrial | undefined, now: number) {
  if (!trial || now - trial.endedAt > LONGEST_BELIEVED_MS) return {};
  return { known: trial.before, foreseen: trial.isSure ? trial.effect : undefined };
}

function writeEdit(context: ToolContext, { plan, about, hints = {}, of }: Proposal): Promise<AppliedUnderId> {
  const edits = editsOf(context);
  const { signal } = context;
  switch (of?.kind) {
    case 'held':
      return edits.apply(of.id, signal);
    case 'undo':
      return edits.undo(of.id, signal);
    case undefined:
      return edits.applyNow({ plan, about, hints }, signal);
  }
}

export function fileData(plan: EditPlan): EditData['files'] {
  return plan.files.map((file) => ({
    file: file.path,
    operation: file.kind,
    ...(file.kind === 'rename' ? { new_path: file.newPath } : {}),
    edits: file.places,
  }));
}

function countsFor(delta: DiagnosticDelta) {
  const { before, after, compared: files } = delta;
  return files.length === 0 ? {} : { before: { ...before, files }, after: { ...after, files } };
}

function circumstances({ unlinked, recovered }: AppliedUnderId, roots: ToolContext['roots']): string[] {
  return [
    ...unlinked.map(
      (file) => `${roots.display(file)} had further names (hard links), which keep the old text`,
    ),
    ...(recovered.length > 0 ? ['an edit that was interrupted earlier was dealt with first'] : []),
  ];
}
