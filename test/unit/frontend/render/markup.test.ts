import { describe, expect, it } from 'vitest';
import { markupText } from '../../../../src/frontend/render/markup.ts';

describe('documentation of servers', () => {
  it('is shown with the characters that were meant, and code as it is', () => {
    expect(markupText('a&nbsp;&lt;b&gt; &amp; `&nbsp;`\n```c\nx &amp; y;\n```')).toBe(
      'a <b> & `&nbsp;`\n```c\nx &amp; y;\n```',
    );
  });

  it('is shown without the backslashes of Markdown, but with those of its author', () => {
    const value = 'a\\_b \\*args \\[x\\] \\`y\\` \\\\ \\d \\.js `a\\_b`';
    expect(markupText({ kind: 'markdown', value })).toBe('a_b *args [x] `y` \\ \\d \\.js `a\\_b`');
    expect(markupText({ kind: 'plaintext', value })).toBe(value);
  });

  it('loses the blanks that end a line in Markdown, and none before code', () => {
    const value = 'Ends here.  \nAnd then.  `None` if it is missing, or  ```x```';
    expect(markupText({ kind: 'markdown', value })).toBe(
      'Ends here.\nAnd then.  `None` if it is missing, or  ```x```',
    );
  });
});
