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
    ['without a beginning', '# A\n', 'begins with front matter'],
    ['without an end', '---\nname: a\n', 'begins with front matter'],
    ['with a list', '---\nname:\n- a\n---\n', 'front matter: - a'],
    ['with a map in a text', '---\nname: a\n  b: c\n---\n', 'front matter:   b: c'],
    ['with a number', '---\nname: 1.0\n---\n', 'put quotes around the value of name: 1.0'],
    ['with another key in its value', '---\nname: a: b\n---\n', 'put quotes around'],
    ['with brackets', '---\nname: [a]\n---\n', 'put quotes around'],
  ])('is refused %s, with the line', (_, text, fault) => {
    expect(() => parseSkillFile(text)).toThrow(fault);
  });
});
