/** A planned edit as lines: what applies it is the client's own tool, which asks its user. */
import { counted } from '../../../../shared/base/counted.ts';
import { MAX_ITEMS, oneLine } from '../../../render/budget.ts';
import type { ToolContext } from '../../../tools/context.ts';
import { editsOf } from '../../edits/apply/session-edits.ts';
import type { PlannedChange } from '../../edits/plan/edit-plan.ts';
import { textEdits } from '../../edits/plan/plan-as-edit.ts';

/** `path:line:character: old -> new` for each edit of a held plan, counted first. */
export function editLines(id: string, context: ToolContext): readonly string[] {
  const { files } = editsOf(context).held.named(id).plan;
  const edits = files.flatMap((file) => linesOf(file, context));
  const rest = edits.length - MAX_ITEMS;
  return [
    `${counted(edits.length, 'edit')} in ${counted(files.length, 'file')}:`,
    ...edits.slice(0, MAX_ITEMS),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
  ];
}

function linesOf(file: PlannedChange, { roots }: ToolContext): readonly string[] {
  const path = roots.display(file.path);
  if (file.kind === 'rename') return [`${path}: moves to ${roots.display(file.newPath)}`];
  if (file.kind !== 'change') return [`${path}: ${file.kind}d`];
  const before = file.before.text.split('\n');
  return textEdits(file.before.text, file.after).map(({ range: { start, end }, newText }) => {
    const isInLine = start.line === end.line;
    const old = isInLine ? before[start.line]?.slice(start.character, end.character) : undefined;
    const change = `${old ?? counted(end.line - start.line, 'line')} -> ${newText}`;
    return `${path}:${start.line + 1}:${start.character}: ${oneLine(change, 160)}`;
  });
}
