/**
 * Asks the engine behind a server for diagnostics, where the server itself only publishes them, and only after
 * pauses. The engine takes questions in order, so its answer is about the texts sent before. Of changes on disk it
 * may learn late, so soon after those the host waits for what the server publishes instead.
 * Decision: docs/decisions/diagnostics.md#engine-diagnostics
 */
import {
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  ExecuteCommandRequest,
  type Range,
} from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { FailureError } from '../../base/failure.ts';
import type { Clock } from '../../base/lifetime.ts';
import { absolutePath, pathToUri } from '../../base/paths.ts';
import type { Json } from '../../link/server-plan.ts';
import type { SpokenServer } from '../protocol/spoken-server.ts';
import type { DiagnosticsStore } from './diagnostics-store.ts';

type Engine = Pick<SpokenServer, 'connection' | 'offered' | 'quirks'> & {
  readonly plan: { readonly settings: Json };
  readonly diagnostics: Pick<DiagnosticsStore, 'textOf' | 'lastDiskNews' | 'storePulled' | 'habits'>;
};

interface Bounds {
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly clock: Clock;
}

/** tsserver looks again for modules that it did not find up to a second after it was told of files. */
const NEWS_TAKEN_MS = 3_000;
const KINDS = ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync', 'suggestionDiagnosticsSync'] as const;
/** Settings by which the server leaves out part of what the engine says. */
const LEFT_OUT_BY = ['ignoredCodes', 'validate'] as const;

/** Undefined when it cannot be asked now, or does not answer: then only waiting for publications will do. */
export async function engineDiagnostics(
  engine: Engine,
  file: AbsPath,
  { signal, deadline, clock }: Bounds,
): Promise<readonly Diagnostic[] | undefined> {
  const { connection, quirks, diagnostics: store } = engine;
  const command = quirks.engineCommand;
  const asked = store.textOf(file);
  if (command === undefined || !asked || !isOffered(engine, command)) return undefined;
  const news = store.lastDiskNews;
  if (news !== undefined && clock.now() - news < NEWS_TAKEN_MS) return undefined;
  const ms = Math.max(0, deadline - clock.now());
  const failure = () =>
    new FailureError({ kind: 'timeout', what: command, afterMs: Math.round(ms), state: 'asked' });
  const parts = await Promise.all(
    KINDS.map(async (kind) => {
      const params = { command, arguments: [kind, { file: pathToUri(file) }] };
      const limit = { ms, clock, failure };
      const answer = await connection
        .request(ExecuteCommandRequest.method, params, { signal, limit })
        .catch(notAnswered);
      const { success, body } = Object(answer) as Partial<EngineAnswer>;
      return success === true ? body : undefined;
    }),
  );
  // A newer text may have come between the questions.
  if (store.textOf(file)?.version !== asked.version) return undefined;
  const found = parts.flatMap((part) => part ?? []).map(toDiagnostic);
  if (parts.includes(undefined)) return undefined;
  store.storePulled(file, command, found);
  store.habits.leftEarly(clock.now());
  return found;
}

function isOffered({ offered, plan }: Engine, command: string): boolean {
  const commands = offered.capabilities.executeCommandProvider?.commands ?? [];
  return commands.includes(command) && !mentions(plan.settings, LEFT_OUT_BY);
}

function mentions(settings: Json, names: readonly string[]): boolean {
  if (typeof settings !== 'object' || settings === null) return false;
  return Object.entries(settings).some(([name, value]) => names.includes(name) || mentions(value, names));
}

/** An engine that refuses leaves the other way; that nobody waits any longer must be known. */
function notAnswered(error: unknown): undefined {
  if (error instanceof FailureError) throw error;
  return undefined;
}

interface EngineSpan {
  readonly start: { readonly line: number; readonly offset: number };
  readonly end: { readonly line: number; readonly offset: number };
}

/** https://github.com/microsoft/TypeScript/blob/main/src/server/protocol.ts, `Diagnostic`. */
interface EngineDiagnostic extends EngineSpan {
  readonly text: string;
  readonly code?: number;
  readonly category: string;
  readonly source?: string;
  readonly reportsUnnecessary?: object;
  readonly reportsDeprecated?: object;
  readonly relatedInformation?: readonly {
    readonly span?: EngineSpan & { readonly file: string };
    readonly message: string;
  }[];
}

interface EngineAnswer {
  readonly success: boolean;
  readonly body: readonly EngineDiagnostic[];
}

const SEVERITIES: Readonly<Record<string, DiagnosticSeverity>> = {
  warning: DiagnosticSeverity.Warning,
  suggestion: DiagnosticSeverity.Hint,
};

/** As the server publishes it. */
function toDiagnostic(found: EngineDiagnostic): Diagnostic {
  const tags = [
    ...(found.reportsUnnecessary ? [DiagnosticTag.Unnecessary] : []),
    ...(found.reportsDeprecated ? [DiagnosticTag.Deprecated] : []),
  ];
  const related = found.relatedInformation?.flatMap(({ span, message }) =>
    span ? [{ location: { uri: pathToUri(absolutePath(span.file)), range: rangeOf(span) }, message }] : [],
  );
  return {
    range: rangeOf(found),
    message: found.text,
    severity: SEVERITIES[found.category] ?? DiagnosticSeverity.Error,
    ...(found.code === undefined ? {} : { code: found.code }),
    source: found.source ?? 'typescript',
    ...(tags.length > 0 ? { tags } : {}),
    ...(related ? { relatedInformation: related } : {}),
  };
}

function rangeOf({ start, end }: EngineSpan): Range {
  return {
    start: { line: start.line - 1, character: start.offset - 1 },
    end: { line: end.line - 1, character: end.offset - 1 },
  };
}
