/**
 * `--tools lsp`: one tool whose `action` says what is asked for, with a text that begins with the action and `details`
 * beside it. Lines and columns are counted from 1, positions in details are the protocol's.
 */
import { z } from 'zod';
import type { LspAction } from '../../../../shared/config/lsp-actions.ts';
import type { Outcome } from '../../../render/answer.ts';
import { defineTool } from '../../../tools/define-tool.ts';
import type { MakeFacade } from '../../../tools/facade.ts';
import { codeAction, rename, restart, servers } from './changing.ts';
import { diagnostics, workspaceDiagnostics } from './checking.ts';
import { detailsFace } from './details-face.ts';
import { checkAllowed, fields } from './fields.ts';
import { definition, documentSymbols, hover, type LspCall, references, signature } from './looking.ts';

export const lspTools: MakeFacade = (base) => [
  defineTool({
    name: 'lsp',
    title: 'Language servers',
    description:
      'Asks language servers about code: definition, references, hover, signature, symbols of a file, diagnostics. rename and codeAction only show what could be changed; they and restart work only where the user allows them.',
    effect: 'read',
    changesIfAllowed: true,
    face: detailsFace,
    limitMs: () => base.config.lsp.timeoutMs ?? base.config.callTimeoutMs,
    input: () => z.strictObject(fields),
    output: () => z.unknown(),
    run: (input, context) => {
      checkAllowed(input.action, base.config);
      return ACTIONS[input.action]({ base, context, input });
    },
  }),
];

const ACTIONS: Readonly<Record<LspAction, (call: LspCall) => Promise<Outcome>>> = {
  definition,
  references,
  hover,
  symbols: documentSymbols,
  diagnostics,
  'workspace-diagnostics': workspaceDiagnostics,
  signature,
  rename,
  codeAction,
  restart,
  servers,
};
