/**
 * What a rule can make the server do, one function per step.
 * Steps of one message run in order and may wait; other messages are served meanwhile.
 */
import { closeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { brokenFrame } from './framing.mjs';
import { waitForFile } from './gates.mjs';

/** Each gets its argument and the exchange it belongs to: `{ session, life, journal, outlet, reply, over }`. */
const STEPS = {
  /** Waits so many milliseconds. */
  wait: (ms) => pause(ms),
  /** Waits until the file exists. */
  gate: (file) => waitForFile(file, true),
  /** Waits until the file is gone. */
  untilGone: (file) => waitForFile(file, false),

  /** Answers now and goes on with the remaining steps. */
  reply: (_yes, { reply }) => reply.byDefault(),
  result: (result, { reply }) => reply.with({ result }),
  error: (error, { reply }) => reply.with({ error }),
  big: (bytes, { reply }) => reply.big(bytes),
  /** Keeps the client waiting for ever. */
  never: (_yes, { reply }) => reply.withhold(),

  /** Sends a notification as it is. */
  send: ({ method, params }, { session }) => session.notify(method, params),
  /** Sends a request and goes on at once; the answer goes to the journal. */
  ask: ({ method, params }, { session }) => void session.ask(method, params),
  /** Sends a request and waits for its answer. */
  askAndWait: ({ method, params }, { session }) => session.ask(method, params),
  log: (message, { session }) => session.notify('window/logMessage', { type: 3, message }),
  progress: reportProgress,
  publish: (params, { session }) => session.diagnostics.publishNow(params),
  /** Sends so many bytes of log messages before anything else is read. */
  flood: floodWithLogs,
  raw: (text, { outlet }) => outlet.raw(Buffer.from(text)),
  brokenFrame: (kind, { outlet }) => outlet.raw(brokenFrame(kind)),

  stderr: (text, { life }) => life.writeError(text),
  /** An exit code, or the name of a signal the server sends itself. */
  crash: async (how, { life, outlet }) => {
    await outlet.idle();
    life.crash(how);
    await new Promise(() => {});
  },
  /** Stops doing anything at all, with the processor idle or busy. */
  hang: (how) => {
    if (how === 'busy') for (;;);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
  /** Reads nothing until the file exists. */
  pauseReading: async (gate, { life }) => {
    life.pauseReading();
    await waitForFile(gate, true);
    life.resumeReading();
  },
  closeStdout: async (_yes, { outlet }) => {
    await outlet.idle();
    closeSync(1);
  },
  grandchild: (options, { life }) => life.grandchild(options),
};

export const STEP_NAMES = Object.keys(STEPS);

/** Runs the steps until they are done or the exchange is over (its request was cancelled). */
export async function runSteps(steps, exchange) {
  let last;
  for (const step of steps) {
    for (const [name, argument] of Object.entries(step)) {
      if (exchange.over()) return last;
      exchange.journal.append('step', { step: name });
      last = await STEPS[name](argument, exchange);
    }
  }
  return last;
}

async function reportProgress({ token, begin, report, end, percentage, message }, { session }) {
  if (begin !== undefined) {
    await session.ask('window/workDoneProgress/create', { token });
    session.notify('$/progress', { token, value: { kind: 'begin', title: begin, percentage, message } });
  }
  if (report !== undefined)
    session.notify('$/progress', { token, value: { kind: 'report', percentage: report, message } });
  if (end) session.notify('$/progress', { token, value: { kind: 'end', message } });
}

function floodWithLogs(bytes, { session }) {
  const message = 'f'.repeat(8_000);
  for (let sent = 0; sent < bytes; sent += message.length)
    session.notify('window/logMessage', { type: 4, message });
}
