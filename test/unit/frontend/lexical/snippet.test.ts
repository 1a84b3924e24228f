import { describe, expect, it } from 'vitest';
import { flattenSnippet } from '../../../../src/frontend/lexical/snippet.ts';

/** Snippets are written with § here, because a dollar and a brace look like a template to the linter. */
const plain = (snippet: string) => flattenSnippet(snippet.replaceAll('§', '$'));

describe('the plain text of a snippet', () => {
  it.each([
    ['stop()', 'stop()'],
    ['stop(§1)§0', 'stop()'],
    ['fetch(§{1:url}, §{2:options})', 'fetch(url, options)'],
    ['for (const §{1:item} of §{2:§{3:list}.all}) {\n\t§0\n}', 'for (const item of list.all) {\n\t\n}'],
    ['align: §{1|left,cen\\,ter|};', 'align: left;'],
    ['§{1|a\\,b,c|}', 'a,b'],
    ['§{TM_FILENAME:name} §TM_SELECTED_TEXT!', 'name !'],
    ['§{1/(.*)/§{1:/upcase}/}done', 'done'],
    ['cost: \\§5 \\} \\\\', 'cost: $5 } \\'],
    ['a § b §{', 'a $ b ${'],
    // A backslash before what needs none stands for itself, as in a string of the code.
    ['println!("a\\nb\\t§1")', 'println!("a\\nb\\t")'],
    ['§{1}x§{2:}', 'x'],
  ])('of %j is %j', (snippet, text) => {
    expect(plain(snippet)).toBe(text);
  });
});
