/** Edits that are tried out before they are made: single ones, and sessions in which several are collected. */

import { z } from 'zod';
import { defineTool } from '../../tools/define-tool.ts';
import { anyCase, filePath, span } from '../../tools/fields.ts';
import { editOutcome, evaluation, number, placedDiagnostic } from '../../tools/shapes.ts';
import { placedFinding } from '../diagnostics/delta.ts';
import { isError, netErrors } from '../diagnostics/diagnostic-delta.ts';
import { chainLines, tryChain } from './chain.ts';
import { commitSession } from './commit.ts';
import { evaluateTexts } from './evaluate.ts';
import { previewEdit } from './preview.ts';
import { triedWeight } from './session.ts';
import { simulationsOf } from './simulations.ts';
import { sessionRoot, takeEdits } from './taken-edits.ts';
import { evaluationAnswer, evaluationData } from './text.ts';

const sessionId = z.string().min(1).describe('The session');
const scope = anyCase(['file', 'workspace']).optional().describe('workspace: dependent files, too');
const timeoutMs = z.number().int().min(1).optional().describe('Most milliseconds');
const workspaceRoot = z.string().min(1).optional().describe('Default: the root');
const language = z.string().min(1).optional().describe('If file names do not tell');

const edit = {
  file_path: filePath,
  ...span,
  old_text: z.string().min(1).optional().describe('Instead of a range'),
  new_text: z.string().describe('In its place'),
};

const ofSession = { session_id: z.string() };

export const simulationTools = [
  defineTool({
    name: 'preview_edit',
    title: 'Preview edit',
    description: 'Which errors an edit would bring or remove. Writes nothing; apply_edit then makes it.',
    effect: 'preview',
    input: () =>
      z.strictObject({ ...edit, scope, timeout_ms: timeoutMs, workspace_root: workspaceRoot, language }),
    output: () => z.strictObject({ ...evaluation, edit_id: z.string().optional() }),
    run: (input, context) => previewEdit(context, input),
  }),

  defineTool({
    name: 'create_simulation_session',
    title: 'Create simulation session',
    description: 'Begins a session of edits to try out together. For a single one use preview_edit.',
    effect: 'preview',
    input: () => z.strictObject({ workspace_root: workspaceRoot, language }),
    output: () => z.strictObject({ ...ofSession, status: z.string() }),
    run: async (input, context) => {
      const root = sessionRoot(context, input.workspace_root);
      if (input.language !== undefined) context.servers.familyOf(input.language);
      const { id } = simulationsOf(context).create({ root, language: input.language });
      context.audit.note({ sessionId: id });
      const hint = 'simulate_edit, or simulate_chain for several edits at once';
      return { text: `session_id ${id}`, data: { session_id: id, status: 'created' }, hint };
    },
  }),

  defineTool({
    name: 'simulate_edit',
    title: 'Simulate edit',
    description: 'Adds an edit to a session, on top of its others.',
    effect: 'preview',
    input: () => z.strictObject({ session_id: sessionId, ...edit }),
    output: () =>
      z.strictObject({
        ...ofSession,
        edit_applied: z.boolean(),
        file: z.string(),
        version_after: number,
      }),
    run: async ({ session_id: id, ...input }, context) => {
      const session = simulationsOf(context).named(id);
      return session.inTurn(context.signal, async () => {
        session.checkEditable();
        const [taken] = await takeEdits(context, session, [input]);
        if (!taken) throw new Error('an edit was given');
        const { file, note } = taken;
        simulationsOf(context).checkRoom(triedWeight(file));
        session.put([file]);
        context.audit.note({ sessionId: session.id, files: [file.path] });
        return {
          text: `${context.roots.display(file.path)}: version ${file.version}, not on disk`,
          data: { session_id: session.id, edit_applied: true, file: file.path, version_after: file.version },
          notes: note === undefined ? [] : [note],
          hint: 'evaluate_session',
        };
      });
    },
  }),

  defineTool({
    name: 'evaluate_session',
    title: 'Evaluate session',
    description: 'Which errors the edits of a session bring or remove, compared with the disk.',
    effect: 'preview',
    input: () => z.strictObject({ session_id: sessionId, scope, timeout_ms: timeoutMs }),
    output: () => z.strictObject({ ...ofSession, ...evaluation }),
    run: async (input, context) => {
      const session = simulationsOf(context).named(input.session_id);
      return session.inTurn(context.signal, async () => {
        const options = { scope: input.scope, timeoutMs: input.timeout_ms, language: session.language };
        const evaluated = await session.evaluate(() => evaluateTexts(context, session.files, options));
        context.audit.note({ sessionId: session.id });
        const data = { session_id: session.id, ...evaluationData(evaluated) };
        return evaluationAnswer(context, evaluated, data, 'commit_session');
      });
    },
  }),

  defineTool({
    name: 'simulate_chain',
    title: 'Simulate chain',
    description: 'Adds edits to a session, evaluating after each; says how far it is safe to go.',
    effect: 'preview',
    input: () =>
      z.strictObject({
        session_id: sessionId,
        edits: z
          .array(z.unknown().pipe(z.strictObject(edit)))
          .nonempty()
          .describe('Objects with the fields of simulate_edit'),
        timeout_ms: timeoutMs,
      }),
    output: () =>
      z.strictObject({
        ...ofSession,
        steps: z.array(
          z.strictObject({
            step: number,
            net_delta: number,
            errors_introduced: z.array(placedDiagnostic),
            confidence: evaluation.confidence,
            timeout: z.boolean(),
          }),
        ),
        safe_to_apply_through_step: number,
        cumulative_delta: number,
      }),
    run: async (input, context) => {
      const session = simulationsOf(context).named(input.session_id);
      return session.inTurn(context.signal, async () => {
        const chain = await tryChain(context, session, input.edits, input.timeout_ms);
        context.audit.note({ sessionId: session.id, files: session.files.map(({ path }) => path) });
        const last = chain.steps.at(-1)?.evaluated;
        return {
          text: chainLines(chain, (file) => context.roots.display(file)).join('\n'),
          data: {
            session_id: session.id,
            steps: chain.steps.map(({ step, evaluated }) => ({
              step,
              net_delta: netErrors(evaluated.delta),
              errors_introduced: evaluated.delta.introduced.filter(isError).map(placedFinding),
              confidence: evaluated.confidence,
              timeout: evaluated.timeout,
            })),
            safe_to_apply_through_step: chain.safeThrough,
            cumulative_delta: last ? netErrors(last.delta) : 0,
          },
          notes: chain.notes,
          hint: 'commit_session, or discard_session',
        };
      });
    },
  }),

  defineTool({
    name: 'commit_session',
    title: 'Commit session',
    description: 'Ends a session with its patch; apply:true writes it, all or nothing.',
    effect: 'write',
    hasPreview: true,
    input: () =>
      z.strictObject({
        session_id: sessionId,
        apply: z.boolean().optional().describe('Default: false'),
        target: z.string().min(1).optional().describe('Other folder with the same files'),
      }),
    output: () =>
      z.strictObject({
        ...ofSession,
        ...editOutcome.shape,
        files_written: z.array(z.string()).optional(),
        patch: z.string(),
      }),
    run: (input, context) => commitSession(context, input),
  }),

  defineTool({
    name: 'discard_session',
    title: 'Discard session',
    description: 'Drops the edits of a session.',
    effect: 'preview',
    input: () => z.strictObject({ session_id: sessionId }),
    output: () => z.strictObject({ ...ofSession, status: z.string() }),
    run: async (input, context) => {
      const session = simulationsOf(context).named(input.session_id);
      return session.inTurn(context.signal, async () => {
        session.discard();
        context.audit.note({ sessionId: session.id });
        return { text: 'discarded', data: { session_id: session.id, status: 'discarded' } };
      });
    },
  }),

  defineTool({
    name: 'destroy_session',
    title: 'Destroy session',
    description: 'Forgets a session, whatever its state.',
    effect: 'preview',
    input: () => z.strictObject({ session_id: sessionId }),
    output: () => z.strictObject({ ...ofSession, status: z.string() }),
    run: async ({ session_id: id }, context) => {
      const status = simulationsOf(context).destroy(id) ? 'destroyed' : 'already_destroyed';
      context.audit.note({ sessionId: id });
      return {
        text: status === 'destroyed' ? 'destroyed' : 'already_destroyed: there is no such session',
        data: { session_id: id, status },
      };
    },
  }),
];
