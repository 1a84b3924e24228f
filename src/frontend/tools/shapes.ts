/** Shapes that the data of several tools consists of. Lines and columns start at 1; files are absolute paths. */
import { z } from 'zod';

export const number = z.number().int();

export const place = z.strictObject({
  file: z.string(),
  line: number,
  column: number,
  end_line: number,
  end_column: number,
});

export const diagnostic = z.strictObject({
  line: number,
  column: number,
  end_line: number,
  end_column: number,
  /** 1 error, 2 warning, 3 information, 4 hint. */
  severity: number,
  code: z.string().optional(),
  source: z.string().optional(),
  message: z.string(),
});

/** A diagnostic among those of several files. */
export const placedDiagnostic = z.strictObject({ file: z.string(), ...diagnostic.shape });

/** What a change does to errors and warnings; `unknown` are files that could not be compared. */
const diagnosticDelta = z.strictObject({
  errors_before: number,
  errors_after: number,
  warnings_before: number,
  warnings_after: number,
  net_delta: number,
  introduced: z.array(placedDiagnostic),
  resolved: z.array(placedDiagnostic),
  files_checked: number,
  unknown: z.array(z.string()),
});

/** What trying texts out has shown; `unknown` are files that could not be compared. */
export const evaluation = {
  net_delta: number,
  errors_before: number,
  errors_introduced: z.array(placedDiagnostic),
  errors_resolved: z.array(placedDiagnostic),
  warnings_introduced: z.array(placedDiagnostic),
  unknown: z.array(z.string()),
  files_checked: number,
  scope: z.enum(['file', 'workspace']),
  confidence: z.enum(['high', 'partial', 'eventual', 'low']),
  timeout: z.boolean(),
  duration_ms: number,
};

/** What every tool answers that changes files; `edit_id` is for apply_edit, and for its `undo` once applied. */
export const editOutcome = z.strictObject({
  applied: z.boolean(),
  edit_id: z.string().optional(),
  summary: z.string(),
  files: z.array(
    z.strictObject({
      file: z.string(),
      operation: z.enum(['change', 'create', 'delete', 'rename']),
      new_path: z.string().optional(),
      edits: number,
    }),
  ),
  diff: z.string().optional(),
  diagnostics: diagnosticDelta.optional(),
});

/** A function or type of a hierarchy; `kind` is a word. */
export const hierarchyItem = z.strictObject({
  name: z.string(),
  kind: z.string(),
  file: z.string(),
  line: number,
  column: number,
  container: z.string().optional(),
});

const point = z.strictObject({ line: number, column: number });
const range = z.strictObject({ start: point, end: point });

/** A symbol of a file with those inside it; `kind` is the protocol's number, `kind_name` a kind that it has none for. */
export const symbolNode = z.strictObject({
  name: z.string(),
  detail: z.string().optional(),
  kind: number,
  kind_name: z.string().optional(),
  range,
  selectionRange: range,
  get children() {
    return z.array(symbolNode).optional();
  },
});
