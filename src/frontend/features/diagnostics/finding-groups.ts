/** Groups the findings of a file by the symbols that they are in. */
import { failureOf } from '../../../shared/base/failure.ts';
import { failureSentence } from '../../render/failure.ts';
import { symbolsOf } from '../../symbols/document-symbols.ts';
import { enclosingSymbol, type SymbolNode } from '../../symbols/symbol-tree.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type FileFindings, type Finding, findingData, findingLine } from './diagnostics.ts';

/** The innermost symbol around each finding; those in none are not in it. */
export type FindingGroups = ReadonlyMap<Finding, SymbolNode>;

/** The groups, or why there are none: findings are worth showing without them. */
export async function groupBySymbol(
  context: ToolContext,
  found: FileFindings,
  languageId: string | undefined,
): Promise<FindingGroups | string> {
  try {
    return await groupsOf(context, found, languageId);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure || failure.kind === 'cancelled') throw error;
    return failure.kind === 'server-error' ? failure.message : failureSentence(failure);
  }
}

async function groupsOf(
  context: ToolContext,
  { report, findings }: FileFindings,
  languageId: string | undefined,
): Promise<FindingGroups> {
  if (findings.length === 0) return new Map();
  const source = await context.files.read(report.file);
  const link = await context.servers.linkFor(source.path, { languageId });
  const tree = await symbolsOf(context, link, source);
  return new Map(
    findings.flatMap((finding) => {
      const symbol = enclosingSymbol(tree, finding.start);
      return symbol ? [[finding, symbol] as const] : [];
    }),
  );
}

/** `  Client.stop method 12` with its findings below; what is in no symbol comes last. */
export function groupLines(groups: FindingGroups, shown: readonly Finding[]): readonly string[] {
  const { symbols, ungrouped } = sorted(groups, shown);
  const indented = (finding: Finding) => `  ${findingLine(finding)}`;
  return [
    ...symbols.flatMap(([symbol, own]) => [
      `  ${symbol.path.join('.')} ${symbol.word} ${symbol.at.line}`,
      ...own.map(indented),
    ]),
    ...(ungrouped.length === 0 ? [] : ['  in no symbol', ...ungrouped.map(indented)]),
  ];
}

export function groupData(groups: FindingGroups, shown: readonly Finding[]): Record<string, unknown> {
  const { symbols, ungrouped } = sorted(groups, shown);
  return {
    symbols: symbols.map(([symbol, own]) => ({
      name: symbol.path.join('.'),
      kind: symbol.word,
      line: symbol.at.line,
      diagnostics: own.map(findingData),
    })),
    ungrouped: ungrouped.map(findingData),
  };
}

function sorted(groups: FindingGroups, shown: readonly Finding[]) {
  const symbols = new Map<SymbolNode, Finding[]>();
  const ungrouped: Finding[] = [];
  for (const finding of shown) {
    const symbol = groups.get(finding);
    if (!symbol) ungrouped.push(finding);
    else if (symbols.get(symbol)?.push(finding) === undefined) symbols.set(symbol, [finding]);
  }
  return { symbols: [...symbols].sort(([a], [b]) => a.at.line - b.at.line), ungrouped };
}
