/**
 * Names that a TypeScript or JavaScript source seems to declare: those of the file itself and members of its classes,
 * interfaces and enums, not what is inside of functions and literals. The list may have too many names but should lack
 * none: callers ask the server about the places before they rely on it.
 */
import type { DeclaredName } from '../link/reach-question.ts';
import { type SourceToken, tokensOf } from './source-tokens.ts';

interface Entry extends DeclaredName {
  readonly lines: number[];
  readonly isFunction: boolean;
  hasBody: boolean;
}

type Kind = 'top' | 'members' | 'pattern' | 'parameters' | 'other';

/** What a bracket has opened. */
interface Frame {
  readonly kind: Kind;
  /** The last one of each name. */
  readonly entries: Map<string, Entry>;
  last: Entry | undefined;
}

/** A token with its neighbours, which are marks where there are none. */
interface Seen {
  readonly token: SourceToken;
  readonly before: string;
  readonly after: string;
  readonly next: SourceToken | undefined;
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const NAMED = wordsIn('function class interface type enum namespace module');
const HOLDERS = wordsIn('class interface enum');
const SPACES = wordsIn('namespace module global');
const VARIABLES = wordsIn('const let var using');
const OUTERMOST = wordsIn(`export declare abstract import async ${[...NAMED, ...VARIABLES].join(' ')}`);
const MODIFIERS = wordsIn(
  'public private protected static readonly abstract override declare async accessor get set',
);
const AFTER_NAMED = /^(?:[{(<=.]|extends|implements)$/;
const AFTER_MEMBER = /^[(<?!:=;,}]?$/;
const BEFORE_MEMBER = /^[{;,})*]$/;
/** Behind these comes more of what was begun. */
const GOES_ON = /^(?:[=:|&<.?+\-*/%^~,(]|extends|implements|keyof|typeof|new|is|in|as|instanceof)$/;

export function declaredNames(text: string): readonly DeclaredName[] {
  const look = new Look();
  let before = '';
  let token: SourceToken | undefined;
  for (const next of tokensOf(text)) {
    if (token) look.see({ token, before, after: next.isFirst ? '' : next.text, next });
    before = token?.text ?? '';
    token = next;
  }
  if (token) look.see({ token, before, after: '', next: undefined });
  return look.found;
}

class Look {
  readonly found: Entry[] = [];
  #frames: Frame[] = [opened('top')];
  /** What the next braces hold that are not part of a type. */
  #coming: Kind = 'other';
  #isInVariables = false;
  /** The last one that was seen. */
  #decorator = '';

  see(seen: Seen): void {
    const { token, next } = seen;
    // Whatever was misunderstood inside of a declaration ends with it.
    if (token.isOutermost && OUTERMOST.has(token.text) && next?.isWord && this.#frames.length > 1)
      this.#frames = this.#frames.slice(0, 1);
    if (token.isWord) this.#word(seen);
    else this.#mark(seen);
  }

  #mark({ token: { text }, before }: Seen): void {
    const frame = this.#frame;
    if (text === '{' || text === '(' || text === '[') {
      this.#frames.push(opened(this.#kindOf(text, before)));
      if (text === '{' && frame.last?.isFunction && !GOES_ON.test(before)) frame.last.hasBody = true;
    } else if (text === '}' || text === ')' || text === ']') {
      if (this.#frames.length > 1) this.#frames.pop();
    } else if (text === ';' && frame.kind === 'top') {
      this.#coming = 'other';
      this.#isInVariables = false;
    }
  }

  #kindOf(bracket: string, before: string): Kind {
    const { kind } = this.#frame;
    if (bracket === '(') return kind === 'members' && before === 'constructor' ? 'parameters' : 'other';
    if (kind === 'pattern') return before === '=' ? 'other' : 'pattern';
    if (kind === 'top' && VARIABLES.has(before)) return 'pattern';
    if (bracket === '[' || kind !== 'top' || GOES_ON.test(before)) return 'other';
    const coming = this.#coming;
    this.#coming = 'other';
    return coming;
  }

  #word(seen: Seen): void {
    switch (this.#frame.kind) {
      case 'top':
        this.#atTop(seen);
        break;
      case 'members':
        this.#amongMembers(seen);
        break;
      case 'parameters':
        if (MODIFIERS.has(seen.before) && !MODIFIERS.has(seen.token.text))
          this.#add(seen.token, { isFunction: false, frame: this.#frames.at(-2) });
        break;
      case 'pattern':
        if (/^[,}\]=]?$/.test(seen.after) && seen.before !== '=') this.#add(seen.token);
    }
  }

  #atTop({ token, before, after, next }: Seen): void {
    const { text, isFirst } = token;
    if (isFirst && before !== ',') this.#isInVariables = false;
    if (before === '.') {
      if (this.#coming === 'top') this.#add(token);
      return;
    }
    if (HOLDERS.has(text) && (next?.isWord || after === '{')) this.#coming = 'members';
    else if (SPACES.has(text) && after !== '.') this.#coming = 'top';
    if (VARIABLES.has(text)) this.#isInVariables = true;
    const isNamed =
      (NAMED.has(before) && (after === '' || AFTER_NAMED.test(after))) ||
      (text === 'global' && after === '{');
    const isGenerator = before === '*' && (after === '(' || after === '<');
    const isVariable =
      VARIABLES.has(before) || (this.#isInVariables && before === ',' && /^[=:;,!]?$/.test(after));
    if (isNamed || isGenerator) this.#add(token, { isFunction: isGenerator || before === 'function' });
    else if (isVariable && !(NAMED.has(text) && next?.isWord)) this.#add(token);
  }

  #amongMembers({ token, before, after, next }: Seen): void {
    const { text, isFirst } = token;
    if (
      (text === 'constructor' && after === '(') ||
      (before !== ',' && before !== '*' && GOES_ON.test(before))
    )
      return;
    if (before === '@') this.#decorator = text;
    const isModifier = MODIFIERS.has(text) && next !== undefined && !AFTER_MEMBER.test(next.text);
    const isBegun =
      isFirst || BEFORE_MEMBER.test(before) || MODIFIERS.has(before) || before === this.#decorator;
    if (!isModifier && isBegun && AFTER_MEMBER.test(after))
      this.#add(token, { isFunction: after === '(' || after === '<' });
  }

  #add({ text, line }: SourceToken, { isFunction = false, frame = this.#frame }: Adding = {}): void {
    const name = text.replace(/^#/, '');
    const previous = frame.entries.get(name);
    const isOverload = isFunction && previous?.isFunction && !previous.hasBody;
    const entry = isOverload ? previous : { name, lines: [], isFunction, hasBody: false };
    entry.lines.push(line);
    if (!isOverload) this.found.push(entry);
    frame.entries.set(name, entry);
    frame.last = entry;
  }

  get #frame(): Frame {
    const frame = this.#frames.at(-1);
    if (!frame) throw new Error('the file itself is never left');
    return frame;
  }
}

interface Adding {
  readonly isFunction?: boolean;
  readonly frame?: Frame | undefined;
}

function opened(kind: Kind): Frame {
  return { kind, entries: new Map(), last: undefined };
}
