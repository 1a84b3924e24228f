/** A language that nobody speaks. Tests add it to the table, and to nothing else, and see what the tools make of it. */
import type { LanguageFamily } from '../../src/shared/languages/family.ts';

export const quillish: LanguageFamily = {
  id: 'quillish',
  aliases: [],
  extensions: { quill: 'quillish', qtx: 'quilltext' },
  rootMarkers: ['quill.toml'],
  servers: [{ serverId: 'quill-server', command: 'quill-server', args: [] }],
  install: 'quill get quill-server',
  daemonPolicy: 'auto-direct',
  tests: { names: ['proof-of-*'], inFile: /^prove\b/m },
  formatter: 'Run "quill tidy <file>" on the command line',
  text: {
    mask: { comments: ['%[^\\r\\n]*'], strings: ['‹[^›]*›'] },
    lineComments: ['%'],
    interpolation: { open: '<<', close: '>>' },
    decorator: { line: /^~\w+$/, inline: /^~\w+/ },
    imports: /^fetch\b/,
    body: { kind: 'end', header: /\bbegin(?=\s|$)/ },
    sharedStatement: { of: 'values', before: /&\s*$/ },
    bases: 'less-than',
    implementations: { head: /^give\b/, names: /give\s+(?<trait>\w+)\s+to\s+(?<type>\w+)/d },
    spawns: [{ name: 'hatching', before: /\bhatch\s+$/ }],
    publicNames: { marked: /\bopenly\b/, members: { name: /^(?!hidden)/ } },
    specialNames: /^q_/,
    gapAtTop: 2,
  },
};
