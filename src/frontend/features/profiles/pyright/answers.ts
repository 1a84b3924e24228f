/** What our tools answer, in the fields of the pyright profile: absolute files, lines and columns from 1. */
import { z } from 'zod';
import { counted } from '../../../../shared/base/counted.ts';
import type { Answer, Outcome } from '../../../render/answer.ts';
import { number, place } from '../../../tools/shapes.ts';
import { codeAndProse, hoverParts, NO_HOVER } from './hover-parts.ts';
import type { Unfounded } from './union-face.ts';

const NOT_READY: Unfounded = { unfounded: 'lsp_not_ready' };
/** No file was checked: the path is not one that can be. */
const NOT_CHECKED: Unfounded = { unfounded: 'invalid_path' };

export function hoverAnswer(outcome: Outcome): Outcome {
  return reshaped(outcome, (data) => {
    const parts = typeof data === 'string' ? hoverParts(data) : NO_HOVER;
    const isEmpty = parts === NO_HOVER;
    const summary = isEmpty
      ? 'No information at this position.'
      : `${parts.symbol ?? ''}: ${parts.type ?? ''}`;
    return { summary, data: parts, isEmpty };
  });
}

export function definitionsAnswer(outcome: Outcome): Outcome {
  return reshaped(outcome, (data) => {
    const definitions = z.array(place).parse(data).map(startOf);
    const count = definitions.length;
    return { summary: `Found ${count} definition(s).`, data: { definitions }, isEmpty: count === 0 };
  });
}

export function referencesAnswer(outcome: Outcome): Outcome {
  return reshaped(outcome, (data, { page }) => {
    const references = z.array(place).parse(data).map(startOf);
    const total = page?.total ?? references.length;
    return {
      summary: `Found ${total} reference(s).`,
      data: { references, total, truncated: total > references.length },
      isEmpty: total === 0,
    };
  });
}

const completions = z.looseObject({
  isIncomplete: z.boolean(),
  items: z.array(
    z.looseObject({
      label: z.string(),
      kind: z.string().optional(),
      detail: z.string().optional(),
      documentation: z.string().optional(),
    }),
  ),
});

export function completionsAnswer(outcome: Outcome): Outcome {
  return reshaped(outcome, (data, { page }) => {
    const { isIncomplete, items } = completions.parse(data);
    const total = page?.total ?? items.length;
    return {
      summary: `Found ${total} completion(s).`,
      data: {
        completions: items.map(({ label, kind = null, detail, documentation = '' }) => {
          // Pyright gives the signature as the first part of the documentation.
          const { code, prose } = codeAndProse(documentation);
          return { label, kind, detail: (detail ?? code) || null, documentation: prose || null };
        }),
        total,
        is_incomplete: isIncomplete || total > items.length,
      },
      isEmpty: total === 0,
    };
  });
}

const signatures = z.looseObject({ signatures: z.array(z.looseObject({ label: z.string() })) });

export function signatureAnswer(outcome: Outcome): Outcome {
  return reshaped(outcome, (data) => {
    const known = signatures.parse(data);
    const [first] = known.signatures;
    const summary = first
      ? `${known.signatures.length} signature(s): ${first.label}`
      : 'No call at this position.';
    return { summary, data: known, isEmpty: !first };
  });
}

const check = z.looseObject({
  files_analyzed: number,
  seconds: z.number(),
  error_count: number,
  warning_count: number,
  information_count: number,
  diagnostics: z.array(
    z.looseObject({
      file: z.string(),
      line: number,
      column: number,
      severity: z.string(),
      message: z.string(),
      rule: z.string().optional(),
    }),
  ),
});

export function checkAnswer(outcome: Outcome): Outcome {
  return reshaped(
    outcome,
    (data, { page }) => {
      const { files_analyzed, seconds, error_count, warning_count, information_count, diagnostics } =
        check.parse(data);
      const total = page?.total ?? diagnostics.length;
      const warnings = warning_count === 0 ? '' : `, ${warning_count} warning(s)`;
      return {
        summary: `Analyzed ${counted(files_analyzed, 'file')} in ${seconds.toFixed(2)}s. Found ${error_count} error(s)${warnings}.`,
        data: {
          error_count,
          warning_count,
          information_count,
          files_analyzed,
          time_sec: seconds,
          diagnostics: diagnostics.map(({ file, line, column, severity, message, rule = null }) => ({
            file,
            location: `${line}:${column}`,
            severity,
            message,
            rule,
          })),
          ...(total > diagnostics.length ? { total, truncated: true } : {}),
        },
        isEmpty: files_analyzed === 0,
      };
    },
    NOT_CHECKED,
  );
}

interface Reshaped {
  readonly summary: string;
  readonly data: unknown;
  readonly isEmpty: boolean;
}

/** The rest of an answer stays: why it may not be all, and what is to be known beside it. */
function reshaped(
  outcome: Outcome,
  shape: (data: unknown, answer: Answer) => Reshaped,
  unfounded: Unfounded = NOT_READY,
): Outcome {
  if ('candidates' in outcome) return outcome;
  const { summary, data, isEmpty } = shape(outcome.data, outcome);
  const { incomplete, notes = [] } = outcome;
  return { text: summary, data, incomplete, notes, ...(isEmpty ? { details: { ...unfounded } } : {}) };
}

function startOf({ file, line, column }: z.output<typeof place>) {
  return { file, line, column };
}
