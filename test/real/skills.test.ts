/** Every skill is walked: the calls of its file are made in a real workspace, and the answers lead where its text says. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FrontEnd, startFrontEnd } from '../support/mcp-client.ts';
import { describeWith } from '../support/requirements.ts';
import { createWorkspace, parseSections, type Workspace } from '../support/workspace.ts';
import { ASIDE_FILES, asides } from './skills/asides.ts';
import { bakery, oldBakery } from './skills/bakery.ts';
import { changing, refactoring } from './skills/changing.ts';
import { COUNTER, concurrent } from './skills/concurrent.ts';
import { inGo, SHOP } from './skills/in-go.ts';
import { looking } from './skills/looking.ts';
import { SKILLS, type Walk, walk } from './skills/walk.ts';

const GROUPS = [
  { where: 'a TypeScript workspace', make: bakery, walks: { ...looking, ...changing } },
  { where: 'a TypeScript workspace with an older compiler', make: oldBakery, walks: refactoring },
  { where: 'a Python workspace', make: () => createWorkspace(COUNTER), walks: concurrent },
] satisfies readonly { where: string; make: () => Workspace; walks: Readonly<Record<string, Walk>> }[];

describe('the skills', () => {
  it('have a walk each', () => {
    const walked = GROUPS.flatMap(({ walks }) => Object.keys(walks)).sort();
    expect(walked).toEqual(readdirSync(SKILLS).sort());
    expect(walked).toEqual(expect.arrayContaining(Object.keys(inGo)));
  });
});

describe.each(GROUPS)('in $where', (group) => walks(group));

describeWith(['gopls', 'go'], 'in a Go workspace', () => {
  walks({ make: () => createWorkspace(SHOP), walks: inGo });
});

describe('what the skills say beside their steps', () => {
  let workspace: Workspace;
  let frontEnd: FrontEnd;

  beforeAll(async () => {
    workspace = bakery();
    frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never'] });
  });

  afterAll(async () => {
    await frontEnd.close();
    await workspace[Symbol.asyncDispose]();
  });

  it.each(asides)('is so: $quote', async ({ quote, skills, made, says }) => {
    for (const skill of skills)
      expect(readFileSync(path.join(SKILLS, skill, 'SKILL.md'), 'utf8'), skill).toContain(quote);
    for (const { name, text } of parseSections(ASIDE_FILES)) workspace.write(name, text);
    const { text } = await made(frontEnd.call, workspace);
    expect(text).toMatch(says);
  });
});

function walks({
  make,
  walks: each,
}: Pick<(typeof GROUPS)[number], 'make'> & { readonly walks: Readonly<Record<string, Walk>> }): void {
  let workspace: Workspace;
  let frontEnd: FrontEnd;

  beforeAll(async () => {
    workspace = make();
    frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never'] });
  });

  afterAll(async () => {
    await frontEnd.close();
    await workspace.expectNothingLeft();
    await workspace[Symbol.asyncDispose]();
  });

  it.each(Object.entries(each))('%s leads where its text says', async (skill, steps) => {
    await walk(skill, steps, { frontEnd, workspace });
  });
}
