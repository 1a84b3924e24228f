/** A skill as an agent follows it: every call that its file has, in its order, each with what the answer has to say. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { FrontEnd } from '../../support/mcp-client.ts';
import { filledIn, stepsOf } from '../../support/skill-steps.ts';
import { parseSections, type Workspace } from '../../support/workspace.ts';

export const SKILLS = path.resolve(import.meta.dirname, '../../../skills');

export type Values = Readonly<Record<string, string>>;

export interface Expected {
  readonly says: RegExp;
  /** What the next steps need of this answer, each as the first group. */
  readonly takes?: Readonly<Record<string, RegExp>>;
  /** Done before the call, as whoever follows the skill would: a change of files, another value. */
  readonly first?: (
    workspace: Workspace,
    call: FrontEnd['call'],
  ) => Values | undefined | Promise<Values | undefined>;
}

export interface Walk {
  /** Files that only this walk has, in sections. */
  readonly files?: string;
  readonly values?: Values;
  /** One for each call of the file. */
  readonly steps: readonly (RegExp | Expected)[];
}

export async function walk(
  skill: string,
  { files = '', values = {}, steps }: Walk,
  session: { readonly frontEnd: FrontEnd; readonly workspace: Workspace },
): Promise<void> {
  const { frontEnd, workspace } = session;
  const calls = stepsOf(readFileSync(path.join(SKILLS, skill, 'SKILL.md'), 'utf8'));
  expect(steps, `a step for each call of ${skill}`).toHaveLength(calls.length);
  const own = parseSections(files);
  for (const { name, text } of own) workspace.write(name, text);
  const known: Record<string, string> = { ...values };
  try {
    for (const [index, call] of calls.entries()) {
      const step = steps[index] ?? /never/;
      const { says, takes = {}, first } = step instanceof RegExp ? { says: step } : step;
      Object.assign(known, await first?.(workspace, frontEnd.call));
      const args = filledIn(call, known);
      const { text, isError } = await frontEnd.call(call.tool, args);
      const what = `${skill}:${call.line} ${call.tool} ${JSON.stringify(args)}\n${text}\n`;
      expect(isError, what).toBe(false);
      expect(says.test(text), `${what} has not ${says}`).toBe(true);
      for (const [name, pattern] of Object.entries(takes)) {
        const value = pattern.exec(text)?.[1];
        expect(value, `${what} has no ${name}`).toBeDefined();
        known[name] = value ?? '';
      }
    }
  } finally {
    // A walk that failed half-way must not hinder the next one.
    await frontEnd.call('deactivate_skill');
    for (const { name } of own) workspace.remove(name);
  }
}
