/**
 * A gate is a file whose presence a test controls. Waiting for it needs no clock:
 * the watcher wakes us up, and a slow poll covers what a watcher may miss.
 */
import { existsSync, watch } from 'node:fs';
import { dirname } from 'node:path';

const POLL_MS = 50;

/** Resolves once the file exists (`wanted` true) or is gone (false). */
export function waitForFile(file, wanted) {
  return new Promise((resolve) => {
    let watcher;
    let timer;
    const look = () => {
      if (existsSync(file) !== wanted) return;
      watcher?.close();
      clearInterval(timer);
      resolve();
    };
    timer = setInterval(look, POLL_MS);
    try {
      watcher = watch(dirname(file), look);
      watcher.on('error', () => watcher.close());
    } catch {
      // The directory may not exist yet; then the poll finds the file.
    }
    look();
  });
}
