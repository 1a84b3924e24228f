/** Errors of the protocol: of a request as a whole, where there is no answer of a tool to say it in. */

export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

/** The SDK sends code and data of whatever is thrown. */
export function protocolError(code: number, message: string, data?: object): Error {
  return Object.assign(new Error(message), { code, ...(data === undefined ? {} : { data }) });
}
