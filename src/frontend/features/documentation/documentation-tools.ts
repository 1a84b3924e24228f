/** Documentation of a name, of the workspace or of a standard library. */
import { z } from 'zod';
import { failureOf } from '../../../shared/base/failure.ts';
import type { Answer } from '../../render/answer.ts';
import { leftOut, pageOf } from '../../render/budget.ts';
import { atTarget } from '../../targets/locate.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, limit, target } from '../../tools/fields.ts';
import { number } from '../../tools/shapes.ts';
import { documentationAt, type SymbolDoc } from './symbol-docs.ts';
import { toolchainDoc } from './toolchain-docs.ts';

const DEFAULT_LINES = 60;

const input = () =>
  z.strictObject({
    ...target,
    format: z.enum(['text', 'markdown']).optional().describe('markdown fences the signature'),
    limit: limit.describe(`Most lines; default ${DEFAULT_LINES}`),
    cursor,
  });

const output = () =>
  z.strictObject({
    symbol: z.string(),
    language: z.string(),
    source: z.enum(['toolchain', 'server', 'comment', 'none']),
    signature: z.string(),
    doc: z.string(),
    /** Where it is declared, if that is known. */
    file: z.string().optional(),
    line: number.optional(),
    column: number.optional(),
    /** What had no documentation. */
    tried: z.array(z.string()).optional(),
  });

type Input = z.output<ReturnType<typeof input>>;
type Data = z.input<ReturnType<typeof output>>;

export const symbolDocumentationTools = [
  defineTool({
    name: 'get_symbol_documentation',
    title: 'Get documentation of a symbol',
    description:
      'All documentation of a name: go doc, pydoc (standard library), else the server’s or the comment in the source. With language_id also names that the workspace does not declare, such as fmt.Println.',
    effect: 'read',
    input,
    output,
    run: async (input, context) => {
      try {
        return await atTarget(context, input, async (target) => {
          const found = await documentationAt(context, target);
          const name = found.declaration?.node.path.join('.') ?? target.name;
          return answer(context, input, found, { name, language: target.link.language });
        });
      } catch (error) {
        const elsewhere = await outsideWorkspace(context, input, error);
        if (!elsewhere) throw error;
        return elsewhere;
      }
    },
  }),
];

/** A name that no server knows may still be known to the toolchain. */
async function outsideWorkspace(
  context: ToolContext,
  input: Input,
  error: unknown,
): Promise<Answer<Data> | undefined> {
  const { symbol, language_id, file_path } = input;
  const isUnknown = ['invalid-input', 'server-missing'].includes(failureOf(error)?.kind ?? '');
  if (!isUnknown || symbol === undefined || language_id === undefined || file_path !== undefined)
    return undefined;
  const language = context.servers.familyOf(language_id);
  const printed = await toolchainDoc(context, {
    family: language,
    root: context.roots.primary,
    name: symbol,
  });
  if (!printed || 'tried' in printed) return undefined;
  return answer(context, input, { source: 'toolchain', ...printed, tried: [] }, { name: symbol, language });
}

const ORIGINS = {
  toolchain: '   from its toolchain',
  server: '   from the server',
  comment: '   from its comment',
  none: '',
};

function answer(
  context: ToolContext,
  input: Input,
  { source, signature, doc, declaration, tried, incomplete }: SymbolDoc,
  { name, language }: { name: string; language: string },
): Answer<Data> {
  const at = declaration?.node.at;
  const place =
    declaration && at ? `   ${context.roots.display(declaration.source.path)}:${at.line}:${at.column}` : '';
  const shownSignature = input.format === 'markdown' ? `\`\`\`${language}\n${signature}\n\`\`\`` : signature;
  const page = pageOf(doc === '' ? [] : doc.split('\n'), input, (line) => line.length + 1, DEFAULT_LINES);
  const head = signature === '' ? `${name}${place}` : `${shownSignature}${place}`;
  return {
    text: [
      `${head}${ORIGINS[source]}`,
      ...page.items,
      ...leftOut(page, 'lines'),
      ...(source === 'none' ? [`No documentation of ${name}; looked at ${tried.join(', ')}`] : []),
    ].join('\n'),
    data: {
      symbol: name,
      language,
      source,
      signature: shownSignature,
      doc: page.items.join('\n'),
      ...(declaration && at ? { file: declaration.source.path, ...at } : {}),
      ...(tried.length === 0 ? {} : { tried: [...tried] }),
    },
    incomplete,
    page,
    hint:
      source === 'none' && place !== ''
        ? firstOffered(context, `get_symbol_source ${place.trim()} may say more`)
        : undefined,
  };
}
