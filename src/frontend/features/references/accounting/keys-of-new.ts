/**
 * A key of an object that `new` passes on, where the server takes it for a declaration of its own: some servers forget
 * what the object should be as soon as one argument does not fit, and lose uses of what the key means.
 * Decision: docs/decisions/references.md#keys-that-new-passes-on
 */
import { type SignatureHelp, SignatureHelpRequest } from 'vscode-languageserver-protocol';
import { escapePattern } from '../../../../shared/base/escape-pattern.ts';
import { pathToUri } from '../../../../shared/base/paths.ts';
import { TextOffsets, toServerPosition } from '../../../../shared/base/positions.ts';
import { ask, type ServerFacts, type ServerLink } from '../../../../shared/link/server-link.ts';
import { argumentsOfNew } from '../../../lexical/arguments-of-new.ts';
import { maskCode } from '../../../lexical/code-mask.ts';
import type { ToolContext } from '../../../tools/context.ts';
import type { SourceFile } from '../../../workspace/source-files.ts';
import type { Occurrence } from './occurrences.ts';

/** A parameter of which nothing is known, or that takes everything: its objects mean nothing but themselves. */
const TAKES_ALL = /^[.\w$]+\??(?:\s*:\s*(?:any|unknown|object|\{\})(?:\[\])?)?$/;

export async function mayBeKeyOfNew(
  context: ToolContext,
  { link, facts, source }: { link: ServerLink; facts: ServerFacts; source: SourceFile },
  { file, at }: Occurrence,
  name: string,
): Promise<boolean> {
  if (!facts.losesKeysOfNew) return false;
  const family = context.servers.familyOfFile(file) ?? link.language;
  const { code } = context.files.derived(maskCode, source, family);
  const offset = new TextOffsets(source.text).offsetOf(
    { line: at.line - 1, character: at.column - 1 },
    'utf-16',
  );
  if (argumentsOfNew(code, offset) === undefined) return false;
  if (!facts.methods.includes(SignatureHelpRequest.method)) return true;
  const position = toServerPosition(at, source.lines, facts.encoding);
  const params = { textDocument: { uri: pathToUri(file) }, position };
  const help = await ask(link, SignatureHelpRequest.type, params, context.during(file));
  return wantsMore(help, name);
}

/** Whether any signature has a parameter there that means more by its keys than the object itself does. */
function wantsMore(help: SignatureHelp | null, name: string): boolean {
  return (help?.signatures ?? []).some(({ label, parameters, activeParameter }) => {
    const parameter = parameters?.[activeParameter ?? help?.activeParameter ?? 0];
    if (!parameter) return false;
    const text = typeof parameter.label === 'string' ? parameter.label : label.slice(...parameter.label);
    // What was inferred from the object has the key by itself.
    return !TAKES_ALL.test(text) && !new RegExp(`[{;]\\s*${escapePattern(name)}\\??:`).test(text);
  });
}
