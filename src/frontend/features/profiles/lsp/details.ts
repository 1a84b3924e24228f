/** What our tools answer as the `details` of an action: the protocol's shapes, in which positions are counted from 0. */
import type { Diagnostic, Hover, Location, Range, SignatureHelp } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { absolutePath, pathToUri } from '../../../../shared/base/paths.ts';
import type { LspAction } from '../../../../shared/config/lsp-actions.ts';
import type { Page } from '../../../render/budget.ts';
import { kindName } from '../../../symbols/symbol-kinds.ts';
import { diagnostic, place, symbolNode } from '../../../tools/shapes.ts';

/** A list in details: its name, how many there are in all, and whether some were left out. */
export function listDetails<Name extends string, Item>(
  name: Name,
  items: readonly Item[],
  page: Page<unknown> | undefined,
) {
  const total = page?.total ?? items.length;
  return { [name]: items, total, truncated: items.length < total };
}

/** What an action answers that could not look, or found nothing. */
export function emptyDetails(action: LspAction): object | null {
  switch (action) {
    case 'definition':
    case 'references':
      return listDetails('results', [], undefined);
    case 'symbols':
      return listDetails('lines', [], undefined);
    case 'codeAction':
      return listDetails('actions', [], undefined);
    case 'workspace-diagnostics':
      return listDetails('items', [], undefined);
    case 'diagnostics':
      return diagnosticDetails([], 0, { receivedResponse: false });
    default:
      return null;
  }
}

export interface DiagnosticDetails {
  readonly diagnostics: readonly Diagnostic[];
  readonly diagnosticsTotal: number;
  readonly diagnosticsTruncated: boolean;
}

export function diagnosticDetails<State extends object>(
  diagnostics: readonly Diagnostic[],
  diagnosticsTotal: number,
  state: State,
): DiagnosticDetails & State {
  return {
    diagnostics,
    diagnosticsTotal,
    diagnosticsTruncated: diagnostics.length < diagnosticsTotal,
    ...state,
  };
}

export function locations(data: unknown): readonly Location[] {
  return z
    .array(place)
    .parse(data)
    .map((each) => ({ uri: uriOf(each.file), range: rangeOf(each) }));
}

export function hoverOf(data: unknown): Hover | null {
  const value = z.string().parse(data);
  return value === '' ? null : { contents: { kind: 'markdown', value } };
}

const signatures = z.object({
  signatures: z.array(
    z.object({
      label: z.string(),
      documentation: z.string().optional(),
      parameters: z.array(z.object({ label: z.string(), documentation: z.string().optional() })),
      active_parameter: z.number().optional(),
    }),
  ),
  active_signature: z.number(),
});

export function signatureOf(data: unknown): SignatureHelp | null {
  const { signatures: all, active_signature: activeSignature } = signatures.parse(data);
  if (all.length === 0) return null;
  const activeParameter = all[activeSignature]?.active_parameter;
  return {
    signatures: all.map(({ active_parameter: active, parameters, ...signature }) => ({
      ...withoutUndefined(signature),
      parameters: parameters.map(withoutUndefined),
      ...(active === undefined ? {} : { activeParameter: active }),
    })),
    activeSignature,
    ...(activeParameter === undefined ? {} : { activeParameter }),
  };
}

const diagnosticList = z.array(diagnostic.extend({ severity: z.literal([1, 2, 3, 4]) }));

export function diagnosticsOf(data: unknown): Diagnostic[] {
  return diagnosticList.parse(data).map(({ severity, code, source, message, ...at }) => ({
    range: rangeOf(at),
    severity,
    ...(code === undefined ? {} : { code }),
    ...(source === undefined ? {} : { source }),
    message,
  }));
}

/** `method Client.stop 2:3` for each symbol whose name has the query in it, in the order of the file. */
export function symbolSummaries(data: unknown, query: string | undefined): readonly string[] {
  const wanted = query?.toLowerCase() ?? '';
  const linesOf = (node: z.output<typeof symbolNode>, above: string): string[] => {
    const path = above === '' ? node.name : `${above}.${node.name}`;
    const { line, column } = node.selectionRange.start;
    const own = `${node.kind_name ?? kindName(node.kind)} ${path} ${line}:${column}`;
    const isWanted = node.name.toLowerCase().includes(wanted);
    return [...(isWanted ? [own] : []), ...(node.children ?? []).flatMap((child) => linesOf(child, path))];
  };
  return z
    .array(symbolNode)
    .parse(data)
    .flatMap((node) => linesOf(node, ''));
}

interface Extent {
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
}

function rangeOf({ line, column, end_line, end_column }: Extent): Range {
  return {
    start: { line: line - 1, character: column - 1 },
    end: { line: end_line - 1, character: end_column - 1 },
  };
}

/** What is no file is named by its address already. */
function uriOf(file: string): string {
  return /^[a-z][\w+.-]+:/i.test(file) && !/^[a-z]:/i.test(file) ? file : pathToUri(absolutePath(file));
}

function withoutUndefined<T extends { readonly label: string; readonly documentation?: string | undefined }>({
  label,
  documentation,
}: T): { label: string; documentation?: string } {
  return documentation === undefined ? { label } : { label, documentation };
}
