/**
 * `agent-lsp hook`: what a client runs when its agent edits, searches, ends a turn, or when its session begins and ends.
 * An agent is never stopped by it: whatever goes wrong is one line on standard error, and the exit code is 0. What only
 * takes a note does so without the rest of the program.
 * Decision: docs/decisions/hooks.md#a-hook-never-stops-an-agent
 * Decision: docs/decisions/hooks.md#little-to-load
 */
import { readFileSync, statSync } from 'node:fs';
import type { AbsPath } from '../../shared/base/brand.ts';
import { failureOf, messageOf } from '../../shared/base/failure.ts';
import { absolutePath, isInside, realPath } from '../../shared/base/paths.ts';
import { type HookSettings, isHookOn, loadHookSettings } from '../../shared/config/hook-config.ts';
import { stateDirectory } from '../../shared/config/state-dir.ts';
import { currentEnvironment, packageRootOf, variable } from '../../shared/languages/environment.ts';
import type { HookClient } from '../features/hooks/clients/hook-client.ts';
import { hookClient } from '../features/hooks/clients.ts';
import { formerText } from '../features/hooks/former-text.ts';
import type { FileChangeTold, HookEvent, HookInput, HookSaid } from '../features/hooks/hook-event.ts';
import { parseInput, readEvent } from '../features/hooks/read-event.ts';
import { searchReminder } from '../features/hooks/reminder.ts';
import { SessionNotes, type TouchedFile } from '../features/hooks/session-notes.ts';
import { type HookArguments, hookArguments } from './hook-arguments.ts';
import type { HookRun } from './hook-run.ts';
import { readIn, writeOut } from './hook-streams.ts';

type HookProgram = Pick<HookRun, 'entryScript' | 'onWarm'>;

const NOTHING: HookSaid = {};
const LARGEST_READ = 2 * 1024 * 1024;

/** The exit code, which is always 0. `args` are those behind the word `hook`. */
export async function runHook(args: readonly string[], program: HookProgram): Promise<number> {
  const parsed = hookArguments(args);
  if ('problem' in parsed) complain(parsed.problem);
  else await answerHook(parsed.hook, program);
  return 0;
}

async function answerHook(hook: HookArguments, program: HookProgram): Promise<void> {
  const isRead = hook.files.length === 0 || hook.client !== undefined;
  const reading = isRead ? readIn() : undefined;
  const settings = settingsOf(hook, program);
  // What fails here is said where the settings are needed.
  loadAhead(hook, settings).catch(() => {});
  const parsed = parseInput((await reading) ?? '');
  const input: HookInput = 'input' in parsed ? parsed.input : {};
  const client = hookClient(
    input,
    hook.client ?? (isRead && Object.keys(input).length > 0 ? undefined : 'plain'),
  );
  let said = NOTHING;
  try {
    if ('problem' in parsed) complain(`${hook.event}: ${parsed.problem}`);
    else said = await followed(hook, { client, input, program, settings });
  } catch (error) {
    complain(`${hook.event}: ${await sentenceOf(error)}`);
  }
  const answer = client.answer(hook.event, input, said);
  if (answer !== '') writeOut(`${answer}\n`);
}

interface Told {
  readonly client: HookClient;
  readonly input: HookInput;
  readonly program: HookProgram;
  readonly settings: Promise<HookSettings>;
}

async function settingsOf(
  { configFile, mode }: HookArguments,
  { entryScript }: HookProgram,
): Promise<HookSettings> {
  const environment = currentEnvironment(packageRootOf(entryScript));
  return await loadHookSettings({ environment, cwd: process.cwd(), configFile }, mode);
}

/** While the input comes there is time to load what an answer at once will need. */
async function loadAhead({ event }: HookArguments, settings: Promise<HookSettings>): Promise<void> {
  const known = await settings;
  const isEdit = event === 'post-edit' && known.mode === 'edit_write';
  if (isHookOn(known) && (isEdit || event === 'session-start')) await import('./hook-session.ts');
}

async function followed(hook: HookArguments, told: Told): Promise<HookSaid> {
  const { client, input, program } = told;
  const event = readEvent(client, input, hook.files);
  const environment = currentEnvironment(packageRootOf(program.entryScript));
  const roots = rootsOf(hook, { client, event, environment });
  const notes = new SessionNotes(stateDirectory(environment), event.session || `in ${roots[0]}`);
  if (hook.event === 'session-end') {
    notes.release();
    return NOTHING;
  }
  if (
    hook.isSubagent ||
    event.isSubagent ||
    /^(?:1|true|yes|on)$/i.test(variable(environment, 'AGENT_LSP_SUBAGENT') ?? '')
  )
    return NOTHING;
  const settings = await told.settings;
  if (!isHookOn(settings)) {
    notes.release();
    return NOTHING;
  }
  return sayFor({ hook, client, event, settings, notes, environment, roots, ...program });
}

async function sayFor(run: HookRun): Promise<HookSaid> {
  const { hook, event, notes, settings } = run;
  switch (hook.event) {
    case 'session-start': {
      notes.sweep(Date.now());
      const { warmServers } = await import('./hook-session.ts');
      await warmServers(run);
      return NOTHING;
    }
    case 'pre-search':
      // A command of a shell may apply a patch, of which some clients tell before it runs and never again.
      if (event.isAhead) noteAll(notes, touchedNow(run));
      if (event.searched === undefined || (event.isAhead && run.client.isMuteAhead)) return NOTHING;
      if (!notes.isFirst('reminded')) return NOTHING;
      return { toAgent: searchReminder(event.searched) };
    case 'post-edit': {
      const touched = touchedNow(run);
      if (settings.mode === 'edit_write' && touched.length > 0) return reportOf(run, touched);
      noteAll(notes, touched);
      return NOTHING;
    }
    case 'turn-end':
      if (!event.isBrokenOff) return reportOf(run);
      notes.take();
      return NOTHING;
    default:
      return NOTHING;
  }
}

async function reportOf(run: HookRun, now: readonly TouchedFile[] = []): Promise<HookSaid> {
  const touched = run.notes.take(now);
  if (touched.length === 0) return NOTHING;
  const { reportEdits } = await import('./hook-session.ts');
  return reportEdits(run, touched);
}

function touchedNow({ event, roots: [root] }: HookRun): readonly TouchedFile[] {
  return event.changes.map((change) => {
    const file = realPath(absolutePath(change.path, root));
    const text = isTextOfUse(change, event) ? textOf(file) : undefined;
    const isFormer = event.isAhead && text !== undefined;
    return { file, former: isFormer ? { kind: 'text', text } : formerText(change, text) };
  });
}

function noteAll(notes: SessionNotes, touched: readonly TouchedFile[]): void {
  for (const each of touched) notes.touch(each);
}

function isTextOfUse({ original, replacements }: FileChangeTold, { isAhead }: HookEvent): boolean {
  return isAhead || (original === undefined && replacements.length > 0);
}

/** Undefined where there is none. */
function textOf(file: AbsPath): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > LARGEST_READ) return undefined;
  return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
}

/** An agent may have gone into a directory of its project; the variable of the client then still names the project. */
function rootsOf(
  { roots }: HookArguments,
  { client, event, environment }: Pick<HookRun, 'client' | 'event' | 'environment'>,
): HookRun['roots'] {
  const real = (directory: string) => realPath(absolutePath(directory));
  const [first, ...rest] = roots.map(real);
  if (first !== undefined) return [first, ...rest];
  const directory = real(event.directory ?? '.');
  const project = client.projectVariable && variable(environment, client.projectVariable);
  return [project && isInside(directory, real(project)) ? real(project) : directory];
}

async function sentenceOf(error: unknown): Promise<string> {
  const failure = failureOf(error);
  if (!failure) return messageOf(error);
  const { failureSentence } = await import('../render/failure.ts');
  return failureSentence(failure);
}

function complain(problem: string): void {
  process.stderr.write(`agent-lsp hook: ${problem.trim().split('\n').join(' ')}\n`);
}
