/** Files that count as open: get_diagnostics without a file reports on these. All other tools open what they need. */
import { z } from 'zod';
import { defineTool } from '../../tools/define-tool.ts';
import { filePath, languageId } from '../../tools/fields.ts';

export const documentTools = [
  defineTool({
    name: 'open_document',
    title: 'Open document',
    description:
      'Keeps a file open until close_document, so that get_diagnostics without file_path covers it. Nothing else needs this.',
    effect: 'read',
    input: () => z.strictObject({ file_path: filePath, language_id: languageId }),
    output: () => z.string(),
    run: async (input, context) => {
      const source = await context.source(input.file_path);
      const link = await context.servers.linkFor(source.path, { languageId: input.language_id });
      const { version } = await link.openDocument(source.path, context.during(source.path));
      const text = `Document opened: ${context.roots.display(source.path)} (version ${version}, ${link.language})`;
      const hint = 'get_diagnostics without file_path covers it from now on';
      return { text, data: `Document opened: ${source.path}`, hint };
    },
  }),

  defineTool({
    name: 'close_document',
    title: 'Close document',
    description: 'Ends what open_document began.',
    effect: 'read',
    input: () => z.strictObject({ file_path: filePath }),
    output: () => z.string(),
    run: async (input, context) => {
      // A file that is gone from disk can still be closed.
      const file = context.roots.resolve(input.file_path);
      const holders = await Promise.all(
        context.servers.open().map(async (link) => {
          const isOpen = (await link.openDocuments()).some((document) => document.file === file);
          if (isOpen) await link.closeDocument(file);
          return isOpen;
        }),
      );
      const shown = context.roots.display(file);
      return holders.includes(true)
        ? { text: `Document closed: ${shown}`, data: `Document closed: ${file}` }
        : { text: `Document was not open: ${shown}`, data: `Document was not open: ${file}` };
    },
  }),
];
