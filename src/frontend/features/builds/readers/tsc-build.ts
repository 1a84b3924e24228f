/** `tsc --build --verbose`: problems as without it, and which of the projects were looked at. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CheckedProjects, OutputReader, OutputReading, RunPlace } from '../runner.ts';
import { PARENTHESES, problemLines, TSC_GLOBAL } from './lines-with-places.ts';

export const tscLines = problemLines([PARENTHESES, TSC_GLOBAL], /^ {2}/);

const LISTED = /^ {4}\* (?<config>.+\.json)$/;
const STEP =
  /^\S+(?: [AP]M)? - (?:Projects in this build|(?<step>Building project|Skipping build of project|Project) '(?<config>[^']+)'(?<rest>.*)$)/;

export function tscSolution(place: RunPlace): OutputReader {
  const problems = tscLines(place);
  const listed = new Set<string>();
  const checked = new Set<string>();
  const skipped = new Map<string, string>();
  return {
    line(text) {
      const isOfList = LISTED.exec(text)?.groups?.config;
      if (isOfList !== undefined) {
        listed.add(path.resolve(place.cwd, isOfList));
        return '';
      }
      const step = STEP.exec(text);
      if (!step) return problems.line(text);
      const { step: what = '', config = '', rest = '' } = step.groups ?? {};
      const file = path.resolve(place.cwd, config);
      if (what.startsWith('Building') || /^ is up to date/.test(rest)) checked.add(file);
      if (what.startsWith('Skipping'))
        skipped.set(file, rest.trim().replaceAll(`${place.cwd}${path.sep}`, ''));
      return '';
    },
    async done() {
      const { findings } = await problems.done();
      const unchecked = [...listed].filter((file) => !checked.has(file));
      return {
        findings: inSources(findings, place.cwd),
        projects: {
          checked: checked.size,
          unchecked: unchecked.flatMap((config) => {
            const why = skipped.get(config) ?? reasonFor(config);
            return why === undefined ? [] : [{ config, why }];
          }),
        },
        doubt: listed.size === 0 ? 'which projects were checked is not known' : undefined,
      };
    },
  };
}

/** Undefined for a configuration that only refers to others: there is nothing to check in it. */
function reasonFor(config: string): CheckedProjects['unchecked'][number]['why'] | undefined {
  if (!existsSync(config)) return 'does not exist';
  return /"files"\s*:\s*\[\s*\]/.test(readFileSync(config, 'utf8')) ? undefined : 'tsc did not come to it';
}

/** What is wrong in a source is told again for the declarations made from it, which nobody can open. */
function inSources(findings: OutputReading['findings'], cwd: string): OutputReading['findings'] {
  const inFiles = findings.filter(
    ({ file, base = cwd }) => file === undefined || existsSync(path.resolve(base, file)),
  );
  return inFiles.length === 0 ? findings : inFiles;
}
