/** Where the channels speak to: the client of the session, as far as its protocol allows. */
import type { AbsPath } from '../../shared/base/brand.ts';
import type { LogLevel } from '../../shared/base/log.ts';

export interface Outlet {
  /** False while the client takes no messages that it did not ask for. */
  readonly takesMessages: boolean;
  /** Only for addresses that were subscribed to. */
  updated(uri: string): void;
  /** A message that nobody asked for; left out where the client does not take any, or none of this level. */
  tell(level: LogLevel, channel: string, data: Readonly<Record<string, unknown>>): void;
}

/** A subscription with its address understood. */
export type Subscription =
  | { readonly kind: 'diagnostics'; readonly uri: string; readonly file: AbsPath | undefined }
  /** Something about a place in a file, which changes with the file. */
  | { readonly kind: 'place'; readonly uri: string; readonly file: AbsPath }
  | { readonly kind: 'references' | 'servers'; readonly uri: string };
