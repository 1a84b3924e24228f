/** Edits that name a symbol instead of text or lines. */
import { DocumentSymbolRequest, ReferencesRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { defineTool } from '../../tools/define-tool.ts';
import { languageId } from '../../tools/fields.ts';
import { editOutcome } from '../../tools/shapes.ts';
import { extentIn, findForEdit, proposeText } from './symbols/edited-symbol.ts';
import { insertAfter, insertBefore } from './symbols/insert-code.ts';
import { replaceBody } from './symbols/replace-body.ts';
import { safeDelete } from './symbols/safe-delete.ts';

const text = z.string().min(1);
/** In fewer words than elsewhere: all of this is sent four times. */
const symbol = { file_path: text.describe('Path'), symbol: text.describe('Client.stop, stop#2') };
const code = text.describe('At any indentation');
const dry_run = z.boolean().optional().describe('Only show it');

export const symbolEditTools = [
  defineTool({
    name: 'replace_symbol_body',
    title: 'Replace symbol body',
    description: 'Replaces the body of a function or type, or its declaration; says which errors are new.',
    effect: 'write',
    hasPreview: true,
    needs: DocumentSymbolRequest.method,
    input: () =>
      z.strictObject({
        ...symbol,
        new_body: text.describe('With or without braces, or whole declaration'),
        dry_run,
        language_id: languageId,
      }),
    output: () => editOutcome,
    run: async (input, context) => {
      const found = await findForEdit(context, input);
      // Of overloads the last is the one with a body.
      const extent = extentIn(found, found.nodes.at(-1) ?? found.nodes[0]);
      const result = replaceBody(found.source, extent, input.new_body);
      const about = 'replace the body of';
      return proposeText(context, found, {
        tool: 'replace_symbol_body',
        about,
        newText: input.new_body,
        result,
        dryRun: input.dry_run,
      });
    },
  }),
  defineTool({
    name: 'insert_after_symbol',
    title: 'Insert after symbol',
    description: 'Inserts code below a declaration.',
    effect: 'write',
    hasPreview: true,
    needs: DocumentSymbolRequest.method,
    input: () => z.strictObject({ ...symbol, code, dry_run }),
    output: () => editOutcome,
    run: async (input, context) => {
      const found = await findForEdit(context, input);
      const result = insertAfter(
        found.source,
        extentIn(found, found.nodes.at(-1) ?? found.nodes[0]),
        input.code,
      );
      const edit = { tool: 'insert_after_symbol', about: 'insert after', newText: input.code, result };
      return proposeText(context, found, { ...edit, dryRun: input.dry_run });
    },
  }),
  defineTool({
    name: 'insert_before_symbol',
    title: 'Insert before symbol',
    description: 'Inserts code above a declaration and its comments.',
    effect: 'write',
    hasPreview: true,
    needs: DocumentSymbolRequest.method,
    input: () => z.strictObject({ ...symbol, code, dry_run }),
    output: () => editOutcome,
    run: async (input, context) => {
      const found = await findForEdit(context, input);
      const result = insertBefore(found.source, extentIn(found, found.nodes[0]), input.code);
      const edit = { tool: 'insert_before_symbol', about: 'insert before', newText: input.code, result };
      return proposeText(context, found, { ...edit, dryRun: input.dry_run });
    },
  }),
  defineTool({
    name: 'safe_delete_symbol',
    title: 'Delete unused symbol',
    description: 'Deletes a declaration if nothing uses it, else lists the uses.',
    effect: 'write',
    hasPreview: true,
    needs: ReferencesRequest.method,
    input: () => z.strictObject({ ...symbol, dry_run }),
    output: () => editOutcome,
    run: (input, context) => safeDelete(context, 'safe_delete_symbol', input),
  }),
];
