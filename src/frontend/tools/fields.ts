/** Input fields that tools share. Their descriptions are sent with every tool that has them, so they are short. */
import { z } from 'zod';
import { DEFAULT_LIMIT, MAX_ITEMS } from '../render/budget.ts';

const place = z.number().int().min(1);

export const filePath = z.string().min(1).describe('Absolute or relative to the root');

export const languageId = z.string().min(1).optional().describe('Default: by file name');

/** One way to name a place; see locate.ts for the order in which they count. */
export const target = {
  file_path: filePath.optional().describe('Omit to search by symbol'),
  symbol: z.string().min(1).optional().describe('Client.stop, stop#2'),
  position_pattern: z.string().min(1).optional().describe('Source text with @@ before the name'),
  line_scope_start: place.optional().describe('For position_pattern'),
  line_scope_end: place.optional().describe('For position_pattern'),
  line: place.optional().describe('1-based'),
  column: place.optional().describe('1-based, optional'),
  language_id: languageId,
};

/** For fields that are accepted and cost more tokens in the list than they are worth there; answers speak of them. */
export const UNLISTED = { unlisted: true };

/** The same for tools that agents always see: a line says as much as the scope of a pattern, and a file name as the language. */
export const shortTarget = {
  ...target,
  line_scope_start: target.line_scope_start.meta(UNLISTED),
  line_scope_end: target.line_scope_end.meta(UNLISTED),
  language_id: languageId.meta(UNLISTED),
};

/** The place of a cursor, which is taken as it is; see cursor-place.ts. */
export const cursorPlace = {
  file_path: filePath,
  position_pattern: z.string().min(1).optional().describe('Source text with @@ at the cursor'),
  line: target.line,
  column: place.optional().describe('Default: end of the line'),
  language_id: languageId,
};

/** A part of a file; see spans.ts for what is left out. */
export const span = {
  start_line: place.optional().describe('1-based'),
  start_column: place.optional().describe('Default: 1'),
  end_line: place.optional().describe('Default: start_line'),
  end_column: place.optional().describe('Default: end of the line'),
};

export const limit = z.number().int().min(1).max(MAX_ITEMS).optional().describe(`Default ${DEFAULT_LIMIT}`);

export const cursor = z.string().min(1).optional().describe('From a previous answer');

export const includeHidden = z.boolean().optional().describe('Also in ignored, generated files');

export const dryRun = z.boolean().optional().describe('Only show it');

/** One of these words, however it is capitalized. */
export function anyCase<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.preprocess((given) => (typeof given === 'string' ? given.toLowerCase() : given), z.enum(words));
}
