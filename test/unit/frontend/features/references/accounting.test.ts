/** What text alone tells about an occurrence of a name: whether it is code, and what is done with it. */
import { describe, expect, it } from 'vitest';
import {
  type Accounting,
  accountedFor,
  accountingSum,
} from '../../../../../src/frontend/features/references/accounting/accounting.ts';
import { codePlaces } from '../../../../../src/frontend/features/references/accounting/code-places.ts';
import { occurrencesIn } from '../../../../../src/frontend/features/references/accounting/occurrences.ts';
import {
  accountedPart,
  accountingExtent,
  unseenReason,
} from '../../../../../src/frontend/features/references/accounting/sentences.ts';
import { useKindOf } from '../../../../../src/frontend/lexical/use-kinds.ts';
import { reasonWithAdvice } from '../../../../../src/frontend/render/incomplete.ts';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';
import { TextLines } from '../../../../../src/shared/base/positions.ts';

/** Written apart, so that it is no hole of this file's own strings. */
const HOLE = '$';

describe('an occurrence is code', () => {
  it.each([
    { family: 'typescript', text: 'stop();', is: true },
    { family: 'typescript', text: '// stop', is: false },
    { family: 'typescript', text: 'say("stop");', is: false },
    { family: 'typescript', text: `say(\`${HOLE}{a} and stop\`);`, is: false },
    { family: 'typescript', text: `say(\`${HOLE}{a.stop()}\`);`, is: true },
    { family: 'python', text: 'say("{stop}")', is: false },
    { family: 'python', text: 'say(f"{stop}")', is: true },
    { family: 'python', text: 'say(f"{a} stop")', is: false },
    { family: 'python', text: '# stop', is: false },
    { family: 'ruby', text: 'say "#{stop}"', is: true },
    { family: 'bash', text: 'say "$stop"', is: true },
    { family: 'bash', text: "say 'stop'", is: false },
    { family: 'csharp', text: 'Say($"{stop}");', is: true },
    { family: 'csharp', text: 'Say("{stop}");', is: false },
    { family: 'go', text: 'say(`stop`)', is: false },
  ])('in $family: $text is $is', ({ family, text, is }) => {
    expect(codePlaces(text, family)(text.indexOf('stop'))).toBe(is);
  });
});

describe('what is done with a name', () => {
  it.each([
    { text: 'scope.stop();', kind: 'call' },
    { text: 'scope.stop?.();', kind: 'call' },
    { text: 'scope.stop<number>(1);', kind: 'call' },
    { text: 'stop<Context<{ b: () => true }>>(wider);', kind: 'call' },
    { text: 'stop<\n  Map<string, [a: number]>\n>(wider);', kind: 'call' },
    { text: 'if (stop < 1 && other > (2)) {', kind: 'value' },
    { text: '(scope.stop as Function)(1);', kind: 'call' },
    { text: '@stop', kind: 'call' },
    { text: '@stop.register', kind: 'value' },
    { text: 'return <stop a={1} />;', kind: 'call' },
    { text: 'stop`text`;', kind: 'call' },
    { text: 'using (var open = stop()) {', kind: 'call' },
    { text: "import { stop } from './a';", kind: 'import' },
    { text: "export { stop } from './a';", kind: 'import' },
    { text: 'from app.scope import stop', kind: 'import' },
    { text: 'handle(scope.stop);', kind: 'value' },
    { text: 'const f = scope.stop;', kind: 'value' },
    { text: 'if (stop == 1) {', kind: 'value' },
    { text: 'items.map(stop => 1)', kind: 'value' },
    { text: 'stop = 1', kind: 'write' },
    { text: 'stop += 1', kind: 'write' },
    { text: 'stop++;', kind: 'write' },
    { text: '--stop;', kind: 'write' },
    { text: 'stop ??= 1;', kind: 'write' },
  ])('$text is a $kind', ({ text, kind }) => {
    const column = text.indexOf('stop') + 1;
    const [start, end] = [
      { line: 1, column },
      { line: 1, column: column + 4 },
    ];
    const file = absolutePath('/a.ts');
    expect(useKindOf({ uri: 'file:///a.ts', file, start, end }, new TextLines(text))).toBe(kind);
  });
});

describe('the occurrences of a file', () => {
  it('are those in code that no place covers, and a number of others', () => {
    const text = 'a.stop(); // stop\nx["stop"];\nother.stop();\nstopped();\n';
    const path = absolutePath('/a.ts');
    const place = { uri: '', file: path, start: { line: 1, column: 3 }, end: { line: 1, column: 7 } };
    const quoted = { uri: '', file: path, start: { line: 2, column: 3 }, end: { line: 2, column: 9 } };
    const source = { path, text, lines: new TextLines(text) };
    expect(occurrencesIn(source, 'stop', 'typescript', { known: [place, quoted] })).toEqual({
      all: 4,
      inCode: [{ file: path, at: { line: 3, column: 7 } }],
      inText: [{ file: path, at: { line: 1, column: 14 } }],
    });
    // Where only named arguments can be the name, and what is known.
    const named = { known: [place], behind: /^\(/ };
    expect(occurrencesIn(source, 'stop', 'typescript', named)).toMatchObject({ all: 2, inText: [] });
  });
});

const ALL: Accounting = {
  occurrences: 27,
  listed: 19,
  found: [],
  otherSymbols: 6,
  inText: [1, 2].map((line) => ({ file: absolutePath('/a.ts'), at: { line, column: 1 } })),
  possible: [],
  unseen: undefined,
  elsewhere: undefined,
};

const ROOTS = { display: (file: string) => file.slice(1) };

describe('the accounting in words', () => {
  it('says how many of how many, and what the others are', () => {
    expect(accountedPart(ALL, ROOTS)).toBe('27 of 27 occurrences accounted for (6 other symbols, 2 in text)');
    expect(accountedPart({ ...ALL, otherSymbols: 0, inText: [] }, ROOTS)).toBe(
      '27 of 27 occurrences accounted for',
    );
    expect(unseenReason(ALL, 'stop', 'pyright')).toBeUndefined();
  });

  it('names files of other languages, and then is complete for its own language only', () => {
    const at = (name: string, line: number) => ({ file: absolutePath(`/${name}`), at: { line, column: 1 } });
    const first = [at('App.vue', 3), at('Login.vue', 7)];
    const elsewhere = { language: 'typescript', files: first.map(({ file }) => file), first, unread: [] };
    const some = { ...ALL, otherSymbols: 0, inText: [], elsewhere };
    const named = 'also named in 2 files of other languages: App.vue:3, Login.vue:7 (not looked at)';
    expect(accountedPart(some, ROOTS)).toBe(`27 of 27 occurrences accounted for; ${named}`);
    expect(accountingExtent(undefined, some)).toBe('complete for typescript');
    expect(accountingExtent(undefined, ALL)).toBe('complete');
    expect(accountingExtent({ reason: 'not ready' }, some)).toBe('incomplete');
    const closed = { ...elsewhere, files: [], first: [], unread: [absolutePath('/large.html')] };
    expect(accountedPart({ ...some, elsewhere: closed }, ROOTS)).toBe(
      '27 of 27 occurrences accounted for; 1 file of another language could not be searched, such as large.html',
    );
    // The same files for several names of an answer are counted once.
    expect(accountingSum([some, some])?.elsewhere).toEqual(elsewhere);
  });

  it('lists a possible use of several names once', () => {
    const start = { line: 3, column: 5 };
    const place = { uri: 'file:///a.ts', file: absolutePath('/a.ts'), start, end: { line: 3, column: 9 } };
    const some = { ...ALL, possible: [{ place, why: 'its receiver has no known type' }] };
    expect(accountingSum([some, some])?.possible).toEqual(some.possible);
  });

  it.each(['many', 'time', 'no-definitions', 'files'] as const)(
    'says what was not looked at: %s',
    (reason) => {
      const some = { ...ALL, unseen: { count: 7, reason } };
      expect(accountedFor(some)).toBe(20);
      const unseen = unseenReason(some, 'stop', 'pyright');
      expect(unseen && reasonWithAdvice(unseen)).toMatch(/; (find_references account:"all"|search|retry)/);
    },
  );
});
