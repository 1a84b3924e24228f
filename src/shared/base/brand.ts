/**
 * Strings that are easily confused get a brand, so that a path cannot be passed where a URI is meant.
 * Only the makers in paths.ts produce them.
 */
declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** An absolute path in the platform's own spelling. */
export type AbsPath = Brand<string, 'AbsPath'>;

/** A `file://` URI exactly as sent to language servers. */
export type DocUri = Brand<string, 'DocUri'>;

export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
