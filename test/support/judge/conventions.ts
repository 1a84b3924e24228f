/**
 * Where servers and the oracle count differently without either being wrong. A place of these classes is neither missing
 * when it is not found nor extra when it is. Nothing belongs here that an agent would miss: each row names its reason,
 * and a row is as narrow as its reason.
 */
import type { PlaceClass, Tool, TruePlace } from './truth.ts';

export interface Convention {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly classes: readonly PlaceClass[];
  readonly reason: string;
}

export const conventions: readonly Convention[] = [
  {
    name: 'own declaration',
    tools: ['references', 'implementations'],
    classes: ['definition'],
    reason:
      'asked without the declaration, servers still list it when the question is put at a use or an overload',
  },
  {
    name: 'mentions in comments',
    tools: ['references', 'callers', 'rename'],
    classes: ['comment'],
    reason:
      'a {@link} or @param in documentation is text; TypeScript 5 and 6 list them all, TypeScript 7 only some; gopls renames the documentation of what it renames',
  },
  {
    name: 'keywords',
    tools: ['references', 'callers'],
    classes: ['keyword'],
    reason: '`constructor`, `super`, `this`, `default` and the like mean the symbol without naming it',
  },
  {
    name: 'members that are read',
    tools: ['callers'],
    classes: ['property'],
    reason: 'the call hierarchy counts `value.method` as a call site, because reading an accessor calls it',
  },
  {
    name: 'mentions in strings',
    tools: ['references', 'callers', 'rename'],
    classes: ['mention'],
    reason: 'in Python the name in a string may be an export or mere text, and servers read only some',
  },
  {
    name: 'decorators without brackets',
    tools: ['callers'],
    classes: ['applied'],
    reason: '`@name` in Python calls name without a call being written; servers list it or not',
  },
  {
    name: 'merged declarations',
    tools: ['definition'],
    classes: ['declaration'],
    reason:
      'of a class and a namespace of one name TypeScript 6 names the one that is used, TypeScript 7 both',
  },
  {
    name: 'imports of what is implemented',
    tools: ['implementations'],
    classes: ['import', 'export'],
    reason:
      'an import of an interface that is also a value is listed as its implementation; it implements nothing',
  },
  {
    name: 'locals and literals',
    tools: ['symbols'],
    classes: ['local', 'literal-member', 'assigned', 'string', 'import', 'export'],
    reason:
      'a search by name has to list what files declare; servers also list some names inside of functions and literals',
  },
];

/** The convention that lets a server leave a place out. */
export function conventionFor(tool: Tool, place: TruePlace): Convention | undefined {
  return conventions.find(({ tools, classes }) => tools.includes(tool) && classes.includes(place.class));
}
