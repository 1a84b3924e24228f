/** Handles what a server reports without being asked: diagnostics, progress, log lines and its own status. */
import {
  LogMessageNotification,
  type LogMessageParams,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  ShowMessageNotification,
} from 'vscode-languageserver-protocol';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { DiagnosticsStore } from './diagnostics/diagnostics-store.ts';
import type { Readiness } from './readiness/readiness.ts';

export interface NotificationListener {
  readonly diagnostics: DiagnosticsStore;
  readonly readiness: Readiness;
}

/** A notification that makes no sense is logged; it must not end the connection. */
export function hearServerNotification(
  method: string,
  params: unknown,
  listener: NotificationListener,
  log: Log,
): void {
  try {
    hear(method, params, listener, log);
  } catch (error) {
    log.warn('server notification not understood', { method, error: messageOf(error) });
  }
}

function hear(
  method: string,
  params: unknown,
  { diagnostics, readiness }: NotificationListener,
  log: Log,
): void {
  switch (method) {
    case PublishDiagnosticsNotification.method:
      diagnostics.publish(params as PublishDiagnosticsParams);
      readiness.published(params as PublishDiagnosticsParams);
      return;
    case '$/progress': {
      const { token, value } = params as {
        token: string | number;
        value: Parameters<Readiness['progress']>[1];
      };
      readiness.progress(token, value);
      return;
    }
    case LogMessageNotification.method:
    case ShowMessageNotification.method: {
      const { message } = params as LogMessageParams;
      log.debug('server says', { message });
      readiness.logLine(message);
      return;
    }
    case 'experimental/serverStatus':
    case 'language/status':
      readiness.statusNotification(params as Parameters<Readiness['statusNotification']>[0]);
      return;
  }
}
