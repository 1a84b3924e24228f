/** Variables that must have one of a few values, or be a number within bounds. */
import { fail } from '../base/failure.ts';
import { suggestion } from '../base/near-names.ts';
import { type Environment, variable } from '../languages/environment.ts';

const YES = ['1', 'true', 'yes', 'on'] as const;
const NO = ['0', 'false', 'no', 'off'] as const;

/** Whether a variable says yes; undefined when it says nothing. */
export function switchFrom(environment: Environment, name: string): boolean | undefined {
  const choice = choiceFrom(environment, name, [...YES, ...NO]);
  return choice && YES.some((yes) => yes === choice);
}

/** Several words, with commas or blanks between them; capitals count for nothing. */
export function choicesFrom<Choice extends string>(
  environment: Environment,
  name: string,
  choices: readonly Choice[],
): readonly Choice[] | undefined {
  const value = variable(environment, name);
  if (value === undefined) return undefined;
  const words = value.split(/[\s,]+/).filter((word) => word !== '');
  return words.map(
    (word) =>
      choices.find((choice) => choice.toLowerCase() === word.toLowerCase()) ?? refuse(name, word, choices),
  );
}

export function choiceFrom<Choice extends string>(
  environment: Environment,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = variable(environment, name);
  if (value === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === value.toLowerCase());
  if (choice !== undefined) return choice;
  return refuse(name, value, choices);
}

function refuse(name: string, value: string, choices: readonly string[]): never {
  fail({
    kind: 'invalid-input',
    message: `the variable ${name} is "${value}"${suggestion(value, choices)}`,
    next: `Set ${name} to one of these, or unset it.`,
  });
}

export function numberFrom(
  environment: Environment,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const value = variable(environment, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (number >= least && number <= most) return number;
  return fail({
    kind: 'invalid-input',
    message: `the variable ${name} is "${value}", which is not a number from ${least} to ${most}`,
    next: `Set ${name} to such a number, or unset it.`,
  });
}
