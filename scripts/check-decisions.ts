/**
 * A decision says why it was made, what shows that it holds and when to think again; and whoever follows one is
 * named by it and names it. Without the second half nobody who changes a file learns that there was a reason.
 */
import {
  type DecisionEntry,
  decisionsFolder,
  followersOf,
  isKnownPart,
  partOf,
  quotedIn,
  readDecisions,
  requiredParts,
} from './lib/decisions.ts';
import { type CheckResult, type Problem, plural, runWhenMain } from './lib/report.ts';
import { collectTestNames, type TestNames, testFault } from './lib/test-names.ts';
import { filesBelow, isTypeScript, lineAt, readText, readTextIfThere } from './lib/tree.ts';

const pointerPattern = /\bDecision: (\S+)/g;

export function checkDecisions(root: string): CheckResult {
  const entries = readDecisions(root);
  const names = collectTestNames(root);
  const commands = commandsOf(root);
  const pointers = pointersIn(root);
  const problems = [
    ...entries.flatMap((entry) => [
      ...partFaults(entry),
      ...proofFaults(entry, names, commands),
      ...followerFaults(root, entry, pointers),
    ]),
    ...addressFaults(entries),
    ...pointers.flatMap((pointer) => pointerFaults(pointer, entries)),
  ];
  return {
    problems,
    notes: [`${plural(entries.length, 'decision')}, ${plural(pointers.length, 'pointer')}`],
  };
}

function partFaults({ file, line, parts }: DecisionEntry): Problem[] {
  const problems: Problem[] = [];
  for (const name of requiredParts) {
    const found = parts.filter((part) => part.name === name);
    if (found.length > 1) problems.push({ file, line: found[1]?.line, message: `says “${name}” twice` });
    if (found.length === 0 || found[0]?.text === '')
      problems.push({ file, line, message: `does not say “${name}”` });
  }
  for (const part of parts)
    if (!isKnownPart(part.name))
      problems.push({ file, line: part.line, message: `has a part “${part.name}”, which no decision has` });
  return problems;
}

/** A test, a command that measures it, or openly nothing. */
function proofFaults(entry: DecisionEntry, names: TestNames, commands: ReadonlySet<string>): Problem[] {
  const part = partOf(entry, 'Shown by');
  if (part === undefined || part.text === '') return [];
  const { file } = entry;
  const { line, text } = part;
  const quoted = quotedIn(text);
  const tests = quoted.filter((each) => each.startsWith('test/'));
  const runs = quoted.flatMap((each) => /^npm run (\S+)/.exec(each)?.[1] ?? []);
  const faults = [
    ...tests.flatMap((test) => testFault(test, names) ?? []),
    ...runs
      .filter((run) => !commands.has(run))
      .map((run) => `names \`npm run ${run}\`, which package.json does not have`),
  ];
  if (tests.length + runs.length === 0 && !/^nothing yet: \S/.test(text))
    faults.push('names neither a test nor a command, and does not say “nothing yet: …”');
  return faults.map((message) => ({ file, line, message }));
}

function followerFaults(root: string, entry: DecisionEntry, pointers: readonly Pointer[]): Problem[] {
  const { file, line, address } = entry;
  return followersOf(entry).flatMap((follower): Problem[] => {
    if (readTextIfThere(root, follower) === undefined)
      return [{ file, line, message: `is followed in ${follower}, which is not there` }];
    const pointsBack = pointers.some((pointer) => pointer.file === follower && pointer.address === address);
    return pointsBack
      ? []
      : [{ file, line, message: `is followed in ${follower}, which does not say “Decision: ${address}”` }];
  });
}

function addressFaults(entries: readonly DecisionEntry[]): Problem[] {
  return entries
    .filter(({ address }, at) => entries.findIndex((other) => other.address === address) < at)
    .map(({ file, line }) => ({ file, line, message: 'has the heading of an entry above' }));
}

interface Pointer {
  readonly file: string;
  readonly line: number;
  readonly address: string;
}

function pointersIn(root: string): Pointer[] {
  return filesBelow(root, 'src', isTypeScript).flatMap((file) => {
    const text = readText(root, file);
    return [...text.matchAll(pointerPattern)].map((match) => ({
      file,
      line: lineAt(text, match.index),
      address: match[1] ?? '',
    }));
  });
}

function pointerFaults({ file, line, address }: Pointer, entries: readonly DecisionEntry[]): Problem[] {
  const entry = entries.find((each) => each.address === address);
  if (entry === undefined)
    return [{ file, line, message: `points to ${address}, which ${decisionsFolder} does not have` }];
  return followersOf(entry).includes(file)
    ? []
    : [{ file, line, message: `points to ${address}, which does not list it under “Followed in”` }];
}

function commandsOf(root: string): ReadonlySet<string> {
  const { scripts = {} }: { scripts?: Record<string, string> } = JSON.parse(
    readTextIfThere(root, 'package.json') ?? '{}',
  );
  return new Set(Object.keys(scripts));
}

await runWhenMain(import.meta.url, 'decisions', checkDecisions);
