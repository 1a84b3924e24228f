/** Whether what an answer says of three files is true: their own lines are known, and all others are the writer's. */
export type Texts = Readonly<Record<string, string>>;

export interface Judged {
  readonly outcome: 'applied' | 'refused' | 'collided';
  readonly wrong: readonly string[];
}

export interface Answered {
  readonly text: string;
  readonly isError: boolean;
  /** The files with the lines of others, as they were before the call and are after it. */
  readonly before: Texts;
  readonly after: Texts;
  /** Their own lines before the call, and as the edit wants them. */
  readonly own: Texts;
  readonly wanted: Texts;
}

const THEIRS = /^\/\/ theirs \d+-\d+$/;

export function ownLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => !THEIRS.test(line))
    .join('\n');
}

export function theirLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => THEIRS.test(line));
}

/** The kept files that an answer names. */
export function keptIn(text: string): readonly string[] {
  return [...text.matchAll(/ is kept in (\S+\.ts)/g)].map(([, file = '']) => file);
}

export function judge({ text, isError, before, after, own, wanted }: Answered): Judged {
  const wrong: string[] = [];
  const mustBe = (name: string, expected: Texts, said: string) => {
    if (ownLines(after[name] ?? '') !== expected[name]) wrong.push(`${said}: ${name} is not so`);
  };
  const names = Object.keys(own);
  if (!isError && !/ changed \d+ places? in /.test(text)) {
    for (const name of names) mustBe(name, own, 'shown only');
    return { outcome: 'refused', wrong };
  }
  if (!isError) {
    for (const name of names) mustBe(name, wanted, 'applied');
    return { outcome: 'applied', wrong };
  }
  const differing = differingIn(text);
  for (const name of names) {
    const holds = differing.get(name);
    if (holds?.includes('the text of the edit')) mustBe(name, wanted, holds);
    else mustBe(name, own, holds ?? 'as it was');
    const isLonger = theirLines(after[name] ?? '').length > theirLines(before[name] ?? '').length;
    if (holds?.includes('of others') && !isLonger) wrong.push(`${holds}: ${name} has nothing new of others`);
  }
  const isCompared = differing.size > 0 || text.includes('All files are as they were');
  return { outcome: isCompared ? 'collided' : 'refused', wrong };
}

/** By name, what is said to be in the file. */
function differingIn(text: string): ReadonlyMap<string, string> {
  const [, list = ''] = /Not as before: (.*?)\. (?=[A-Za-z])/.exec(text) ?? [];
  return new Map(
    list.split('; ').flatMap((each) => {
      const [, name, holds] = /([^/ ]+\.ts) (.*)$/.exec(each) ?? [];
      return name === undefined || holds === undefined ? [] : [[name, holds] as const];
    }),
  );
}
