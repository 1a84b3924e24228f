/** Medians and bars: every figure is a ratio or a difference of two things measured in the same run. */
import { median } from '../../test/support/quantile.ts';

export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const began = performance.now();
  const value = await work();
  return { ms: performance.now() - began, value };
}

export type Medians<Name extends string> = Readonly<Record<Name, number>>;

export interface Turns {
  readonly calls: number;
  /** Calls of one kind before it is the next one's turn; one if not given. */
  readonly block?: number;
  /** Calls of each kind before anything is measured. */
  readonly warmUp?: number;
}

/** Medians of several ways to ask, measured in turns of so many calls, after a warm-up. */
export async function inTurns<Name extends string>(
  ways: Readonly<Record<Name, () => Promise<unknown>>>,
  { calls, block = 1, warmUp = 200 }: Turns,
): Promise<Medians<Name>> {
  const entries = (Object.entries(ways) as [Name, () => Promise<unknown>][]).map(([name, ask]) => ({
    name,
    ask,
    times: [] as number[],
  }));
  for (let done = -warmUp; done < calls; done += block) {
    for (const { ask, times } of entries) {
      if (done === 0) times.length = 0;
      for (let call = 0; call < block; call++) times.push((await timed(ask)).ms);
    }
  }
  return Object.fromEntries(entries.map(({ name, times }) => [name, median(times)])) as Medians<Name>;
}

export interface Row {
  readonly what: string;
  readonly workspace: string;
  /** The measured parts, in milliseconds, megabytes or requests per second, as their names say. */
  readonly parts: Readonly<Record<string, number>>;
  readonly figure: number;
  readonly unit: string;
  /** Undefined where no bar is set. */
  readonly bar?: { readonly kind: 'at most' | 'at least'; readonly value: number };
}

/** The same rows of several runs as one, with the medians of their figures: one run of two servers can be a lucky one. */
export async function overRuns(runs: number, run: () => Promise<readonly Row[]>): Promise<Row[]> {
  const all: (readonly Row[])[] = [];
  for (let done = 0; done < runs; done++) all.push(await run());
  const [first = []] = all;
  return first.map((row, index) => {
    const same = all.flatMap((rows) => rows[index] ?? []);
    const names = Object.keys(row.parts);
    return {
      ...row,
      parts: Object.fromEntries(
        names.map((name) => [name, median(same.map(({ parts }) => parts[name] ?? Number.NaN))]),
      ),
      figure: median(same.map(({ figure }) => figure)),
    };
  });
}

export function holds(row: Row): boolean {
  if (!row.bar) return true;
  return row.bar.kind === 'at most' ? row.figure <= row.bar.value : row.figure >= row.bar.value;
}

export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.workspace,
    Object.entries(row.parts)
      .map(([name, value]) => `${name} ${short(value)}`)
      .join(', '),
    `${short(row.figure)} ${row.unit}`,
    row.bar ? `${row.bar.kind} ${row.bar.value}` : '',
    row.bar ? (holds(row) ? 'ok' : 'MISSED') : '',
  ]);
  const head = ['what', 'workspace', 'measured (medians)', 'figure', 'bar', ''];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...cells.map(line)].join('\n');
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
