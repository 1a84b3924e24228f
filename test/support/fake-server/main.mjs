/**
 * A language server for tests: a real process that does what a scenario says and keeps a journal of it.
 *
 *   node main.mjs [--scenario file] [--journal file] [--listen host:port]
 *
 * The environment variables FAKE_LSP_SCENARIO and FAKE_LSP_JOURNAL do the same; other arguments are ignored.
 * With no scenario it is a well-behaved server. `--listen` with port 0 takes a free port and journals it.
 */
import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Decoder, Outlet } from './framing.mjs';
import { openJournal } from './journal.mjs';
import { ConnectionLife, handleSignals, Life } from './life.mjs';
import { RuleBook, readScenario } from './scenario.mjs';
import { Session } from './session.mjs';

const { values } = parseArgs({
  strict: false,
  options: { scenario: { type: 'string' }, journal: { type: 'string' }, listen: { type: 'string' } },
});
const scenario = readScenario(values.scenario ?? process.env.FAKE_LSP_SCENARIO);
const journal = openJournal(values.journal ?? process.env.FAKE_LSP_JOURNAL ?? scenario.journal);
const rules = new RuleBook(scenario.rules, journal.instance);

journal.append('start', { argv: process.argv.slice(2), cwd: process.cwd(), parent: process.ppid });
handleSignals(journal, scenario.stubborn.includes('SIGTERM'));
await (values.listen === undefined ? serveStdio() : serveTcp(values.listen));

async function serveStdio() {
  const life = new Life(journal, process.stdin);
  const session = new Session({
    scenario,
    journal,
    rules,
    life,
    outlet: new Outlet(writeToStdout, scenario.framing),
  });
  for (let n = 0; n < (scenario.grandchildren.count ?? 0); n++) await life.grandchild(scenario.grandchildren);
  await session.run(rules.stepsFor(['start']));
  receiveFrom(process.stdin, session, () => life.exit(1));
  process.stdin.on('end', () => {
    journal.append('stdin-end');
    if (!scenario.stubborn.includes('stdin')) return life.exit(0);
    setInterval(() => {}, 1 << 30);
  });
}

async function serveTcp(address) {
  const { createServer } = await import('node:net');
  const [host, port] = address.split(':');
  let connections = 0;
  const server = createServer((socket) => {
    const connection = ++connections;
    const own = { ...journal, append: (event, fields) => journal.append(event, { connection, ...fields }) };
    const life = new ConnectionLife(own, socket);
    own.append('connected');
    socket.on('error', (error) => own.append('socket-error', { code: error.code }));
    socket.on('close', () => own.append('disconnected'));
    const outlet = new Outlet((chunk) => writeToSocket(socket, chunk), scenario.framing);
    receiveFrom(socket, new Session({ scenario, journal: own, rules, life, outlet }), () => socket.destroy());
  });
  server.listen(Number(port), host, () => journal.append('listening', { host, port: server.address().port }));
}

function receiveFrom(stream, session, onBadFrame) {
  const decoder = new Decoder();
  stream.on('data', (chunk) => {
    try {
      for (const message of decoder.feed(chunk)) session.receive(message);
    } catch (error) {
      session.journal.append('violation', { rule: 'framing', detail: String(error) });
      onBadFrame();
    }
  });
}

/** Blocks like a server that writes with plain system calls, so that a client that does not read is felt. */
function writeToStdout(chunk) {
  for (let written = 0; written < chunk.length; ) {
    try {
      written += writeSync(1, chunk, written);
    } catch (error) {
      if (error.code !== 'EAGAIN') return void journal.append('write-failed', { code: error.code });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function writeToSocket(socket, chunk) {
  if (socket.destroyed || socket.write(chunk)) return undefined;
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}
