/** Reports whose texts look like XML: what a test printed must not decide how it ended. */
import { describe, expect, it } from 'vitest';
import { junitReport } from '../../../../../src/frontend/features/builds/readers/junit.ts';
import { createWorkspace } from '../../../../support/workspace.ts';

const FAILED = '<failure message="it is off">trace</failure>';

interface Report {
  readonly title: string;
  readonly cases: string;
  readonly ran: number;
  readonly skipped?: number;
  readonly failed?: readonly string[];
}

const REPORTS: readonly Report[] = [
  {
    title: 'a failure that tells of a skipped one',
    cases: '<testcase name="a"><failure><![CDATA[expected <skipped/>]]></failure></testcase>',
    ran: 1,
    failed: ['a: expected <skipped/>'],
  },
  {
    title: 'output that tells of a failure',
    cases: '<testcase name="a"><system-out><![CDATA[<failure/>]]></system-out></testcase>',
    ran: 1,
  },
  {
    title: 'output that seems to end the test',
    cases: `<testcase name="a"><system-out><![CDATA[</testcase>]]></system-out>${FAILED}</testcase><testcase name="b"/>`,
    ran: 2,
    failed: ['a: it is off'],
  },
  {
    title: 'a test that is commented out',
    cases: `<!-- <testcase name="a">${FAILED}</testcase> --><testcase name="b"/>`,
    ran: 1,
  },
  {
    title: 'a name that looks like an attribute',
    cases: `<testcase name='has status="skipped" > in it'>${FAILED}</testcase>`,
    ran: 1,
    failed: ['has status="skipped" > in it: it is off'],
  },
  {
    title: 'spaces inside of the tags',
    cases: '<testcase name="a" ><failure >why</failure ></testcase >',
    ran: 1,
    failed: ['a: why'],
  },
  {
    title: 'one that was not run, and suites in suites',
    cases: `<testcase name="a" status="notrun"/><testsuite><testcase name="b">${FAILED}</testcase></testsuite>`,
    ran: 1,
    skipped: 1,
    failed: ['b: it is off'],
  },
  {
    title: 'entities, and CDATA in parts',
    cases:
      '<testcase name="a &lt;b&gt; &#x41;"><failure><![CDATA[x]]]]><![CDATA[>y &amp;]]></failure></testcase>',
    ran: 1,
    failed: ['a <b> A: x]]>y &amp;'],
  },
];

describe('a report of tests with', () => {
  it.each(REPORTS)('$title is read right', async ({ cases, ran, skipped = 0, failed = [] }) => {
    const reading = await read(`<testsuites><testsuite>${cases}</testsuite></testsuites>`);
    expect(reading.findings.map(({ test, message }) => `${test}: ${message}`)).toEqual(failed);
    expect(reading).toMatchObject({ total: ran, skipped });
    expect(reading.doubt).toBeUndefined();
  });

  it('no end says so: more tests may have been to come', async () => {
    const reading = await read(`<testsuites><testsuite><testcase name="a"/><testcase name="b">${FAILED}`);
    expect(reading.doubt).toBe('the report ends before its end');
  });
});

async function read(report: string) {
  await using workspace = createWorkspace('');
  const file = workspace.write(`${workspace.scratch}/report.xml`, `<?xml version="1.0"?>\n${report}`);
  return await junitReport()({ cwd: workspace.root, report: file, startedAt: 0 }).done();
}
