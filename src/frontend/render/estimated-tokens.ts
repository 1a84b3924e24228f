/** About how many tokens a text costs, by the usual rule of thumb: no model's own count is known here. */

export const ESTIMATED_AS = 'bytes / 4';

export function estimatedTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
