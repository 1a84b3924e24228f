/**
 * Changes to packages that others depend on: each breaks something in the dependents and is taken back by being made
 * again. They are small pieces of text, so that a tool or a stream editor can make them, and go by what stands around
 * the names, because those are renamed all the time.
 */

export interface Piece {
  readonly from: string;
  readonly to: string;
  /** What stands there now is what breaks the dependents. */
  readonly isBroken: boolean;
}

export interface Change {
  readonly name: string;
  readonly file: string;
  /** Dependents cannot find a name any more: a rename would leave them out, as the compiler itself would. */
  readonly hides: boolean;
  /** Undefined where the text has no such place at the moment. */
  pieceIn(text: string): Piece | undefined;
}

export const CORE_FILE = 'packages/p0/src/core.ts';
const CORE_INDEX = 'packages/p0/src/index.ts';
/** In the first package that depends on the core and has dependents of its own. */
export const NET_FILE = 'packages/p1/src/net.ts';

export function changesOf(modules: number): readonly Change[] {
  const values = Array.from({ length: modules }, (_, number) => `packages/p1/src/m${number}.ts`);
  return [
    change('export renamed', CORE_FILE, /export function (\w+?)(Gone)?\(/, ([, name, gone]) => [
      gone !== undefined,
      `export function ${name}${gone ? '' : 'Gone'}(`,
    ]),
    change(
      'another type',
      CORE_FILE,
      /\): (number|string) \{\n {2}return (?:amount - 1|String\(amount - 1\));\n/,
      ([, type]) => [
        type === 'string',
        type === 'string'
          ? '): number {\n  return amount - 1;\n'
          : '): string {\n  return String(amount - 1);\n',
      ],
    ),
    change(
      'a required parameter',
      CORE_FILE,
      /(export function \w+\(amount: number)(, rate: number)?\)/,
      ([, before, more]) => [more !== undefined, `${before}${more ? '' : ', rate: number'})`],
    ),
    change('method removed', CORE_FILE, /^ {2}(\/\/ )?(\w+\(\): \w+;)$/m, ([, gone, method]) => [
      gone !== undefined,
      `  ${gone ? '' : '// '}${method}`,
    ]),
    // As long as before, so that the size of the file does not tell.
    change(
      'another type of a method',
      CORE_FILE,
      /^( {2}(?:\/\/ )?\w+\(\): )(number|string);$/m,
      ([, before, type]) => [type === 'string', `${before}${type === 'string' ? 'number' : 'string'};`],
    ),
    change(
      'a required member',
      CORE_FILE,
      /(export interface \w+ \{\n)( {2}readonly label: string;\n)?/,
      ([, before, member]) => [
        member !== undefined,
        `${before}${member ? '' : '  readonly label: string;\n'}`,
      ],
    ),
    change(
      'method private',
      CORE_FILE,
      /^ {2}(private )?(\w+\(amount: number\): number \{)$/m,
      ([, own, method]) => [own !== undefined, `  ${own ? '' : 'private '}${method}`],
    ),
    change(
      'no longer exported by the index',
      CORE_INDEX,
      /^(\/\/ )?(export \* from '\.\/core\.js';)$/m,
      ([, gone, line]) => [gone !== undefined, `${gone ? '' : '// '}${line}`],
    ),
    change('another inferred type', NET_FILE, /= (String\()?(\w+\(1\))\)?;/, ([, text, call]) => [
      text !== undefined,
      text ? `= ${call};` : `= String(${call});`,
    ]),
    ...values.flatMap((file, number) => [
      change('another type of a value', file, /: (number|string) = '?\d+'?;/, ([, type]) => [
        type === 'string',
        type === 'string' ? `: number = ${number};` : `: string = '${number}';`,
      ]),
      change('export renamed', file, /export const (\w+?)(Gone)?: /, ([, name, gone]) => [
        gone !== undefined,
        `export const ${name}${gone ? '' : 'Gone'}: `,
      ]),
    ]),
  ];
}

/** The compiler looks for what is private in its own class only, so that being private hides it as well. */
const HIDING = new Set([
  'export renamed',
  'method removed',
  'method private',
  'no longer exported by the index',
]);

function change(
  name: string,
  file: string,
  pattern: RegExp,
  other: (match: RegExpExecArray) => readonly [isBroken: boolean, to: string],
): Change {
  return {
    name,
    file,
    hides: HIDING.has(name),
    pieceIn(text) {
      const match = pattern.exec(text);
      if (!match) return undefined;
      const [isBroken, to] = other(match);
      return { from: match[0], to, isBroken };
    },
  };
}

/** Declarations that dependents use, with the name as the first group. */
export function renamableIn(file: string): readonly RegExp[] {
  if (file === NET_FILE) return [/export const (\w+) =/];
  if (file !== CORE_FILE) return [/export const (\w+):/];
  return [
    /export function (\w+)\(/,
    /export interface (\w+)/,
    /export class (\w+)/,
    /^ {2}(\w+)\(\): \w+;$/m,
    /^ {2}(?:private )?(\w+)\(amount/m,
  ];
}
