import { describe, expect, it } from 'vitest';
import { flattenSnippet } from '../../../../src/frontend/lexical/snippet.ts';

/** Snippets are written with § here, because a dollar and a brace look like a template to the linter. */
const plain = (snippet: string) => flattenSnippet(snippet.replaceAll('§', '$'));

describe('the plain text of a snippet', () => {
  it.each([
    { snippet: 'stop()', text: 'stop()' },
    { snippet: 'stop(§1)§0', text: 'stop()' },
    { snippet: 'fetch(§{1:url}, §{2:options})', text: 'fetch(url, options)' },
    {
      snippet: 'for (const §{1:item} of §{2:§{3:list}.all}) {\n\t§0\n}',
      text: 'for (const item of list.all) {\n\t\n}',
    },
    { snippet: 'align: §{1|left,cen\\,ter|};', text: 'align: left;' },
    { snippet: '§{1|a\\,b,c|}', text: 'a,b' },
    { snippet: '§{TM_FILENAME:name} §TM_SELECTED_TEXT!', text: 'name !' },
    { snippet: '§{1/(.*)/§{1:/upcase}/}done', text: 'done' },
    { snippet: 'cost: \\§5 \\} \\\\', text: 'cost: $5 } \\' },
    { snippet: 'a § b §{', text: 'a $ b ${' },
    // A backslash before what needs none stands for itself, as in a string of the code.
    { snippet: 'println!("a\\nb\\t§1")', text: 'println!("a\\nb\\t")' },
    { snippet: '§{1}x§{2:}', text: 'x' },
  ])('of $snippet is $text', ({ snippet, text }) => {
    expect(plain(snippet)).toBe(text);
  });
});
