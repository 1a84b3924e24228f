/** Failures on the wire: a FailureError travels as error data and comes back as the same FailureError. */
import { ErrorCodes, LSPErrorCodes, ResponseError } from 'vscode-languageserver-protocol';
import { type Failure, FailureError, messageOf } from '../base/failure.ts';
import type { ErrorObject } from './messages.ts';

/** Errors carry the failure as data; LSP errors of the server keep their own code and message. */
const FAILURE_CODE = -32050;
interface FailureData {
  readonly failure: Failure;
}

export function encodeError(error: unknown): ErrorObject {
  if (error instanceof FailureError) {
    const data: FailureData = { failure: error.failure };
    if (error.failure.kind === 'cancelled')
      return { code: LSPErrorCodes.RequestCancelled, message: 'cancelled', data };
    return { code: FAILURE_CODE, message: error.message, data };
  }
  if (error instanceof ResponseError) return error.toJson();
  return { code: ErrorCodes.InternalError, message: messageOf(error) };
}

export function decodeError(error: ErrorObject): Error {
  const { code, data } = error;
  // The data of any other error is the server's own affair, whatever it looks like.
  const isOurs = code === FAILURE_CODE || code === LSPErrorCodes.RequestCancelled;
  if (isOurs && typeof data === 'object' && data !== null && 'failure' in data)
    return new FailureError((data as FailureData).failure);
  return new ResponseError(code, error.message, data);
}

export function methodNotFound(method: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.MethodNotFound, `method not found: ${method}`);
}
