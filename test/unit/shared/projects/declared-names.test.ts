/** What a source looks like declaring, held against what the compiler's parser finds in it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript5';
import { describe, expect, it } from 'vitest';
import { declaredNames } from '../../../../src/shared/projects/declared-names.ts';
import { type Declared, declarationsIn } from '../../../support/judge/oracle/declarations.ts';

const projectRoot = path.resolve(import.meta.dirname, '../../../..');

/** `name:line`, lines from 1. */
function looked(text: string): readonly string[] {
  return declaredNames(text).flatMap(({ name, lines }) => lines.map((line) => `${name}:${line + 1}`));
}

/** What a search by name has to list. */
function required(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const isRequired = ({ class: kind }: Declared) => kind === 'top-level' || kind === 'member';
  return declarationsIn(ts, source)
    .filter(isRequired)
    .map(({ name, offset }) => {
      const { line } = source.getLineAndCharacterOfPosition(offset);
      return `${name.replace(/^#/, '')}:${line + 1}`;
    });
}

const CASES: Readonly<Record<string, string>> = {
  'what a file declares': `
export default abstract class Shelf {}
export const enum Level { Low, High = 'high' }
declare global { interface Window { shelf: Shelf } }
namespace Outer.Inner { export type Deep = string }
declare module 'elsewhere' { export function far(): void }
export function* numbers<T>() {}
export const { first, second: renamed, ...rest } = { first: 1, second: 2 }, later = 3;
export const [head, [nested] = []] = [1, [2]];
`,
  members: `
class Box<T extends { size: number; deep: { a: string } } = { size: 1 }> {
  #secret = 1
  static instance?: Box<any>
  @Input() label = 'a'
  @observable value!: string
  constructor(private readonly owner: string, plain: number, public open = true) {}
  get size(): number { return 1 }
  set size(value: number) {}
  async *walk() {}
  declare readonly kind: { of: string }
  get = () => 1
}
interface Long {
  constructor: Function
  one: string, two(): void; three?: <T>(value: T) => T
}
`,
  'quotes, slashes and templates that could mislead': `
const text = <p>Don't {"stop"} at this {value}</p>;
const pattern = /[/{"']/.test(a) ? \`\${/[{]/.test(b) ? \`{\` : '}'} {\` : a / b / c;
// class Commented {}
/* function commented() { */
export function behind() { return \`
class InTemplate {}\`; }
export class Behind { after = 1 }
`,
};

describe('names that a source looks like declaring', () => {
  it.each(Object.entries(CASES))('are all that the compiler sees: %s', (_, text) => {
    const names = required('case.tsx', text);
    expect(names.length).toBeGreaterThan(1);
    expect(looked(text)).toEqual(expect.arrayContaining([...names]));
  });

  it('are no names of comments, templates, functions and literals', () => {
    const text = `
// class Commented {}
const kept = \`class InTemplate {}\`;
function outer(parameter: string) {
  const local = { literal: 1 };
  class Local { member = 1 }
}
`;
    expect(looked(text)).toEqual(['kept:3', 'outer:4']);
  });

  it('are one for the overloads of a function', () => {
    const text = `
function read(a: string): void;
function read(a: number): void;
function read(a: unknown) {}
class Reader {
  read(a: string): { of: string };
  read(a: unknown) { return { of: '' } }
  static read() {}
}
`;
    expect(declaredNames(text).map(({ name, lines }) => [name, ...lines.map((line) => line + 1)])).toEqual([
      ['read', 2, 3, 4],
      ['Reader', 5],
      ['read', 6, 7],
      ['read', 8],
    ]);
  });

  it('are all that the compiler sees in the sources of this project', () => {
    const sources = path.join(projectRoot, 'src');
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const missed = files.flatMap((name) => {
      const text = readFileSync(path.join(sources, name), 'utf8');
      const seen = new Set(looked(text));
      return required(name, text).filter((each) => !seen.has(each));
    });
    expect(files.length).toBeGreaterThan(100);
    expect(missed).toEqual([]);
  });
});
