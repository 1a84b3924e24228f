/** What `structuredContent` of every answer looks like, whole: clients are told its outline only. */
import { z } from 'zod';

/** More keys than these may be there: `details` differ by tool. */
export function envelopeOf(data: z.ZodType): z.ZodObject {
  return z.looseObject({
    status: z.enum(['ok', 'incomplete', 'ambiguous', 'error']),
    data: data.optional(),
    complete: z.boolean().optional(),
    reason: z.string().optional(),
    retry_after_ms: z.number().optional(),
    fresh: z.boolean().optional(),
    total: z.number().int().optional(),
    truncated: z.boolean().optional(),
    next_cursor: z.string().optional(),
    candidates: z.array(z.looseObject({})).optional(),
    error_code: z.string().optional(),
    recoverable: z.boolean().optional(),
    message: z.string().optional(),
  });
}
