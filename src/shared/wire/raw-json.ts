/**
 * A JSON value that stays bytes. Large results pass through the broker as they came from the server:
 * parsing and printing 100 MB again would block everybody for seconds.
 */
export class RawJson {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  parse(): unknown {
    return JSON.parse(this.bytes.toString('utf8'));
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
export function sliceResponse(body: Buffer): RawResponse | undefined {
  const head = body.subarray(0, EDGE_BYTES).toString('latin1');
  const tailStart = Math.max(0, body.length - EDGE_BYTES);
  const tail = body.subarray(tailStart).toString('latin1');
  const idFirst = ID_FIRST.exec(head);
  if (idFirst) {
    const end = OBJECT_END.exec(tail);
    if (!end) return undefined;
    return {
      id: Number(idFirst[1] ?? idFirst[2]),
      result: new RawJson(body.subarray(idFirst[0].length, tailStart + end.index)),
    };
  }
  const resultFirst = RESULT_FIRST.exec(head);
  const idLast = ID_LAST.exec(tail);
  if (!resultFirst || !idLast) return undefined;
  return {
    id: Number(idLast[1]),
    result: new RawJson(body.subarray(resultFirst[0].length, tailStart + idLast.index)),
  };
}
