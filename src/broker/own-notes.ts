/** What a broker leaves beside its descriptor: which server process is its own, and why it left. */
import { messageOf } from '../shared/base/failure.ts';
import type { Log } from '../shared/base/log.ts';
import { identifyProcess } from '../shared/process/process-identity.ts';
import { removeServerNote, writeLastExit, writeServerNote } from '../shared/rendezvous/daemon-notes.ts';
import type { DaemonRecord } from '../shared/rendezvous/daemon-record.ts';

type OwnRecord = Omit<DaemonRecord, 'socketPath'>;

/** Without a pid there is no server. */
export function noteServer(directory: string, record: OwnRecord, pid: number | undefined, log: Log): void {
  try {
    const server = pid === undefined ? undefined : identifyProcess(pid);
    const { generation, process: broker } = record;
    if (server) writeServerNote(directory, { generation, broker, process: server });
    else removeServerNote(directory, generation);
  } catch (error) {
    log.warn('could not note the server process', { error: messageOf(error) });
  }
}

export function noteExit(directory: string, record: OwnRecord, reason: string): void {
  const { generation, version, root, language, command } = record;
  const note = { pid: process.pid, generation, version, root, language, command };
  writeLastExit(directory, { reason, at: Date.now(), ...note });
}
