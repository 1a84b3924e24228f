/** Which runners are meant: those of the nearest directory that shows any, in the language of the file if there is one. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { directoriesUpTo } from '../../../shared/base/ancestors.ts';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { absolutePath } from '../../../shared/base/paths.ts';
import { isObject } from '../../../shared/base/unknown-value.ts';
import { isSkippedDirectory } from '../../../shared/languages/detect.ts';
import { diskProbe } from '../../../shared/languages/root-probe.ts';
import { matchesMarker } from '../../../shared/languages/roots.ts';
import type { Recognition, Task } from '../../../shared/languages/runner-rows.ts';
import { parsedObject, stringOf } from './readers/json.ts';
import type { Runner } from './runner.ts';
import { runners } from './runners.ts';

export interface RunnerQuery {
  readonly task: Task;
  readonly start: AbsPath;
  readonly boundary: AbsPath;
  /** The language that was asked for. */
  readonly family: string | undefined;
  /** The language of the file that was given; it comes first, but need not be. */
  readonly preferred: string | undefined;
}

export interface Choice {
  readonly cwd: AbsPath;
  /** All that the directory shows; to run one of them says nothing about the others. */
  readonly systems: readonly [System, ...System[]];
  /** What was left to the others, which it only calls or serves. */
  readonly leftOut: readonly Runner[];
}

/** Ways to do the same for the same languages, the one that counts first. */
export type System = readonly [Runner, ...Runner[]];

export function chooseRunners(query: RunnerQuery): Choice {
  const possible = runners.filter(
    ({ task, languages }) =>
      task === query.task && (query.family === undefined || languages.includes(query.family)),
  );
  if (possible.length === 0) refuseLanguage(query);
  const ofFile = possible.filter(({ languages }) => languages.includes(query.preferred ?? ''));
  const directories = directoriesUpTo(query.start, query.boundary);
  return nearestOf(ofFile, directories) ?? nearestOf(possible, directories) ?? refusePlace(query, possible);
}

function nearestOf(possible: readonly Runner[], directories: readonly string[]): Choice | undefined {
  const isFallback = ({ recognised }: Runner) => recognised.isFallback === true;
  return (
    nearest(
      possible.filter((runner) => !isFallback(runner)),
      directories,
    ) ?? nearest(possible.filter(isFallback), directories)
  );
}

function nearest(possible: readonly Runner[], directories: readonly string[]): Choice | undefined {
  for (const directory of directories) {
    const shown = shownIn(directory, possible);
    const standing = shown.filter((runner) => !yields(runner, directory));
    const chosen = standing.length > 0 ? standing : shown;
    const [first, ...others] = systemsOf(chosen);
    const leftOut = shown.filter((runner) => !chosen.some((other) => servesSame(other, runner)));
    if (first) return { cwd: absolutePath(directory), systems: [first, ...others], leftOut };
  }
  return undefined;
}

function systemsOf(shown: readonly Runner[]): readonly System[] {
  const systems: [Runner, ...Runner[]][] = [];
  for (const runner of shown) {
    const same = systems.find(([first]) => servesSame(first, runner));
    if (same) same.push(runner);
    else systems.push([runner]);
  }
  return systems;
}

function servesSame(one: Runner, other: Runner): boolean {
  return one.languages.some((each) => other.languages.includes(each));
}

function yields({ recognised: { yields: rule, files } }: Runner, directory: string): boolean {
  if (rule === undefined || rule === true) return rule === true;
  const present = diskProbe
    .names(directory)
    .filter((name) => files?.some((marker) => matchesMarker(name, marker)));
  return !present.some((name) => rule.test(diskProbe.read(path.join(directory, name)) ?? ''));
}

function shownIn(directory: string, possible: readonly Runner[]): readonly Runner[] {
  const names = diskProbe.names(directory);
  const manifest = names.includes('package.json')
    ? (parsedObject(diskProbe.read(path.join(directory, 'package.json')) ?? '') ?? {})
    : {};
  const shows = ({ files, containing, dependency, script }: Recognition): boolean => {
    const present = names.filter((name) => files?.some((marker) => matchesMarker(name, marker)));
    if (files && present.length === 0) return false;
    if (
      containing &&
      !present.some((name) => containing.test(diskProbe.read(path.join(directory, name)) ?? ''))
    )
      return false;
    if (dependency && !dependenciesOf(manifest).has(dependency)) return false;
    if (!script) return true;
    const [name, looks] = script;
    const text = isObject(manifest.scripts) ? stringOf(manifest.scripts[name]) : '';
    return text !== '' && looks.test(text);
  };
  return possible.filter(({ recognised }) => shows(recognised));
}

function dependenciesOf(manifest: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const groups = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies];
  return new Set(groups.filter(isObject).flatMap((group) => Object.keys(group)));
}

function refuseLanguage({ task, family }: RunnerQuery): never {
  const known = new Set(
    runners.filter((runner) => runner.task === task).flatMap(({ languages }) => languages),
  );
  fail({
    kind: 'invalid-input',
    message: `how to ${task} ${family} is not known`,
    next: `Languages are: ${[...known].sort().join(', ')}`,
  });
}

function refusePlace({ task, start, boundary, family }: RunnerQuery, possible: readonly Runner[]): never {
  const markers = possible.flatMap(({ recognised }) => [
    ...(recognised.files ?? []),
    ...(recognised.script ? [`package.json with a ${recognised.script[0]} script`] : []),
  ]);
  const above = start === boundary ? '' : ` or above it up to ${boundary}`;
  const below = projectsBelow(start, possible);
  fail({
    kind: 'invalid-input',
    message: `nothing to ${task}${family === undefined ? '' : ` for ${family}`} in ${start}${above}: looked for ${few([...new Set(markers)])}`,
    next:
      below.length === 0
        ? 'Pass path or workspace_dir of a project'
        : `Pass path of a project below it: ${below.join(', ')}`,
  });
}

function few(names: readonly string[]): string {
  const more = names.length - 12;
  return more <= 1 ? names.join(', ') : `${names.slice(0, 12).join(', ')} and ${more} others`;
}

/** Two levels down, which is where the projects of a repository without one at its top usually are. */
function projectsBelow(start: AbsPath, possible: readonly Runner[]): readonly string[] {
  const children = directoriesIn(start);
  const all = [...children, ...children.slice(0, 50).flatMap((directory) => directoriesIn(directory))];
  return all
    .slice(0, 200)
    .filter((directory) => shownIn(directory, possible).length > 0)
    .map((directory) => path.relative(start, directory))
    .slice(0, 8);
}

function directoriesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !isSkippedDirectory(entry.name))
      .map((entry) => path.join(directory, entry.name));
  } catch {
    return [];
  }
}
