/**
 * What the official conformance suite finds: in our HTTP server with the tools that scenarios ask for, and in the program as
 * it is installed. A finding that is not expected fails, and so does an expected one that is not there.
 */
import { describe, expect, it } from 'vitest';
import {
  KNOWN_OF_SKILLS,
  KNOWN_OF_THE_PROGRAM,
  KNOWN_WITH_FIXTURES,
  type KnownFindings,
} from '../support/conformance/expected.ts';
import { startFixtureServer } from '../support/conformance/fixture-server.ts';
import { conformanceSuite, type Findings, type Revision } from '../support/conformance/suite.ts';
import { startHttp } from '../support/http-front-end.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

/** How many scenarios the suite has for each revision of the protocol. */
const SCENARIOS = { '2025-11-25': 33, '2026-07-28': 40 } as const;
const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
const SKILLS = ['sep-2640-skills-directory', 'sep-2640-skills-enumeration', 'sep-2640-skills-manifest'];

const startProgram = (workspace: Workspace) =>
  startHttp({ workspace, args: ['--no-auth'], env: { AGENT_LSP_TOKEN: '' } });

describe('the conformance suite, for both revisions of the protocol', () => {
  it('finds nothing in our HTTP server, with the tools that it asks for, but what is known', async (context) => {
    const suite = await conformanceSuite(context);
    await using workspace = createWorkspace();
    await using server = await startFixtureServer(workspace);
    await expectOnly(KNOWN_WITH_FIXTURES, (revision) =>
      suite.all({ url: server.url, directory: workspace.file(revision) }, revision),
    );
  });

  it('finds nothing in the program but what is known, and that it has no fixtures', async (context) => {
    const suite = await conformanceSuite(context);
    await using workspace = createWorkspace();
    await using program = await startProgram(workspace);
    await expectOnly(KNOWN_OF_THE_PROGRAM, (revision) =>
      suite.all({ url: program.url.href, directory: workspace.file(revision) }, revision),
    );
  });
});

describe('the conformance suite, for the extension for skills', () => {
  it('finds nothing in the program but what is known', async (context) => {
    const suite = await conformanceSuite(context);
    await using workspace = createWorkspace();
    await using program = await startProgram(workspace);
    const run = { url: program.url.href, directory: workspace.file('found') };
    let found: Findings = {};
    for (const scenario of SKILLS) found = { ...found, ...(await suite.one(run, scenario)) };
    expect(Object.keys(found)).toEqual(SKILLS);
    expect(found).toEqual(expected(found, KNOWN_OF_SKILLS));
  });
});

async function expectOnly(known: KnownFindings, find: (revision: Revision) => Promise<Findings>) {
  const scenarios = new Set<string>();
  for (const revision of REVISIONS) {
    const found = await find(revision);
    expect(Object.keys(found), revision).toHaveLength(SCENARIOS[revision]);
    expect(found, revision).toEqual(expected(found, known));
    for (const scenario of Object.keys(found)) scenarios.add(scenario);
  }
  expect([...scenarios], 'scenarios that are known').toEqual(expect.arrayContaining(Object.keys(known)));
}

function expected(found: Findings, known: KnownFindings): Findings {
  return Object.fromEntries(Object.keys(found).map((scenario) => [scenario, known[scenario]?.finds ?? []]));
}
