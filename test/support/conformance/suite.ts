/** The official conformance suite as a program that is run against a server, and what it found, scenario by scenario. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import { fetchedNode, fetchedPackage } from '../fetched.ts';

const run = promisify(execFile);
const SUITE = '@modelcontextprotocol/conformance';
const VERSION = '0.2.0-alpha.12';
/** The suite does not load in those that we run on. */
const NODE = '24';
/** `server-` is the part of the suite; the time is when the scenario was run. */
const RESULT = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

export type Revision = '2025-11-25' | '2026-07-28';

/** The checks of a scenario that did not succeed, as `id: status`, sorted; those that only inform are left out. */
export type Findings = Readonly<Record<string, readonly string[]>>;

export interface SuiteRun {
  readonly url: string;
  /** Where the suite writes what it found. */
  readonly directory: string;
}

export interface Suite {
  /** All scenarios of a revision of the protocol. */
  all(run: SuiteRun, revision: Revision): Promise<Findings>;
  /** One that belongs to an extension and to no revision. */
  one(run: SuiteRun, scenario: string): Promise<Findings>;
}

/** Skips the test where the suite cannot be fetched. */
export async function conformanceSuite(context: TestContext): Promise<Suite> {
  const node = await fetchedNode(context, NODE);
  const program = await fetchedPackage(context, SUITE, VERSION, 'dist/index.js');
  const check = async ({ url, directory }: SuiteRun, ...selection: readonly string[]) => {
    const args = [program, 'server', '--url', url, '--output-dir', directory, ...selection];
    // It ends with 1 for what it found, which is read from what it wrote.
    const { stderr } = await run(node, args, { timeout: 120_000, maxBuffer: 64 * 1024 * 1024 }).catch(
      (error: { code?: unknown; stderr?: string }) => {
        if (error.code !== 1) throw error;
        return { stderr: error.stderr ?? '' };
      },
    );
    const found = findingsIn(directory);
    if (Object.keys(found).length === 0) throw new Error(`the suite ran nothing: ${stderr}`);
    return found;
  };
  return {
    all: (where, revision) => check(where, '--suite', 'all', '--spec-version', revision),
    one: (where, scenario) => check(where, '--scenario', scenario),
  };
}

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
}

function findingsIn(directory: string): Findings {
  const entries = readdirSync(directory).flatMap((name) => {
    const scenario = RESULT.exec(name)?.[1];
    if (scenario === undefined) return [];
    const checks: readonly Check[] = JSON.parse(
      readFileSync(path.join(directory, name, 'checks.json'), 'utf8'),
    );
    const wanting = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
    const lines = wanting.map(({ id, status }) => `${id}: ${status.toLowerCase()}`);
    return [[scenario, [...new Set(lines)].sort()] as const];
  });
  return Object.fromEntries(entries);
}
