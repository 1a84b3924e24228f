/** Bytes in the parts in which they arrived. Joining long ones takes time and twice their memory, and few need them joined. */
export type Parts = readonly Buffer[];

export function lengthOf(parts: Parts): number {
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
}

/** The bytes from one place up to another, which need not be there. */
export function cutParts(parts: Parts, from: number, to: number): Parts {
  const kept: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const piece = part.subarray(Math.max(0, from - at), Math.max(0, to - at));
    if (piece.length > 0) kept.push(piece);
    at += part.length;
    if (at >= to) break;
  }
  return kept;
}

export function partsText(parts: Parts, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const [only, ...others] = parts;
  return (only && others.length === 0 ? only : Buffer.concat(parts)).toString(encoding);
}
