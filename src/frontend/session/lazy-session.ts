/**
 * A session that the first call opens. When the configuration cannot be read, that call fails and the process lives
 * on; the next call reads it again, so the user only has to correct the file. Once read, a configuration stays.
 */
import { type Failure, failureOf } from '../../shared/base/failure.ts';
import type { Config } from '../../shared/config/config.ts';
import type { Session, SessionOptions } from './session.ts';

export type ReadConfig = { readonly config: Config } | { readonly failure: Failure };
export type OpenedSession = { readonly session: Session } | { readonly failure: Failure };

export interface LazySession {
  /** The session if it has been opened already. */
  readonly opened: Session | undefined;
  /** What the session is opened with, for a caller that needs no session yet. */
  config(): Promise<ReadConfig>;
  open(): Promise<OpenedSession>;
  close(): Promise<void>;
}

export function lazySession(
  makeOptions: () => Promise<SessionOptions>,
  onOpened: (session: Session) => void = () => {},
): LazySession {
  let reading: ReturnType<typeof read> | undefined;
  let opening: Promise<OpenedSession> | undefined;
  let opened: Session | undefined;
  const readOnce = () => {
    reading ??= read(makeOptions);
    return reading;
  };
  const config = async (): Promise<ReadConfig> => {
    try {
      return { config: (await readOnce()).config };
    } catch (error) {
      reading = undefined;
      return failed(error);
    }
  };
  const open = async (): Promise<OpenedSession> => {
    try {
      const [{ openSession }, { config, options }] = await Promise.all([import('./session.ts'), readOnce()]);
      const session = await openSession(config, options);
      opened = session;
      onOpened(session);
      return { session };
    } catch (error) {
      reading = undefined;
      opening = undefined;
      return failed(error);
    }
  };
  return {
    get opened() {
      return opened;
    },
    config,
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

async function read(makeOptions: () => Promise<SessionOptions>) {
  const [{ sessionConfig }, options] = await Promise.all([import('./session-config.ts'), makeOptions()]);
  return { options, config: await sessionConfig(options) };
}

function failed(error: unknown): { readonly failure: Failure } {
  const failure = failureOf(error);
  if (failure) return { failure };
  throw error;
}
