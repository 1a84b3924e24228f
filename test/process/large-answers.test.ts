/** Answers of servers that are far larger than anything that is shown: neither time nor memory may follow their size. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { placeSize } from '../../src/frontend/features/references/locations.ts';
import { serverPlaces, toPlaces } from '../../src/frontend/places/places.ts';
import { pageOf } from '../../src/frontend/render/budget.ts';
import { siftHidden } from '../../src/frontend/workspace/hidden-places.ts';
import { Roots } from '../../src/frontend/workspace/roots.ts';
import { SourceFiles } from '../../src/frontend/workspace/source-files.ts';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { systemClock } from '../../src/shared/base/lifetime.ts';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { IgnoreRules } from '../../src/shared/languages/ignore-rules.ts';
import { fakeSession } from '../tools/fake-session.ts';

const FILES = 2_000;
const PER_FILE = 25;
const MOST_MEMORY_MB = 400;

function locations(file: (name: string) => AbsPath) {
  return Array.from({ length: FILES * PER_FILE }, (_, index) => {
    // Files come mixed, as from a server that searches with many threads.
    const uri = pathToUri(file(`src/f${index % FILES}.fake`));
    const line = Math.floor(index / FILES);
    return { uri, range: { start: { line, character: 2 }, end: { line, character: 6 } } };
  });
}

describe('50,000 references in 2,000 files', () => {
  for (const positionEncoding of ['utf-16', 'utf-8'] as const)
    it(`are answered within the limits from a server that counts in ${positionEncoding}`, async () => {
      await using session = await fakeSession('//- src/a.fake\nexport function busy() {\n}\n');
      const { workspace, server } = session;
      const text = `${'  busy();\n'.repeat(PER_FILE)}`;
      for (let index = 0; index < FILES; index++) workspace.write(`src/f${index}.fake`, text);
      server.rewrite({
        positionEncoding,
        rules: [{ on: 'textDocument/references', do: { result: locations(workspace.file) } }],
      });
      const question = { file_path: 'src/a.fake', symbol: 'busy' };
      const answer = await session.ask('find_references', { ...question, limit: 200 });
      expect(answer).toMatch(
        /^50000 references to busy .* in 2000 files; 50001 of 50001 occurrences accounted for; fake-lsp ready, complete/,
      );
      expect(answer).toMatch(/^ {2}1:3, 2:3, .*, 25:3 {2}busy\(\);$/m);
      expect(answer).toContain('49800 more references not shown; pass cursor:"200"');
      expect(answer.length).toBeLessThan(60_000);
      const last = await session.ask('find_references', { ...question, cursor: '49999' });
      expect(last).toContain('src/f999.fake (1)\n  25:3  busy();');
      const peak = /^VmHWM:\s+(\d+) kB/m.exec(statusOf(session.frontEnd.pid))?.[1];
      if (peak !== undefined) expect(Number(peak) / 1024).toBeLessThan(MOST_MEMORY_MB);
    });

  it('are sorted, sifted and counted without reading a file that is not shown', async () => {
    const files = new CountingFiles();
    const roots = new Roots({ given: ['/nowhere'], cwd: '/', alsoAllowed: [] });
    const found = serverPlaces(locations((name) => `${roots.primary}/${name}` as AbsPath));
    const ignored = new IgnoreRules(systemClock);
    const { shown } = await siftHidden({ roots, files, ignored }, found, roots.primary);
    const page = pageOf(shown, { limit: 100 }, placeSize);
    await toPlaces(page.items, files, 'utf-8');
    expect(shown).toHaveLength(FILES * PER_FILE);
    expect(files.asked.size).toBe(100 / PER_FILE);
  });
});

class CountingFiles extends SourceFiles {
  readonly asked = new Set<AbsPath>();

  override readAll(files: Iterable<AbsPath>): ReturnType<SourceFiles['readAll']> {
    for (const file of files) this.asked.add(file);
    return Promise.resolve(new Map());
  }
}

/** Empty where the system has no such file. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
