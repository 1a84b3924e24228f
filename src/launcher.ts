/**
 * The file that the package installs as its command. It runs the program from the packs beside it, with V8's compiled
 * form of an earlier run, which takes a third off the time to the first answer. Everything about that form is
 * optional: whatever is wrong with it, the program is simply compiled.
 * Decision: docs/decisions/start-and-memory.md#launcher-packs-and-an-early-answer
 * Decision: docs/decisions/start-and-memory.md#modules-of-node-before-the-flags
 * Decision: docs/decisions/start-and-memory.md#resizable-buffers
 */
import { appendFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { type PackContent, type PackParts, partLoader } from './parts.ts';
import { makeDirectories } from './shared/base/directories.ts';
import { systemClock } from './shared/base/lifetime.ts';
import { keepYoungMemorySmall, optimizeLate, readApart } from './shared/base/memory.ts';
import { stateDirectory } from './shared/config/state-dir.ts';
import { currentEnvironment } from './shared/languages/environment.ts';
import { ensurePrivateDirectory, isPrivateDirectory } from './shared/rendezvous/private-directory.ts';

/** Files beside this one, with the parts of the program that are in them; put in by the build. */
declare const PACKS: readonly PackContent[];

interface Pack {
  readonly parts: PackParts;
  /** Keeps the compiled form as it is now, unless what was loaded is already as good. */
  save(extent: Extent): void;
}

/** `started`: what a handshake needs. `warm`: what ordinary work needs; it replaces the other. */
type Extent = 'started' | 'warm';

/** Not while the first calls are being answered; many sessions that start at once save one after another. */
const SAVE_AFTER_MS = 3_000;
const SAVE_APART_MS = 200;
const KEEP_FOR_MS = 30 * 24 * 60 * 60 * 1_000;

/** What nearly every start comes to need of Node. */
const OF_NODE = ['node:child_process', 'node:crypto', 'node:fs/promises', 'node:net', 'node:perf_hooks'];

const requireFromNode = createRequire(__filename);
const role = roleOf(process.argv[2]);
// Most hooks are over before either would pay.
if (role.name !== 'hook') {
  // Node brings its own modules compiled, for V8's usual flags only: later they take three times as long.
  for (const id of OF_NODE) requireFromNode(id);
  keepYoungMemorySmall();
}

const stateDir = stateDirectory(currentEnvironment(__dirname));
const directory = path.join(stateDir, 'code-cache');
const trusted = isPrivateDirectory(directory);
if (role.name !== 'daemon-broker' && role.name !== 'hook') optimizeLate();
const packs = new Map<string, Pack>();

const load = partLoader(PACKS, __filename, (name) => {
  const pack = openPack(name);
  packs.set(name, pack);
  return pack.parts;
});
const { warm } = load('main.js') as { warm?: Promise<void> };
if (role.saves !== 'never') {
  let reached: Extent = 'started';
  const saveAll = () => {
    for (const pack of packs.values()) pack.save(reached);
  };
  const saveSoon = () => {
    if (role.saves === 'soon') systemClock.after(SAVE_AFTER_MS + (process.pid % 16) * SAVE_APART_MS, saveAll);
  };
  saveSoon();
  process.once('exit', saveAll);
  void warm?.then(() => {
    reached = 'warm';
    saveSoon();
  });
}

/**
 * The broker and single calls run other code than a session; commands for people are not worth a file. Saving takes
 * memory that is not given back, and a broker stays for hours: it saves when it leaves.
 */
function roleOf(command: string | undefined): { name: string; saves: 'soon' | 'at exit' | 'never' } {
  if (command === 'daemon-broker') return { name: command, saves: 'at exit' };
  if (command === 'call') return { name: command, saves: 'soon' };
  if (command === 'hook') return { name: command, saves: 'at exit' };
  const isOtherCommand =
    command !== undefined && /^(daemon-|doctor$|skills$|--?(help|h|version|v)$)/.test(command);
  return { name: 'session', saves: isOtherCommand ? 'never' : 'soon' };
}

function openPack(name: string): Pack {
  const source = path.join(__dirname, name);
  const kept = read(name, 'warm') ?? read(name, 'started');
  const script = new vm.Script(readApart(source).toString('latin1'), {
    filename: source,
    cachedData: kept?.data,
  });
  let have = script.cachedDataRejected === true ? undefined : kept?.extent;
  return {
    parts: script.runInThisContext(),
    save: (extent) => {
      if (have === extent || have === 'warm') return;
      have = extent;
      const file = fileFor(name, extent);
      // Many sessions start at once, and one of them is enough.
      if (ageOf(file) > performance.now()) write(file, script);
    },
  };
}

function fileFor(pack: string, extent: Extent): string {
  return path.join(directory, [pack, process.version, process.arch, role.name, `${extent}.bin`].join('-'));
}

/** Only from a directory that nobody else can write to: compiled code is code. */
function read(pack: string, extent: Extent): { extent: Extent; data: Buffer } | undefined {
  try {
    const data = trusted ? intact(readApart(fileFor(pack, extent))) : undefined;
    return data && { extent, data };
  } catch {
    return undefined;
  }
}

/** V8 does not check what it reads, so it is kept twice: comparing is quicker than any digest. */
function intact(twice: Buffer): Buffer | undefined {
  const half = twice.length / 2;
  const data = twice.subarray(0, half);
  return half > 0 && Number.isInteger(half) && data.equals(twice.subarray(half)) ? data : undefined;
}

function write(file: string, script: vm.Script): void {
  try {
    ensurePrivateDirectory(stateDir);
    makeDirectories(directory, 0o700);
    const data = script.createCachedData();
    const unfinished = `${file}.${process.pid}.tmp`;
    writeFileSync(unfinished, data, { mode: 0o600 });
    appendFileSync(unfinished, data);
    renameSync(unfinished, file);
    removeOld();
  } catch {
    // The next start is slower; nothing else depends on it.
  }
}

function removeOld(): void {
  for (const name of readdirSync(directory)) {
    const file = path.join(directory, name);
    if (ageOf(file) > KEEP_FOR_MS) rmSync(file, { force: true });
  }
}

/** Milliseconds since it was written; without end for a file that is not there, or cannot be. */
function ageOf(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
