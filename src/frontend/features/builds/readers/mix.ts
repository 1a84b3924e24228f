/** Elixir's compiler: a message first, and its place in a drawing below. */
import type { BuildFinding, OutputReader, RunPlace } from '../runner.ts';
import { problemIn } from './lines-with-places.ts';

export function mixProblems(_place: RunPlace): OutputReader {
  const findings: BuildFinding[] = [];
  let open: { severity: 'error' | 'warning'; message: string } | undefined;
  return {
    line(text) {
      const begun = /^\s*(error|warning): (.+)$/.exec(text);
      const at =
        /└─ ([^\s:]+):(\d+)(?::(\d+))?/.exec(text) ?? /^\s{2}(\S+\.exs?):(\d+)(?::(\d+))?/.exec(text);
      if (begun) {
        open = { severity: begun[1] === 'warning' ? 'warning' : 'error', message: begun[2] ?? '' };
      } else if (open && at) {
        const column = at[3] === undefined ? undefined : Number(at[3]);
        findings.push({ ...open, file: at[1], line: Number(at[2]), column });
        open = undefined;
      } else if (text.startsWith('** (')) {
        const problem = problemIn(text);
        // A summary of what was told: `** (CompileError) lib/a.ex: cannot compile module A`.
        if (problem) findings.push(problem);
      }
      return text;
    },
    done: () => ({ findings }),
  };
}
