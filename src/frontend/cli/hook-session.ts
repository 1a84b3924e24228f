/**
 * The part of a hook that asks language servers: a session of its own for the time of one event. Servers are always
 * shared, unless the user forbids that: a server that ended with each hook would start anew after every edit.
 * Decision: docs/decisions/hooks.md#hooks-share-every-server
 */
import { type Failure, failureOf } from '../../shared/base/failure.ts';
import { systemClock } from '../../shared/base/lifetime.ts';
import { silentLog } from '../../shared/base/log.ts';
import type { ServerLink } from '../../shared/link/server-link.ts';
import { broughtErrors } from '../features/hooks/brought-errors.ts';
import type { HookSaid } from '../features/hooks/hook-event.ts';
import { afterReport, unreported } from '../features/hooks/reported.ts';
import type { TouchedFile } from '../features/hooks/session-notes.ts';
import { broughtText, type ReportView, unseenText } from '../features/hooks/text.ts';
import { remainingOf } from '../invoke/call-deadline.ts';
import { Session, type SessionFeatures } from '../session/session.ts';
import { sessionConfig } from '../session/session-config.ts';
import type { ToolContext } from '../tools/context.ts';
import type { HookRun } from './hook-run.ts';

const MOST_FILES = 16;
/** More of them are looked at when nobody waits for the next edit. */
const MOST_DEPENDENTS = { 'post-edit': 8, 'turn-end': 16 } as const;
/** So much earlier than its client gives up, a hook has answered. */
const EARLIER_MS = 10_000;
/** A session does not begin before its hooks have ended. */
const WARM_MS = 8_000;
/** In a row, in case an agent does not get rid of what it brings. */
const MOST_PROLONGED = 3;

/** Nothing is edited here, and no rule names a tool. */
const features: SessionFeatures = {
  tools: async () => [],
  load: async () => undefined,
  prepare: async () => {},
};

export async function reportEdits(run: HookRun, all: readonly TouchedFile[]): Promise<HookSaid> {
  const { hook, event, notes, settings } = run;
  const isTurnEnd = hook.event === 'turn-end';
  const before = notes.reports;
  const prolonged = event.continuations === 0 ? 0 : Math.max(before.prolonged, event.continuations);
  if (isTurnEnd && prolonged >= MOST_PROLONGED) return {};
  const touched = all.slice(0, MOST_FILES);
  const limitMs = hook.timeoutMs ?? settings.timeoutMs ?? run.client.limitMs - EARLIER_MS;
  return inSession(run, limitMs, async (context) => {
    const brought = await broughtErrors(context, {
      touched,
      mostDependents: MOST_DEPENDENTS[isTurnEnd ? 'turn-end' : 'post-edit'],
      waitMs: limitMs * 0.6,
    });
    run.onWarm();
    // What a server may still say is asked again at the end of the turn.
    const late = brought.unseen.filter(({ failure }) => isLate(failure)).map(({ file }) => file);
    if (!isTurnEnd) for (const each of touched) if (late.includes(each.file)) notes.touch(each);
    const unseen = brought.unseen.filter(
      ({ failure }) => isLate(failure) || notes.isFirst(`said-${failure?.kind}-${languageIn(failure)}`),
    );
    const errors = unreported(before, brought.errors);
    const view: ReportView = {
      display: (file) => context.roots.display(file),
      of: isTurnEnd ? 'turn' : 'edit',
      maxTokens: settings.maxTokens,
      leftOut: all.length - touched.length,
    };
    const report = broughtText(errors, unseen, view);
    const isProlonging = isTurnEnd && report !== undefined;
    notes.keepReports(afterReport(before, brought, isProlonging ? prolonged + 1 : 0));
    if (report !== undefined) return { toAgent: report };
    const missed = unseenText(unseen, view);
    return isTurnEnd ? { toUser: missed } : { toAgent: missed };
  });
}

/** Starts the servers of what the project is written in, and leaves them to start. */
export async function warmServers(run: HookRun): Promise<void> {
  const limitMs = Math.min(WARM_MS, run.hook.timeoutMs ?? run.settings.timeoutMs ?? WARM_MS);
  await inSession(run, limitMs, async (context) => {
    const found = await context.servers.workspace().catch((error: unknown) => {
      // A project without sources has no servers.
      if (failureOf(error)) return { links: [] };
      throw error;
    });
    await Promise.all(found.links.map((link) => begun(link, context)));
  });
}

/** As soon as the server is on its way nobody has to wait for it any more. */
async function begun(link: ServerLink, context: ToolContext): Promise<void> {
  await new Promise<void>((resolve) => {
    link.onState(({ kind }) => kind !== 'idle' && resolve());
    link.facts(context.during()).then(
      () => resolve(),
      () => resolve(),
    );
  });
}

async function inSession<T>(
  run: HookRun,
  limitMs: number,
  work: (context: ToolContext) => Promise<T>,
): Promise<T> {
  const { hook, environment, roots, entryScript } = run;
  const opening = {
    environment,
    entryScript,
    cwd: roots[0],
    roots: hook.roots,
    commandLine: { configFile: hook.configFile, daemon: hook.daemon },
    log: silentLog,
    features,
    setLogLevel: () => {},
    switchTools: () => {},
  };
  const config = await sessionConfig({ ...opening, cwd: process.cwd() });
  const daemon = config.daemon === 'auto' ? 'always' : config.daemon;
  // What a hook does is no call of a tool, and not recorded as one.
  const session = new Session({ ...config, daemon, auditLog: undefined }, opening);
  const end = new AbortController();
  const limit = systemClock.after(limitMs, () => end.abort());
  let isDone = false;
  try {
    const said = await work(
      session.context({
        signal: end.signal,
        remainingMs: remainingOf(systemClock, limitMs),
        isReading: true,
        tools: [],
        watch: () => {},
        report: () => {},
      }),
    );
    isDone = true;
    return said;
  } finally {
    limit[Symbol.dispose]();
    // The end of this process hangs up on a daemon; only a server of its own has to be ended.
    if (!isDone || session.links.some(({ mode }) => mode !== 'daemon')) await session.close();
  }
}

/** It may answer another time. */
function isLate(failure: Failure | undefined): boolean {
  const kinds: readonly Failure['kind'][] = [
    ...(['timeout', 'still-working', 'server-crashed', 'draining', 'connection-lost', 'overloaded'] as const),
  ];
  return failure === undefined || kinds.includes(failure.kind);
}

function languageIn(failure: Failure | undefined): string {
  return failure?.kind === 'server-missing' ? failure.language.replaceAll(/[^\w-]/g, '_') : '';
}
