/** The generated documentation is the one that the sources give now, and the ways of calls that are shown lead through files that are there. */
import { generateDocs } from './lib/docs.ts';
import { type CheckResult, type Problem, runWhenMain } from './lib/report.ts';
import { readTextIfThere } from './lib/tree.ts';
import { wayProblems } from './lib/ways.ts';
import { rooms } from './rooms.ts';

export async function checkDocs(root: string): Promise<CheckResult> {
  const { files, faults } = await generateDocs(root);
  const outdated = files.flatMap(({ path, text }): Problem[] => {
    const present = readTextIfThere(root, path);
    if (present === text) return [];
    if (present === undefined) return [{ file: path, message: 'is not there: run `npm run docs`' }];
    return [
      { file: path, line: firstDifference(present, text), message: 'is out of date: run `npm run docs`' },
    ];
  });
  const failed = faults.map(({ path, message }) => ({ file: path, message }));
  return { problems: [...failed, ...outdated, ...wayProblems(root, rooms)] };
}

function firstDifference(present: string, wanted: string): number {
  const wantedLines = wanted.split('\n');
  const index = present.split('\n').findIndex((line, at) => line !== wantedLines[at]);
  return index === -1 ? wantedLines.length : index + 1;
}

await runWhenMain(import.meta.url, 'docs', checkDocs);
