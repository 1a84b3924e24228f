/** Frames out of bytes, however the bytes arrive and however wrong they are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameDecoder, FrameError } from '../../../../src/shared/wire/frame-decoder.ts';
import { partsText } from '../../../../src/shared/wire/parts.ts';

const limits = { headerBytes: 4096, bodyBytes: 1000 };

function frame(body: string, header = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`): Buffer {
  return Buffer.concat([Buffer.from(header), Buffer.from(body)]);
}

function decodeAll(chunks: readonly Buffer[], options: { skip?: boolean } = {}) {
  const bodies: string[] = [];
  const oversize: { length: number; head: string; tail: string }[] = [];
  const decoder = new FrameDecoder(limits, {
    body: (parts) => bodies.push(partsText(parts)),
    ...(options.skip
      ? {
          oversize: (length: number, head: Buffer, tail: Buffer) =>
            oversize.push({ length, head: head.toString(), tail: tail.toString() }),
        }
      : {}),
  });
  for (const chunk of chunks) decoder.push(chunk);
  return { bodies, oversize, whole: decoder.betweenFrames };
}

describe('frame decoder', () => {
  it('gives the same messages wherever the bytes are split', () => {
    const bytes = Buffer.concat([frame('{"a":1}'), frame('{"text":"naïve 😀 café"}'), frame('')]);
    for (let at = 0; at <= bytes.length; at++) {
      const { bodies, whole } = decodeAll([bytes.subarray(0, at), bytes.subarray(at)]);
      expect(bodies).toEqual(['{"a":1}', '{"text":"naïve 😀 café"}', '']);
      expect(whole).toBe(true);
    }
  });

  it('gives the same messages byte by byte', () => {
    const bytes = Buffer.concat([frame('one'), frame('two')]);
    expect(decodeAll([...bytes].map((byte) => Buffer.from([byte]))).bodies).toEqual(['one', 'two']);
  });

  it('holds for any texts in any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 200 })),
        fc.array(fc.nat(400)),
        (texts, cuts) => {
          const bytes = Buffer.concat(texts.map((text) => frame(text)));
          const marks = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort(
            (a, b) => a - b,
          );
          const chunks = marks.slice(1).map((end, index) => bytes.subarray(marks[index], end));
          expect(decodeAll(chunks).bodies).toEqual(texts.map((text) => Buffer.from(text).toString('utf8')));
        },
      ),
    );
  });

  it('accepts lower-case names and further headers', () => {
    const header = 'content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: 2\r\n\r\n';
    expect(decodeAll([frame('{}', header)]).bodies).toEqual(['{}']);
  });

  it.each([
    { what: 'negative', header: 'Content-Length: -5\r\n\r\n' },
    { what: 'not a number', header: 'Content-Length: five\r\n\r\n' },
    { what: 'hexadecimal', header: 'Content-Length: 0x10\r\n\r\n' },
    { what: 'absurd', header: 'Content-Length: 99999999999999999999\r\n\r\n' },
    { what: 'missing', header: 'Content-Type: x\r\n\r\n' },
    { what: 'over the cap', header: 'Content-Length: 1001\r\n\r\n' },
    { what: 'stray text', header: 'hello from a print statement\r\n\r\n' },
  ])('refuses a header that is $what', ({ header }) => {
    expect(() => decodeAll([Buffer.from(header)])).toThrow(FrameError);
  });

  it('refuses a header that never ends instead of collecting it', () => {
    expect(() => decodeAll([Buffer.alloc(5000, 'x')])).toThrow(/no header end/);
  });

  it('knows when a stream ended inside a message', () => {
    expect(decodeAll([frame('{"half":true}').subarray(0, 30)]).whole).toBe(false);
  });

  it('skips an oversize body in any pieces and goes on with the next message', () => {
    const body = `{"jsonrpc":"2.0","id":7,"result":"${'x'.repeat(9000)}","last":1}`;
    const bytes = Buffer.concat([frame('before'), frame(body), frame('after')]);
    for (const size of [1, 7, 4096, bytes.length]) {
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      const { bodies, oversize } = decodeAll(chunks, { skip: true });
      expect(bodies).toEqual(['before', 'after']);
      expect(oversize).toHaveLength(1);
      expect(oversize[0]?.length).toBe(body.length);
      expect(oversize[0]?.head.startsWith('{"jsonrpc":"2.0","id":7')).toBe(true);
      expect(oversize[0]?.tail.endsWith('"last":1}')).toBe(true);
    }
  });
});
