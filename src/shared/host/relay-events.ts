/** Passes on what a server process reports without being asked, to the listeners of the host. */
import type { Listeners } from '../base/lifetime.ts';
import type { LinkEvent } from '../link/server-link.ts';
import type { Turns } from './calls/turns.ts';
import type { ServerInstance } from './server-instance.ts';

export function relayEvents(
  instance: ServerInstance,
  isWoken: boolean,
  turns: Turns,
  events: Listeners<LinkEvent>,
): void {
  // Told now and not when it fell asleep: a listener that asks again because of it would have woken it at once.
  if (isWoken) events.emit({ kind: 'missed' });
  const { diagnostics, watchedFiles } = instance;
  watchedFiles.onFilesChanged((files) => events.emit({ kind: 'files-changed', files }));
  diagnostics.onPublish((file) =>
    turns.tellOutside(instance, file, () => {
      const stored = diagnostics.get(file);
      if (stored) events.emit({ kind: 'diagnostics', file, diagnostics: stored.diagnostics });
    }),
  );
}
