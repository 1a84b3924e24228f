/** The name that an agent searches the text of files for: by the pattern of a search tool, or in a command of its shell. */

const NAME = /^[\p{ID_Start}_$][\p{ID_Continue}$]{2,}$/u;
/** What is written around a name to find its declaration or its calls. */
const AROUND =
  /^(?:\\b|\\<|\^|\(|\s|\\s[*+]?|(?:async|class|const|def|enum|export|fn|func|function|impl|import|interface|let|new|pub|struct|trait|type|var)(?:\s|\\s[*+]?)+)+|(?:\\b|\\>|\$|\\?\(|\)|\s|\\s[*+]?|[:=<{])+$/g;
const SEARCHERS = /^(?:e|f|u|p)?grep$|^(?:rg|ag|ack)$/;
/** Options of these programs whose value is the next word. */
const WITH_VALUE = /^(?:-[ABCgtTmjf]|--(?:glob|type|include|exclude|exclude-dir|max-count|context|file))$/;

export function nameInPattern(pattern: string): string | undefined {
  const bare = pattern.replace(AROUND, '');
  // Words of prose are searched as well; a name of code shows by its marks or capitals, or by what stands around it.
  const isCode = /[A-Z_$\d]/.test(bare) || bare !== pattern;
  return NAME.test(bare) && isCode ? bare : undefined;
}

/** Only what reads files: behind a pipe the text comes from elsewhere. */
export function nameInCommand(command: string): string | undefined {
  for (const part of command.split(/\n|;|&&|\|\|/)) {
    const [first = ''] = part.split('|');
    const words = [...first.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
    const program = words[0] === 'git' ? 1 : 0;
    if (!SEARCHERS.test((words[program] ?? '').replace(/^.*\//, ''))) continue;
    const name = nameInPattern(patternAmong(words.slice(program + 1)));
    if (name !== undefined) return name;
  }
  return undefined;
}

function patternAmong(words: readonly string[]): string {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '-e' || word === '--regexp') return words[index + 1] ?? '';
    if (WITH_VALUE.test(word)) index += 1;
    else if (!word.startsWith('-')) return word;
  }
  return '';
}
