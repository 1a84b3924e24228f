/**
 * A JSON value that stays bytes. Large results pass through the broker as they came from the server:
 * parsing and printing 100 MB again would block everybody for seconds.
 * Decision: docs/decisions/base-and-wire.md#large-results-stay-bytes
 */
import { cutParts, lengthOf, type Parts, partsText } from './parts.ts';

export class RawJson {
  readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  get length(): number {
    return lengthOf(this.parts);
  }
}

export interface RawResponse {
  readonly id: number;
  readonly result: RawJson;
}

const ID_FIRST =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d+)|"id"\s*:\s*(\d+)\s*,\s*"jsonrpc"\s*:\s*"2\.0")\s*,\s*"result"\s*:/;
const RESULT_FIRST = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"result"\s*:/;
const ID_LAST = /,\s*"id"\s*:\s*(\d+)\s*\}\s*$/;
const OBJECT_END = /\}\s*$/;
const EDGE_BYTES = 256;

/**
 * Recognises a successful response by its edges, without parsing what lies between them.
 * Any other order of members is undefined here and is parsed the ordinary way.
 */
export function sliceResponse(body: Parts): RawResponse | undefined {
  const length = lengthOf(body);
  const tailStart = Math.max(0, length - EDGE_BYTES);
  const head = partsText(cutParts(body, 0, EDGE_BYTES), 'latin1');
  const tail = partsText(cutParts(body, tailStart, length), 'latin1');
  const idFirst = ID_FIRST.exec(head);
  if (idFirst) {
    const end = OBJECT_END.exec(tail);
    if (!end) return undefined;
    return {
      id: Number(idFirst[1] ?? idFirst[2]),
      result: new RawJson(cutParts(body, idFirst[0].length, tailStart + end.index)),
    };
  }
  const resultFirst = RESULT_FIRST.exec(head);
  const idLast = ID_LAST.exec(tail);
  if (!resultFirst || !idLast) return undefined;
  return {
    id: Number(idLast[1]),
    result: new RawJson(cutParts(body, resultFirst[0].length, tailStart + idLast.index)),
  };
}
