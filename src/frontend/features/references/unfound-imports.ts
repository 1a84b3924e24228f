/**
 * Imports that lead nowhere for the server, as of a member of the workspace that is not installed in its environment:
 * uses behind them are unknown to it, and an answer without them is not complete.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DefinitionRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { escapePattern } from '../../../shared/base/escape-pattern.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { type Point, toServerPosition } from '../../../shared/base/positions.ts';
import { languageFacts } from '../../../shared/languages/facts.ts';
import type { Modules } from '../../../shared/languages/family.ts';
import { ask } from '../../../shared/link/server-link.ts';
import { answered } from '../../ask/questions.ts';
import { isInImport } from '../../lexical/import-lines.ts';
import { occurrences } from '../../lexical/words.ts';
import { serverPlaces } from '../../places/places.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { SourceFile } from '../../workspace/source-files.ts';

/** Of more files the others are taken to be as the first ones. */
const MOST_FILES = 32;
const AT_ONCE = 8;

/** Why uses in these files may be missing, which have the name where the server knows nothing of it. */
export async function unfoundImports(
  context: ToolContext,
  { source, link }: Target,
  unclear: ReadonlySet<AbsPath>,
): Promise<Incomplete | undefined> {
  const { modules } = languageFacts(link.language);
  const module = modules && moduleOf(source.path, modules);
  const others = [...unclear].filter((file) => file !== source.path).slice(0, MOST_FILES);
  if (module === undefined || others.length === 0) return undefined;
  const pattern = new RegExp(
    `^\\s*(?:${modules?.behind.join('|')})\\s+(?:\\w+\\.)*(?=${escapePattern(module)}\\b)`,
    'm',
  );
  const found = await eachBounded(others, AT_ONCE, async (file) => {
    const other = await context.files.read(file);
    const match = pattern.exec(other.text);
    if (!match) return [];
    const before = other.text.slice(0, match.index + match[0].length).split('\n');
    const at = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    return (await isKnown(context, other, at)) ? [] : [file];
  });
  const [first, ...more] = found.flat();
  if (first === undefined) return undefined;
  const { serverName } = await context.facts.of(link, context.during());
  const files = counted(more.length + 1, 'file that mentions the name imports', {
    many: 'files that mention the name import',
  });
  return {
    reason: `${files} ${module}, which ${serverName} does not find there, such as ${context.roots.display(first)}; install it in the environment, or search their text as well`,
  };
}

/** Why nothing is known of a name that a file imports, if the import leads nowhere. */
export async function unfoundImport(
  context: ToolContext,
  { source, link, name }: Target,
): Promise<Incomplete | undefined> {
  if (!occurrences(name, source.lines).some(({ line }) => isInImport(source.lines, line))) return undefined;
  const { serverName } = await context.facts.of(link, context.during());
  return {
    reason: `${serverName} does not find what ${name} is imported from, so that other uses of it are unknown; install or build that, or search the text as well`,
  };
}

/** What other files import it by: the outermost package that it is in, or itself. */
function moduleOf(file: AbsPath, { file: named, directoryWith }: Modules): string | undefined {
  const isPackage = (directory: string) => existsSync(path.join(directory, directoryWith));
  let directory = path.dirname(file);
  if (!isPackage(directory)) return named.exec(path.basename(file))?.[1];
  while (isPackage(path.dirname(directory))) directory = path.dirname(directory);
  return path.basename(directory);
}

async function isKnown(context: ToolContext, source: SourceFile, at: Point): Promise<boolean> {
  const link = await context.servers.linkFor(source.path);
  const facts = await context.facts.offering(link, DefinitionRequest.method, context.during());
  const position = toServerPosition(at, source.lines, facts.encoding);
  const params = { textDocument: { uri: pathToUri(source.path) }, position };
  const asked = ask(link, DefinitionRequest.type, params, context.during(source.path));
  return serverPlaces(await answered(facts, DefinitionRequest.method, asked, link)).length > 0;
}
