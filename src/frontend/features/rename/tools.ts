/** The tools that rename a symbol everywhere it is used, or say whether that is possible. */
import { PrepareRenameRequest, RenameRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { type PlaceData, placeData } from '../../places/places.ts';
import type { Answer } from '../../render/answer.ts';
import type { Target } from '../../targets/locate.ts';
import { atAllOfOne } from '../../targets/overloads.ts';
import type { ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { dryRun, target, UNLISTED } from '../../tools/fields.ts';
import { editOutcome, place } from '../../tools/shapes.ts';
import { proposeEdit } from '../edits/plan/propose-edit.ts';
import { accountingData } from '../references/accounting/sentences.ts';
import { planRename } from './rename.ts';
import { checkRename } from './rename-check.ts';
import { remarksOn } from './rename-remarks.ts';
import { tryRename } from './rename-trial.ts';

const RENAME = 'rename_symbol';

/** Fewer ways than others have to name a place: the list of tools must stay affordable. */
const named = {
  file_path: target.file_path,
  symbol: target.symbol,
  line: target.line,
  column: target.column,
  position_pattern: target.position_pattern,
  language_id: target.language_id,
};

export const renameTools = [
  defineTool({
    name: RENAME,
    title: 'Rename symbol',
    description: 'Renames a symbol in all files or none; shown first if errors are new.',
    effect: 'write',
    hasPreview: true,
    isCore: true,
    needs: RenameRequest.method,
    input: () =>
      z.strictObject({
        ...named,
        new_name: z.string().min(1).describe('Bare'),
        exclude_globs: z.array(z.string()).optional().describe('Left as is: gen/**'),
        through_exports: z.boolean().optional().describe('Default true'),
        mentions: z.enum(['count', 'change']).optional().describe('In comments, documents'),
        trial_ms: z.number().int().min(0).optional().describe('Default 1500').meta(UNLISTED),
        dry_run: dryRun,
      }),
    output: () => editOutcome,
    run: (input, context) =>
      atAllOfOne(context, input, async (found) => {
        const { new_name: newName, exclude_globs: excludeGlobs = [] } = input;
        const planned = await planRename(context, found, {
          newName,
          excludeGlobs,
          throughExports: input.through_exports ?? true,
          changesMentions: input.mentions === 'change',
        });
        const { plan, name, incomplete, mustShow } = planned;
        const { notes, suspects } = remarksOn(context, found, planned, newName);
        const tried = await tryRename(context, planned, {
          suspects,
          language: input.language_id,
          mostMs: input.trial_ms,
        });
        return proposeEdit(context, {
          tool: RENAME,
          about: `rename ${name} to ${newName}`,
          plan,
          facts: { mode: 'rename', filePath: found.source.path, oldName: name, newName },
          dryRun: input.dry_run,
          mustShow: mustShow ?? tried.mustShow,
          notes: [...tried.notes, ...notes],
          incomplete,
          details: planned.accounting && accountingData(planned.accounting),
          // Who computed the rename judges it: another engine would first have to load the project.
          hints: { alsoCheck: suspects, keepsLines: true, judge: 'navigation' },
          trial: tried.trial,
        });
      }),
  }),
  defineTool({
    name: 'prepare_rename',
    title: 'Prepare rename',
    description: 'Whether a name can be renamed.',
    effect: 'read',
    needs: PrepareRenameRequest.method,
    fallback: RenameRequest.method,
    input: () => z.strictObject(named),
    output: () =>
      z.strictObject({
        renamable: z.boolean(),
        place: place.optional(),
        placeholder: z.string().optional(),
        /** Others of its name that are renamed together with it. */
        others: z.array(place).optional(),
        reason: z.string().optional(),
      }),
    run: (input, context) => atAllOfOne(context, input, (found) => checked(context, found)),
  }),
];

interface CheckData {
  readonly renamable: boolean;
  readonly place?: PlaceData;
  readonly placeholder?: string;
  readonly others?: PlaceData[];
  readonly reason?: string;
}

/** What is renamed together is checked together: one that is refused stops all. */
async function checked(context: ToolContext, target: Target): Promise<Answer<CheckData>> {
  const { others = [], source } = target;
  const asked = await Promise.all(
    [target, ...others].map(async (one) => ({ one, ...(await checkRename(context, one)) })),
  );
  const incomplete = asked.find((each) => each.incomplete)?.incomplete;
  for (const { one, check } of asked)
    if (check.kind === 'refused')
      return {
        text: `${one.name} (${one.shown}) cannot be renamed: ${check.reason}`,
        data: { renamable: false, reason: check.reason },
        incomplete,
      };
  const { path: file } = source;
  const passed = asked.flatMap(({ check }) => (check.kind === 'refused' ? [] : [check]));
  const [place, ...further] = passed.map(({ span }) => placeData({ uri: file, file, ...span }));
  const extents = passed.map(({ span: { start, end } }) => `${start.line}:${start.column}-${end.column}`);
  const placeholder = passed[0]?.placeholder ?? target.name;
  const unsure = asked.find(({ check }) => check.kind === 'unchecked');
  const together = further.length === 0 ? '' : ', all together';
  return {
    text: `${placeholder} (${context.roots.display(file)}:${extents.join(', ')}) ${unsure ? 'may' : 'can'} be renamed${together}`,
    data: {
      renamable: true,
      ...(place ? { place } : {}),
      placeholder,
      ...(further.length > 0 ? { others: further } : {}),
    },
    incomplete,
    notes: unsure
      ? [`${unsure.facts.serverName} does not check it before; this is the word that stands there`]
      : [],
    hint: `${RENAME} with new_name`,
  };
}
