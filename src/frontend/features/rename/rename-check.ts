/**
 * Whether the name at a place can be renamed, and if not, why: servers refuse in many ways, and most give no reason.
 */
import {
  DefinitionRequest,
  PrepareRenameRequest,
  type PrepareRenameResult,
  RenameRequest,
  ResponseError,
} from 'vscode-languageserver-protocol';
import { failureOf } from '../../../shared/base/failure.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import { type Encoding, toPoint } from '../../../shared/base/positions.ts';
import { ask, type ServerFacts } from '../../../shared/link/server-link.ts';
import { offering } from '../../ask/offering.ts';
import { askHere } from '../../ask/questions.ts';
import { unreachableAt } from '../../ask/unreachable.ts';
import { wordAt } from '../../lexical/words.ts';
import { keyOf, placesOf } from '../../places/places.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import type { Target } from '../../targets/locate.ts';
import type { Span } from '../../targets/spans.ts';
import type { ToolContext } from '../../tools/context.ts';

export type RenameCheck =
  | { readonly kind: 'renamable'; readonly span: Span; readonly placeholder: string }
  /** The server looks at it only when it is renamed; this is the word that stands there. */
  | { readonly kind: 'unchecked'; readonly span: Span; readonly placeholder: string }
  | { readonly kind: 'refused'; readonly reason: string };

export interface CheckedRename {
  readonly check: RenameCheck;
  readonly facts: ServerFacts;
  readonly incomplete: Incomplete | undefined;
}

/** Fails when the server cannot rename at all. */
export async function checkRename(context: ToolContext, target: Target): Promise<CheckedRename> {
  const { link, source, position } = target;
  const facts = await offering(context, link, RenameRequest.method);
  if (!facts.methods.includes(PrepareRenameRequest.method))
    return { check: byWord(target), facts, incomplete: undefined };
  const { result, incomplete } = await askHere(
    context,
    link,
    {
      method: PrepareRenameRequest.method,
      documents: [source.path],
      send: async (asked, options): Promise<PrepareRenameResult | Refusal | null> => {
        const params = { textDocument: { uri: pathToUri(source.path) }, position: position(asked) };
        return ask(link, PrepareRenameRequest.type, params, options).catch(refusalOf);
      },
    },
    // Also a refusal counts for nothing while the server does not know the project yet.
    (prepared) => prepared === null || 'refusal' in prepared,
  );
  if (result && 'refusal' in result) {
    const reason = `${facts.serverName} says: ${result.refusal}`;
    return { check: { kind: 'refused', reason }, facts, incomplete };
  }
  const check = checkOf(result, target, facts.encoding);
  if (check && facts.renamesImportedFiles && isFileName(target, check.span)) {
    const reason = 'it is the name of a file, which move_file renames, and imports follow';
    return { check: { kind: 'refused', reason }, facts, incomplete };
  }
  if (check) return { check, facts, incomplete };
  const unreachable = await unreachableAt(context, target);
  const reason = unreachable?.reason ?? (await whyNot(context, target));
  return { check: { kind: 'refused', reason }, facts, incomplete };
}

function isFileName({ source }: Target, { start }: Span): boolean {
  return IMPORTED_FILE.test(source.lines.at(start.line).slice(0, start.column - 1));
}

const IMPORTED_FILE = /\b(?:from|import|require)\s*\(?\s*['"`][^'"`]*$/;

interface Refusal {
  readonly refusal: string;
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ResponseError)) throw error;
  return { refusal: error.message };
}

function checkOf(
  result: PrepareRenameResult | null,
  target: Target,
  encoding: Encoding,
): Exclude<RenameCheck, { kind: 'refused' }> | undefined {
  if (!result) return undefined;
  if ('defaultBehavior' in result) {
    const check = byWord(target);
    return result.defaultBehavior && check.kind === 'unchecked' ? { ...check, kind: 'renamable' } : undefined;
  }
  const { lines } = target.source;
  const range = 'start' in result ? result : result.range;
  const [start, end] = [range.start, range.end].map((at) => toPoint(at, () => lines, encoding));
  if (!start || !end) return undefined;
  const text = start.line === end.line ? lines.at(start.line).slice(start.column - 1, end.column - 1) : '';
  const placeholder = 'placeholder' in result ? result.placeholder : text;
  return { kind: 'renamable', span: { start, end }, placeholder };
}

function byWord({ source, point }: Target): RenameCheck {
  const word = wordAt(source.lines.at(point.line), point.column);
  if (!word) return { kind: 'refused', reason: 'there is no name at that place' };
  const { line } = point;
  const end = { line, column: word.column + word.text.length };
  return { kind: 'unchecked', span: { start: { line, column: word.column }, end }, placeholder: word.text };
}

/** What a server that refuses without a word may mean. */
async function whyNot(context: ToolContext, { link, source, position }: Target): Promise<string> {
  const facts = await context.facts.of(link, context.during());
  const says = `${facts.serverName} does not say why`;
  if (!facts.methods.includes(DefinitionRequest.method)) return says;
  const params = { textDocument: { uri: pathToUri(source.path) }, position: position(facts) };
  const found = await ask(link, DefinitionRequest.type, params, context.during(source.path)).catch(
    (error: unknown) => {
      if (failureOf(error)?.kind === 'left-out') throw error;
      return null;
    },
  );
  const places = await placesOf(found, context.files, facts.encoding);
  if (places.length === 0) return 'nothing is declared under it (a keyword, a literal, a comment?)';
  const foreign = places.find(({ file }) => file === undefined || !context.roots.holds(file));
  if (foreign) return `it is declared outside the workspace, in ${keyOf(foreign)}`;
  return says;
}
