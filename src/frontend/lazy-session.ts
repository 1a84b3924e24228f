/**
 * A session that is opened by the first call. A configuration that cannot be read fails that call and not the
 * process, and is read again by the next one: correcting the file is enough.
 */
import { type Failure, failureOf } from '../shared/base/failure.ts';
import type { Session, SessionOptions } from './session.ts';

export type OpenedSession = { readonly session: Session } | { readonly failure: Failure };

export interface LazySession {
  /** The session if it has been opened already. */
  readonly opened: Session | undefined;
  open(): Promise<OpenedSession>;
  close(): Promise<void>;
}

export function lazySession(
  makeOptions: () => Promise<SessionOptions>,
  onOpened: (session: Session) => void = () => {},
): LazySession {
  let opening: Promise<OpenedSession> | undefined;
  let opened: Session | undefined;
  const open = async (): Promise<OpenedSession> => {
    const [{ openSession }, options] = await Promise.all([import('./session.ts'), makeOptions()]);
    try {
      const session = await openSession(options);
      opened = session;
      onOpened(session);
      return { session };
    } catch (error) {
      opening = undefined;
      const failure = failureOf(error);
      if (failure) return { failure };
      throw error;
    }
  };
  return {
    get opened() {
      return opened;
    },
    open: () => {
      opening ??= open();
      return opening;
    },
    close: async () => {
      const last = await opening?.catch(() => undefined);
      if (last && 'session' in last) await last.session.close();
    },
  };
}
