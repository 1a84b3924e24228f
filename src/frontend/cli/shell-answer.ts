/**
 * An answer as it is true in a shell. Each call there is a session of its own, which ends with the call: the ids of edits
 * that an agent could go on with are good for nothing, and the next step is another one.
 */
import type { Tool } from '../tools/define-tool.ts';

export function shellAnswer(answer: string, tool: Tool): string {
  const next = nextStep(answer, tool);
  if (next === undefined) return answer;
  // Data keeps its shape; what is said beside it is for the person at the terminal.
  if (/^[[{"]/.test(answer)) return `${answer}\nNext step: ${next}`;
  const told = answer
    .replace(/[;,] edit_id e\d+/g, '')
    .split('\n')
    .filter((line) => !/^next: .*\b(?:edit_id|undo)\b/.test(line));
  return [...told, `next: ${next}`].join('\n');
}

function nextStep(answer: string, { input, hasPreview }: Tool): string | undefined {
  if (/\bundo\W+e\d+/.test(answer))
    return 'what is applied from a shell is not taken back by its id: use git';
  if (!/\bedit_id\W+e\d+/.test(answer)) return undefined;
  if (/\bshown first: /.test(answer)) return 'what is shown first can be applied over MCP only';
  return hasPreview && 'dry_run' in input.shape
    ? 'to apply it, call again with --dry_run false'
    : 'it cannot be applied by a further call: each call from a shell is a session of its own';
}
