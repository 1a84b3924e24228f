/**
 * The arguments of a prompt, from the hint of its skill: `[symbol] [file path | directory] [optional: language]`. Each
 * pair of brackets is one thing that is wanted; of those that are parted by `|` one is enough.
 */

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

const OPTIONAL = 'optional:';

export function argumentsIn(hint: string): readonly PromptArgument[] {
  return [...hint.matchAll(/\[([^\]]*)\]/g)].flatMap(([, group = '']) => {
    const isOptional = group.trim().startsWith(OPTIONAL);
    const names = group.replace(OPTIONAL, '').split('|').map(nameOf);
    return names.map((name) => ({
      name,
      description: describe(name, names),
      required: !isOptional && names.length === 1,
    }));
  });
}

/** `file path` is `file-path`: clients put names of arguments into command lines. */
function nameOf(words: string): string {
  return words.trim().replaceAll(/\s+/g, '-');
}

function describe(name: string, alternatives: readonly string[]): string {
  const others = alternatives.filter((other) => other !== name);
  const what = MEANINGS[name] ?? name.replaceAll('-', ' ');
  return others.length === 0 ? what : `${what}; or ${others.join(' or ')}`;
}

const MEANINGS: Readonly<Record<string, string>> = {
  symbol: 'Name path, such as Client.stop',
  'file-path': 'Absolute or relative to the root',
  directory: 'Absolute or relative to the root',
  language: 'Language id',
  'consumer-directories': 'Directories of other repositories, with commas between them',
  line: '1-based',
  'start-line': '1-based',
  'end-line': '1-based',
};
