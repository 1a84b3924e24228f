/** What fixtures answer with: texts, and the smallest image and sound there are. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';

/** One red point. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** No samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

export const IMAGE = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
export const SOUND = { type: 'audio', data: WAV, mimeType: 'audio/wav' } as const;

export function words(text: string) {
  return { type: 'text', text } as const;
}

export function embedded(uri: string, mimeType: string, text: string) {
  return { type: 'resource', resource: { uri, mimeType, text } } as const;
}

export function answer(...content: readonly ContentBlock[]): CallToolResult {
  return { content: [...content] };
}
