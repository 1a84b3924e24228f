/** Ruby. */
import type { LanguageFamily } from '../family.ts';
import { HASH, HEREDOC, REGEX, SINGLE } from '../masks.ts';
import { namesLike } from '../name-looks.ts';
import { AS_GIVEN } from '../runner-rows.ts';
import { around } from '../spawn-parts.ts';

export const ruby: LanguageFamily = {
  id: 'ruby',
  aliases: ['solargraph'],
  extensions: { rb: 'ruby', rake: 'ruby', gemspec: 'ruby', ru: 'ruby' },
  usedIn: ['erb', 'haml', 'slim'],
  fileNames: { Gemfile: 'ruby', Rakefile: 'ruby' },
  rootMarkers: ['Gemfile', '*.gemspec', '.solargraph.yml'],
  servers: [{ serverId: 'solargraph', command: 'solargraph', args: ['stdio'] }],
  install: 'gem install solargraph',
  daemonPolicy: 'auto-direct',
  variables: ['GEM_HOME', 'BUNDLE_GEMFILE'],
  tests: { names: ['*_spec', '*_test', 'test_*', 'spec_helper', 'test_helper', 'rails_helper'] },
  runners: () => [
    {
      name: 'rspec',
      task: 'test',
      recognised: { files: ['.rspec', 'spec'] },
      program: { kind: 'vendored', file: 'bin/rspec', name: 'rspec' },
      args: [],
      only: AS_GIVEN,
      reportArgs: ['--format', 'progress', '--format', 'json', '--out', '{report}'],
      reader: 'rspec',
      install: 'bundle add rspec --group test',
      rank: 3,
    },
    {
      name: 'rake test',
      task: 'test',
      recognised: { files: ['Rakefile'], containing: /TestTask|task[ (:]+test\b|rails/ },
      program: { kind: 'vendored', file: 'bin/rake', name: 'rake' },
      args: ['test'],
      only: { file: ['TEST={path}'] },
      reader: 'minitest',
      install: 'gem install rake',
      rank: 3,
    },
  ],
  text: () => ({
    // Operators are methods, and constants may be named with the modules they are in.
    names: {
      fits: namesLike(
        String.raw`(?:(?:::)?(?:\w+::)*|@@?|\$|:)[A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*[?!=]?`,
        String.raw`[^\s\w"'#(){};,.]+`,
      ),
    },
    namedArguments: /^\s*:(?!:)/,
    mask: {
      comments: [String.raw`^=begin\b[\s\S]*?^=end\b`, HASH],
      strings: [HEREDOC, REGEX, String.raw`%[wWiIqQr]?(?:\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|\|[^|]*\|)`, SINGLE],
      opens: ['"'],
      spansLines: true,
    },
    lineComments: ['#'],
    interpolation: { open: '#{', close: '}' },
    imports: /^\s*(?:require|require_relative|load)\b/,
    body: {
      kind: 'end',
      header: /^(?:[^\r\n;]*,[^\S\r\n]*(?:\r\n|\n|\r))*[^\r\n;]*?(?=\s*(?:;|\r|\n|$))/,
      isSeparated: true,
    },
    bases: 'less-than',
    spawns: around(/\b(?:Thread|Ractor|Fiber)\.(?:new|start|fork)\s*$/, /\bfork\s*$/),
  }),
};
