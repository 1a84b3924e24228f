/** From a name path to its definition, without knowing the file. */
import { WorkspaceSymbolRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { defineTool } from '../../tools/define-tool.ts';
import { place } from '../../tools/shapes.ts';
import { goToSymbol } from './go-to-symbol.ts';

export const symbolPathTools = [
  defineTool({
    name: 'go_to_symbol',
    title: 'Go to symbol',
    description: 'The definition of a symbol by its name path, when the file is not known.',
    effect: 'read',
    needs: WorkspaceSymbolRequest.method,
    input: () =>
      z.strictObject({
        symbol: z.string().min(1).describe('Client.stop; Client.stop#2 for the second'),
        workspace_root: z.string().min(1).optional().describe('Only below this directory'),
        language: z.string().min(1).optional().describe('Only this language'),
      }),
    output: () => z.array(place),
    run: (input, context) => goToSymbol(context, input),
  }),
];
