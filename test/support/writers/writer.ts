/**
 * A program that knows nothing of edits and adds lines to files: `node --import tsx writer.ts <seed> <file>...`. Now and then
 * it waits for the moment in which an edit puts its temporary files there, and it does not always write at once to what it
 * has opened. Each line that was written is said on standard output; it ends when its input does.
 */
import { appendFileSync, closeSync, openSync, watch, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isTemporaryFile } from '../../../src/shared/base/temporary-names.ts';
import { pick, seeded } from '../truth/model.ts';

const [seed, ...files] = process.argv.slice(2);
const random = seeded(Number(seed));
let number = 0;
let isOver = false;
let ambush: (() => void) | undefined;

const watcher = watch(path.dirname(files[0] ?? '.'), (_event, name) => {
  if (name !== null && isTemporaryFile(name)) ambush?.();
});
process.stdin.resume().once('end', () => {
  isOver = true;
  ambush?.();
});

while (!isOver) {
  if (random() < 0.7) await edited();
  await delay(random() ** 3 * 60);
  for (let lines = random() < 0.2 ? 4 : 1; lines > 0 && !isOver; lines--) await write(pick(files, random));
}
watcher.close();

/** An edit is under way, or there was none for a while. */
async function edited(): Promise<void> {
  const seen = new Promise<void>((resolve) => {
    ambush = resolve;
  });
  await Promise.race([seen, delay(400, undefined, { ref: false })]);
  ambush = undefined;
}

async function write(file: string): Promise<void> {
  number++;
  const line = `// theirs ${seed}-${number}`;
  if (random() < 0.6) appendFileSync(file, `${line}\n`);
  else {
    const open = openSync(file, 'a');
    await delay(random() * 15);
    writeSync(open, `${line}\n`);
    closeSync(open);
  }
  process.stdout.write(`${path.basename(file)}\t${line}\n`);
}
