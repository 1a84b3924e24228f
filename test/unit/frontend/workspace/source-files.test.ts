import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maskCode } from '../../../../src/frontend/lexical/code-mask.ts';
import { SourceFiles } from '../../../../src/frontend/workspace/source-files.ts';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import { textStamp } from '../../../../src/shared/base/text-file.ts';
import { until } from '../../../support/events.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'source-files-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Old enough that a stamp tells its texts apart. */
async function file(name: string, text: string) {
  const written = absolutePath(path.join(directory, name));
  writeFileSync(written, text);
  await until(() => textStamp(written).settled, { what: 'a stamp that is settled' });
  return written;
}

describe('source files', () => {
  it('are kept as long as they are what they were', async () => {
    const files = new SourceFiles();
    const one = await file('one.ts', 'const one = 1;\n');
    const first = await files.read(one);
    expect(await files.read(one)).toBe(first);
    writeFileSync(one, 'const one = 2;\n');
    utimesSync(one, 1, 1);
    expect((await files.read(one)).text).toBe('const one = 2;\n');
  });

  it('give way to others in the order in which they were wanted last', async () => {
    const names = ['a.ts', 'b.ts', 'c.ts'];
    const [a, b, c] = await Promise.all(names.map((name) => file(name, `// ${name}\n`)));
    if (!a || !b || !c) throw new Error('a file is missing');
    for (const bounds of [
      { files: 2, characters: 1_000 },
      { files: 10, characters: 20 },
    ]) {
      const files = new SourceFiles(bounds);
      const [ofA, ofB] = [await files.read(a), await files.read(b)];
      // Wanted again, and by a way of its own.
      await files.readAll([a]);
      await files.read(c);
      expect(await files.read(a)).toBe(ofA);
      expect(await files.read(b)).not.toBe(ofB);
    }
  });

  it('have their code worked out once for each text and language', async () => {
    const files = new SourceFiles();
    const one = await file('code.ts', 'stop(); // stop\n');
    const source = await files.read(one);
    const masked = files.derived(maskCode, source, 'typescript');
    expect(masked.code).toBe('stop();        \n');
    expect(files.derived(maskCode, await files.read(one), 'typescript')).toBe(masked);
    expect(files.derived(maskCode, source, 'python').code).not.toBe(masked.code);
    writeFileSync(one, 'stop("stop");\n');
    expect(files.derived(maskCode, await files.read(one), 'typescript').code).toBe('stop("""""");\n');
  });
});
