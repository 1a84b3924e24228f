/**
 * The server as a process: how it ends, what it ignores, and whom it leaves behind.
 */
import { writeSync } from 'node:fs';

/** `reading` can be paused and resumed: standard input, or a connection. */
export class Life {
  #journal;
  #reading;

  constructor(journal, reading) {
    this.#journal = journal;
    this.#reading = reading;
  }

  exit(code) {
    this.#journal.append('exit', { code });
    process.exit(code);
  }

  /** A number is an exit code, a name a signal to ourselves. */
  crash(how) {
    this.#journal.append('crash', { how });
    if (typeof how === 'number') process.exit(how);
    process.kill(process.pid, how);
  }

  writeError(text) {
    writeSync(2, text.endsWith('\n') ? text : `${text}\n`);
  }

  pauseReading() {
    this.#reading.pause();
  }

  resumeReading() {
    this.#reading.resume();
  }

  /** Starts a child that sleeps and ignores every polite signal; `exec` keeps them ignored. */
  async grandchild({ detached = false, holdStdio = false } = {}) {
    const { spawn } = await import('node:child_process');
    const child = spawn('sh', ['-c', 'trap "" TERM INT HUP; exec sleep 3600'], {
      detached,
      stdio: holdStdio ? 'inherit' : 'ignore',
    });
    child.unref();
    this.#journal.append('grandchild', { child: child.pid });
  }
}

/** A connection of a listening server: nobody who merely dials in may stop what others use. */
export class ConnectionLife extends Life {
  #journal;
  #socket;

  constructor(journal, socket) {
    super(journal, socket);
    this.#journal = journal;
    this.#socket = socket;
  }

  exit(code) {
    this.#journal.append('exit', { code });
    this.#socket.end();
  }
}

/** The default is to die of SIGTERM as any process does, but not without a line in the journal. */
export function handleSignals(journal, stubborn) {
  const onTerm = () => {
    journal.append('signal', { signal: 'SIGTERM' });
    if (stubborn) return;
    process.off('SIGTERM', onTerm);
    process.kill(process.pid, 'SIGTERM');
  };
  process.on('SIGTERM', onTerm);
}
