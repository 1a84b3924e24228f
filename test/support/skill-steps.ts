/** The calls that a SKILL.md tells an agent to make, read from its text: lines of fences that begin with ```call. */

export interface SkillStep {
  readonly tool: string;
  /** JSON with `<names>` in the place of values. */
  readonly template: string;
  /** 1-based, in the file. */
  readonly line: number;
}

export type SkillArguments = Readonly<Record<string, unknown>>;

const CALL = /^([a-z_]+) (\{.*\})$/;
const VALUE = /<([a-z][a-z _.]*)>/g;

export function stepsOf(text: string): readonly SkillStep[] {
  let isInside = false;
  return text.split('\n').flatMap((line, index): SkillStep[] => {
    if (line.startsWith('```')) {
      isInside = line === '```call';
      return [];
    }
    if (!isInside) return [];
    const [, tool, template] = CALL.exec(line) ?? [];
    if (tool === undefined || template === undefined)
      throw new Error(`line ${index + 1} is not a tool with its arguments as JSON: ${line}`);
    return [{ tool, template, line: index + 1 }];
  });
}

/** Fails for a value that is not there. */
export function filledIn(step: SkillStep, values: Readonly<Record<string, string>>): SkillArguments {
  const json = step.template.replaceAll(VALUE, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`line ${step.line} wants <${name}>, which nothing has said`);
    return JSON.stringify(value).slice(1, -1);
  });
  return JSON.parse(json);
}
