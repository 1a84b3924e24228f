/** Reading a file that is to be written again: what cannot be written back byte for byte must not be read as text. */
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { fail } from '../../../../shared/base/failure.ts';
import { MAX_TEXT_BYTES } from '../../../../shared/base/text-file.ts';
import { type DiskReader, isMissing, reasonOf } from '../apply/edit-disk.ts';
import { type BaseText, baseText } from './edit-plan.ts';

const BINARY_SAMPLE_BYTES = 8000;

/** Fails with what the file is instead of text. */
export async function readBase(file: AbsPath, disk: DiskReader): Promise<BaseText> {
  const entry = await disk.entry(file);
  if (entry === undefined) fail({ kind: 'no-such-file', path: file });
  if (entry.kind === 'directory') fail({ kind: 'not-a-text-file', path: file, reason: 'directory' });
  if (entry.kind !== 'file') fail({ kind: 'not-a-text-file', path: file, reason: 'unreadable' });
  if (entry.size > MAX_TEXT_BYTES) fail({ kind: 'not-a-text-file', path: file, reason: 'too-large' });
  const bytes = await disk.read(file).catch((error: unknown) => {
    if (isMissing(error)) fail({ kind: 'no-such-file', path: file }, { cause: error });
    fail(
      { kind: 'edit-invalid', path: file, reason: `it cannot be read: ${reasonOf(error)}` },
      { cause: error },
    );
  });
  if (bytes.subarray(0, BINARY_SAMPLE_BYTES).includes(0))
    fail({ kind: 'not-a-text-file', path: file, reason: 'binary' });
  const decoded = decode(bytes);
  if (decoded === undefined) fail({ kind: 'edit-invalid', path: file, reason: 'it is not encoded in UTF-8' });
  const bom = decoded.charCodeAt(0) === 0xfeff;
  return baseText(bom ? decoded.slice(1) : decoded, { bom, mode: entry.mode });
}

/** Undefined when there are bytes that a text cannot hold. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
