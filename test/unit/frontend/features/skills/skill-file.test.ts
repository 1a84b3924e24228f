import { readFileSync } from 'node:fs';
import path from 'node:path';
import { skillEntry } from '@modelcontextprotocol/server/ext/skills';
import { describe, expect, it } from 'vitest';
import { listedSkills } from '../../../../../src/frontend/features/skills/listed-skills.ts';
import { parseSkillFile } from '../../../../../src/frontend/features/skills/skill-file.ts';

const SKILLS = path.resolve(import.meta.dirname, '../../../../../skills');

describe('the front matter of a skill', () => {
  it('is what the SDK reads, for every skill of the package, with the digest that it computes', async () => {
    const listed = await listedSkills();
    expect(listed).toHaveLength(24);
    for (const { name, frontMatter, digest, size } of listed) {
      const files = { 'SKILL.md': readFileSync(path.join(SKILLS, name, 'SKILL.md')) };
      const { frontmatter, resources } = await skillEntry(name, files);
      expect(frontMatter).toEqual(frontmatter);
      expect(resources).toEqual([{ uri: `skill://${name}/SKILL.md`, digest, size }]);
    }
  });

  it('ends at the second line of dashes, whatever the line ends are', () => {
    const text =
      '---\r\nname: a\r\nmetadata:\r\n  more: "[b] \\"c\\""\r\nlicense: MIT\r\n---\r\n\r\n# A\r\n\r\n---\r\nrest\r\n';
    expect(parseSkillFile(text)).toEqual({
      frontMatter: { name: 'a', metadata: { more: '[b] "c"' }, license: 'MIT' },
      body: '# A\n\n---\nrest',
    });
  });

  it.each([
    { how: 'without a beginning', text: '# A\n', fault: 'begins with front matter' },
    { how: 'without an end', text: '---\nname: a\n', fault: 'begins with front matter' },
    { how: 'with a list', text: '---\nname:\n- a\n---\n', fault: 'front matter: - a' },
    { how: 'with a map in a text', text: '---\nname: a\n  b: c\n---\n', fault: 'front matter:   b: c' },
    {
      how: 'with a number',
      text: '---\nname: 1.0\n---\n',
      fault: 'put quotes around the value of name: 1.0',
    },
    { how: 'with another key in its value', text: '---\nname: a: b\n---\n', fault: 'put quotes around' },
    { how: 'with brackets', text: '---\nname: [a]\n---\n', fault: 'put quotes around' },
  ])('is refused $how, with the line', ({ text, fault }) => {
    expect(() => parseSkillFile(text)).toThrow(fault);
  });
});
