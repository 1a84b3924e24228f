/** Variables that must have one of a few values. */
import { fail } from '../base/failure.ts';
import { suggestion } from '../base/near-names.ts';
import { type Environment, variable } from '../languages/environment.ts';

export function choiceFrom<Choice extends string>(
  environment: Environment,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = variable(environment, name);
  if (value === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === value.toLowerCase());
  if (choice !== undefined) return choice;
  return fail({
    kind: 'invalid-input',
    message: `the variable ${name} is "${value}"${suggestion(value, choices)}`,
    next: `Set ${name} to one of these, or unset it.`,
  });
}
