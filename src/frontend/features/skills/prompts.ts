/** Skills as the prompts of MCP. */
import { fail } from '../../../shared/base/failure.ts';
import { didYouMean } from '../../../shared/base/near-names.ts';
import type { ListedSkill } from './listed-skills.ts';
import { parseSkillFile } from './skill-file.ts';

export interface ListedPrompt {
  name: string;
  description: string;
  arguments?: { name: string; description: string; required: boolean }[];
}

/** Those that can be followed with these tools. */
export function skillsWith(
  skills: readonly ListedSkill[],
  tools: readonly { readonly name: string }[],
): readonly ListedSkill[] {
  const names = new Set(tools.map(({ name }) => name));
  return skills.filter(({ needs }) => needs.every((tool) => names.has(tool)));
}

export function listedPrompt({ name, description, arguments: args }: ListedSkill): ListedPrompt {
  return {
    name,
    description,
    ...(args.length === 0 ? {} : { arguments: args.map((each) => ({ ...each })) }),
  };
}

/** Fails when there is none of that name, saying which may be meant. */
export function skillNamed(
  name: string,
  skills: readonly ListedSkill[],
  all: readonly ListedSkill[],
): ListedSkill {
  const found = skills.find((skill) => skill.name === name);
  if (found) return found;
  const known = all.find((skill) => skill.name === name);
  return fail(
    known
      ? {
          kind: 'invalid-input',
          message: `the prompt ${name} needs tools that are not listed here: ${known.needs.join(', ')}`,
          next: 'Call activate_tools with profile full, or start agent-lsp with --tools full and the permission to use them',
        }
      : {
          kind: 'invalid-input',
          message: `there is no prompt ${JSON.stringify(name)}${didYouMean(
            name,
            skills.map((skill) => skill.name),
          )}`,
          next: 'prompts/list has all prompts',
        },
  );
}

/** Fails when the skill has none of that name. */
export function promptArgument(skill: ListedSkill, given: string): void {
  const names = skill.arguments.map(({ name }) => name);
  if (!names.includes(given))
    fail({
      kind: 'invalid-input',
      message: `the prompt ${skill.name} has no argument ${JSON.stringify(given)}${didYouMean(given, names)}`,
      next: names.length === 0 ? 'Leave it out' : `It takes ${names.join(', ')}`,
    });
}

/** The text of a prompt: what was passed in one line, then the skill. Fails for arguments that it does not have or misses. */
export function promptText(
  skill: ListedSkill,
  manifest: string,
  given: Readonly<Record<string, string>>,
): string {
  for (const name of Object.keys(given)) promptArgument(skill, name);
  const passed = Object.entries(given).filter(([, value]) => value.trim() !== '');
  const missing = skill.arguments.find(
    ({ name, required }) => required && !passed.some(([key]) => key === name),
  );
  if (missing)
    fail({
      kind: 'invalid-input',
      message: `the prompt ${skill.name} needs the argument ${missing.name} (${missing.description})`,
      next: 'Pass it',
    });
  const { body } = parseSkillFile(manifest);
  const line = passed.map(([key, value]) => `${key}: ${oneLine(value)}`).join(', ');
  return line === '' ? body : `${line}\n\n${body}`;
}

/** A value cannot look like a part of the workflow. */
function oneLine(value: string): string {
  return value.trim().replaceAll(/\s+/g, ' ');
}
