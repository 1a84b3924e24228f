/** The eleven codes of the pyright profile, and which of them says what of our failures. */
import type { Failure } from '../../../../shared/base/failure.ts';

export const ERROR_CODES = [
  'not_found',
  'timeout',
  'parse_error',
  'invalid_path',
  'execution_error',
  'lsp_crash',
  'validation_error',
  'path_not_allowed',
  'cancelled',
  'lsp_error',
  'lsp_not_ready',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Every kind of failure has one, those of writing tools as well: none of them is in this profile. */
export const CODE_OF: Readonly<Record<Failure['kind'], ErrorCode>> = {
  'no-such-file': 'not_found',
  'program-missing': 'not_found',
  'server-missing': 'not_found',

  'outside-roots': 'path_not_allowed',
  'not-a-text-file': 'invalid_path',
  'unknown-language': 'invalid_path',
  'invalid-input': 'validation_error',
  'not-permitted': 'validation_error',

  timeout: 'timeout',
  cancelled: 'cancelled',
  'unreadable-output': 'parse_error',
  'program-failed': 'execution_error',

  'server-crashed': 'lsp_crash',
  'server-failed': 'lsp_crash',
  'connection-lost': 'lsp_crash',
  'still-working': 'lsp_not_ready',
  'server-disabled': 'lsp_not_ready',
  draining: 'lsp_not_ready',
  'broker-unavailable': 'lsp_not_ready',
  overloaded: 'lsp_not_ready',
  'server-error': 'lsp_error',
  unsupported: 'lsp_error',
  'left-out': 'lsp_error',
  'result-too-large': 'lsp_error',

  'base-changed': 'execution_error',
  'write-refused': 'execution_error',
  'edit-invalid': 'execution_error',
  'edit-not-applied': 'execution_error',
  'phase-violation': 'execution_error',
  'speculation-refused': 'execution_error',
};
