/** The tool that reports what servers find wrong in files, with the proof that this is about the text on disk. */

import { statSync } from 'node:fs';
import { z } from 'zod';
import { fail } from '../../../shared/base/failure.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, filePath, languageId, limit } from '../../tools/fields.ts';
import { diagnostic } from '../../tools/shapes.ts';
import { baselineAnswer } from './baseline.ts';
import { baselinesOf } from './baselines.ts';
import { checkFiles, openTargets } from './check-files.ts';
import { answerFor, byFolder, keepBaseline, withoutDuplicates } from './diagnostics-answer.ts';
import { statusOf } from './file-status.ts';
import { groupBySymbol } from './finding-groups.ts';
import { folderAnswer } from './folder-diagnostics.ts';

const MOST_FILES = 64;

export const diagnosticTools = [
  defineTool({
    name: 'get_diagnostics',
    title: 'Get diagnostics',
    description:
      'Errors and warnings of files as they are on disk now, proven fresh. Use it after edits. baseline:true before a change and since after it list only what is new.',
    effect: 'read',
    isCore: true,
    output: () => z.record(z.string(), z.array(diagnostic).nullable()),
    input: () =>
      z.strictObject({
        file_path: filePath.optional().describe('File or directory; default: open files'),
        files: z.array(filePath).min(1).max(MOST_FILES).optional().describe('Several files'),
        language_id: languageId,
        severity: z.enum(['error', 'warning', 'info', 'all']).optional().describe('Lowest; default warning'),
        group_by: z.enum(['symbol']).optional().describe('Needs file_path'),
        baseline: z.boolean().optional().describe('Only an id for since'),
        since: z.string().min(1).optional().describe('Id of a baseline'),
        limit,
        cursor,
      }),
    run: async (input, context) => {
      const since = input.since === undefined ? undefined : baselinesOf(context).named(input.since);
      const named = [
        ...new Set([...(input.file_path === undefined ? [] : [input.file_path]), ...(input.files ?? [])]),
      ];
      const isOne = input.file_path !== undefined && named.length === 1;
      const folder = isOne ? context.roots.resolve(named[0] ?? '') : undefined;
      if (folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory())
        return folderAnswer(context, folder, input, since);
      if (input.group_by !== undefined && !isOne)
        fail({ kind: 'invalid-input', message: 'group_by needs one file', next: 'Pass file_path alone' });
      const before = [...(since?.files.keys() ?? [])];
      const targets = named.length > 0 ? named : before.length > 0 ? before : await openTargets(context);
      if (targets.length === 0) {
        const text = 'No file is open in this session, so nothing was checked';
        return { text, data: {}, hint: 'pass file_path or files' };
      }
      const checked = await checkFiles(context, targets, { languageId: input.language_id });
      const checks = byFolder(context, withoutDuplicates(checked));
      const [first] = checks;
      // Of one file the failure is the answer; among several it is the state of one.
      if (isOne && first?.kind === 'unchecked' && statusOf(first) !== 'timeout') fail(first.failure);
      const groups =
        input.group_by === undefined || first?.kind !== 'checked'
          ? undefined
          : await groupBySymbol(context, first.found, input.language_id);
      const kept = input.baseline ? keepBaseline(context, checks) : undefined;
      if (kept && !since) return baselineAnswer(kept, checks);
      return answerFor(checks, input, { context, since, kept, groups });
    },
  }),
];
