/** Whether a place in a text is code: not in a comment, and in a string only where the string holds code itself. */
import { languageFacts } from '../../../../shared/languages/facts.ts';
import type { TextFacts } from '../../../../shared/languages/text-facts.ts';
import { type MaskedCode, maskCode } from '../../../lexical/code-mask.ts';

export function codePlaces(
  text: string,
  family: string,
  { code, stringStart }: MaskedCode = maskCode(text, family),
): (offset: number) => boolean {
  const { text: look } = languageFacts(family);
  return (offset) => {
    if (code[offset] === text[offset]) return true;
    const start = stringStart(offset);
    return start !== undefined && holdsCode(text, { start, offset }, look);
  };
}

/** Whether the string that begins at `start` has code at the offset. */
function holdsCode(
  text: string,
  { start, offset }: { start: number; offset: number },
  { interpolation, namesBehindDollar }: Pick<TextFacts, 'interpolation' | 'namesBehindDollar'>,
): boolean {
  if (namesBehindDollar && text[offset - 1] === '$') return true;
  if (!interpolation) return false;
  const { open, close, prefix } = interpolation;
  if (prefix && !prefix.test(text.slice(Math.max(0, start - 2), start + 2))) return false;
  const before = text.slice(start, offset);
  return before.lastIndexOf(open) > before.lastIndexOf(close);
}
