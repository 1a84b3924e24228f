/**
 * The skills of this package as plain data: all that it takes to list them. The build runs this module and puts what it
 * gives in its place (scripts/build.mjs), so that a session lists skills without reading a file for each.
 * Decision: docs/decisions/skills.md#listed-from-the-build-read-from-the-files
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { argumentsIn, type PromptArgument } from './arguments.ts';
import { type FrontMatter, metadataOf, parseSkillFile, textOf, words } from './skill-file.ts';
import { MANIFEST, manifestOf, packagedSkills, skillFoldersBelow } from './skill-folders.ts';

export interface ListedSkill {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Without these it cannot be followed. */
  readonly needs: readonly string[];
  readonly frontMatter: FrontMatter;
  /** Of the SKILL.md as it is packaged. */
  readonly digest: string;
  readonly size: number;
}

export async function listedSkills(): Promise<readonly ListedSkill[]> {
  const directory = packagedSkills(path.join(import.meta.dirname, MANIFEST));
  const folders = await skillFoldersBelow(directory);
  return Promise.all(
    folders.map(async (folder) => {
      const name = path.relative(directory, folder);
      return listedSkill(name, await manifestOf(directory, name));
    }),
  );
}

export function listedSkill(name: string, text: string): ListedSkill {
  const { frontMatter } = parseSkillFile(text);
  const optional = words(metadataOf(frontMatter, 'optional-tools'));
  const bytes = Buffer.from(text);
  return {
    name,
    description: textOf(frontMatter, 'description') ?? '',
    arguments: argumentsIn(metadataOf(frontMatter, 'argument-hint') ?? ''),
    needs: words(textOf(frontMatter, 'allowed-tools')).filter((tool) => !optional.includes(tool)),
    frontMatter,
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    size: bytes.length,
  };
}
