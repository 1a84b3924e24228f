/** Shapes that the data of several tools is made of. Lines and columns start at 1, files are absolute paths. */
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

/** A symbol of a file with those inside it; `kind` is the protocol's number. */
export const symbolNode = z.strictObject({
  name: z.string(),
  detail: z.string().optional(),
  kind: number,
  range,
  selectionRange: range,
  get children() {
    return z.array(symbolNode).optional();
  },
});
