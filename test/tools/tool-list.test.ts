/** The list that the build has prepared, in every form in which a session can send it, against the registry. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ListPolicy, toolList } from '../../src/frontend/mcp/tool-list.ts';
import { NAMED_PROFILES, OUTPUT_FORMATS, PERMISSION_LEVELS } from '../../src/shared/config/choices.ts';
import { FACADE_DEFAULTS } from '../support/facade-settings.ts';
import { BUILT_PROGRAM, startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const CLIENT = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
const NO_RULES: ListPolicy['permissionRules'] = { allow: [], ask: [], deny: [] };
const RULES: ListPolicy['permissionRules'] = {
  allow: ['find_symbol', 'rename_symbol'],
  ask: ['run_*'],
  deny: ['find_*', 'set_log_level'],
};

const PLAIN: ListPolicy = {
  tools: 'full',
  output: 'text',
  permission: 'write',
  isSubagent: false,
  permissionRules: NO_RULES,
  ...FACADE_DEFAULTS,
};

const POLICIES: readonly ListPolicy[] = NAMED_PROFILES.flatMap((tools) =>
  OUTPUT_FORMATS.flatMap((output) =>
    PERMISSION_LEVELS.flatMap((permission) =>
      [false, true].flatMap((isSubagent) =>
        [NO_RULES, RULES].map((permissionRules) => ({
          ...PLAIN,
          tools,
          output,
          permission,
          isSubagent,
          permissionRules,
        })),
      ),
    ),
  ),
);

function startOf(workspace: Workspace, policy: ListPolicy): { args: string[]; env: Record<string, string> } {
  const { tools, output, permission, isSubagent, permissionRules } = policy;
  const env = {
    AGENT_LSP_TOOLS: tools,
    AGENT_LSP_OUTPUT_FORMAT: output,
    AGENT_LSP_PERMISSION: permission,
    AGENT_LSP_SUBAGENT: String(isSubagent),
  };
  if (permissionRules === NO_RULES) return { args: [], env };
  const file = workspace.write(
    `${workspace.scratch}/config.json`,
    JSON.stringify({ permissions: permissionRules }),
  );
  return { args: ['--config', file], env };
}

interface Answer {
  readonly id: number;
  readonly result: { readonly tools: readonly object[] };
}

/** The answers to a plain `tools/list` and to one whose metadata makes it the SDK's. */
async function listsOf(
  workspace: Workspace,
  { args, env }: { args: readonly string[]; env: Readonly<Record<string, string>> },
): Promise<readonly (readonly object[] | undefined)[]> {
  const child = spawn(process.execPath, [BUILT_PROGRAM, ...args], {
    cwd: workspace.root,
    env: workspace.env(env),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const messages = [
    { id: 1, method: 'initialize', params: CLIENT },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/list', params: { _meta: { 'test/trace': 'x' } } },
  ];
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let out = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    out += chunk;
    if (/"id":3[},][^\n]*\n/.test(out)) child.stdin.end();
  }
  const answers = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
  return [2, 3].map((wanted) => answers.find(({ id }) => id === wanted)?.result.tools);
}

describe('the prepared list of tools', () => {
  it('is what the registry gives, whatever a session may do, is offered and gets', async () => {
    await using workspace = createWorkspace();
    for (const policy of POLICIES) {
      const [plain, bySdk] = await listsOf(workspace, startOf(workspace, policy));
      const about = JSON.stringify(policy);
      const expected = await toolList(policy);
      expect(expected.length, about).toBeGreaterThan(0);
      // As text, because the order of keys costs nothing to keep and is what clients have in their caches.
      expect(JSON.stringify(plain), about).toBe(JSON.stringify(expected));
      expect(bySdk, about).toEqual(expected);
    }
  });

  it('differs with everything that it depends on', async () => {
    const changes: readonly Partial<ListPolicy>[] = [
      { tools: 'core' },
      { output: 'json' },
      { permission: 'read' },
      { isSubagent: true },
      { permissionRules: RULES },
      { tools: 'lsp6' },
      { tools: 'lsp' },
      { tools: 'pyright' },
    ];
    const plain = await toolList(PLAIN);
    for (const change of changes)
      expect(await toolList({ ...PLAIN, ...change }), JSON.stringify(change)).not.toEqual(plain);
    const off = { ...PLAIN.lsp, isEnabled: false };
    const toolOff = { ...PLAIN.lsp, tool: { ...PLAIN.lsp.tool, isEnabled: false } };
    const noneForSubagents = { ...PLAIN.subagents, allowsLspTools: false };
    expect(await toolList({ ...PLAIN, tools: 'lsp6', lsp: off })).toEqual([]);
    expect(await toolList({ ...PLAIN, tools: 'lsp', lsp: off })).toEqual([]);
    expect(await toolList({ ...PLAIN, tools: 'lsp', lsp: toolOff })).toEqual([]);
    expect(await toolList({ ...PLAIN, tools: 'lsp6', lsp: toolOff })).not.toEqual([]);
    const asSubagent = { ...PLAIN, tools: 'lsp', isSubagent: true, subagents: noneForSubagents } as const;
    expect(await toolList(asSubagent)).toEqual([]);
    expect(await toolList({ ...asSubagent, isSubagent: false })).not.toEqual([]);
  });

  it('says of the lsp tool that it changes the session only where that is allowed', async () => {
    const lsp = { ...PLAIN.lsp, tool: { isEnabled: true, allowsMutatingActions: true } };
    const hints = async (policy: Partial<ListPolicy>) =>
      (await toolList({ ...PLAIN, tools: 'lsp', ...policy })).map(({ annotations }) => annotations);
    const readOnly = [{ readOnlyHint: true, openWorldHint: false }];
    expect(await hints({})).toEqual(readOnly);
    expect(await hints({ lsp, isSubagent: true })).toEqual(readOnly);
    expect(await hints({ lsp })).toEqual([
      { readOnlyHint: false, destructiveHint: false, openWorldHint: false, idempotentHint: true },
    ]);
  });

  it('is what clients of the newer protocol get', async () => {
    await using workspace = createWorkspace();
    for (const output of OUTPUT_FORMATS) {
      const policy = { ...PLAIN, output };
      const client = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
      await using frontEnd = await startFrontEnd({ workspace, client, ...startOf(workspace, policy) });
      expect((await frontEnd.client.listTools()).tools).toEqual(await toolList(policy));
    }
  });

  it('has everything in it when the configuration cannot be read, so that a call can say why', async () => {
    await using workspace = createWorkspace();
    const faults = [{ tools: 'some' }, { tools: 'core', permissions: { deny: ['no_such_tool'] } }];
    for (const fault of faults) {
      const file = workspace.write(`${workspace.scratch}/config.json`, JSON.stringify(fault));
      const [plain] = await listsOf(workspace, { args: ['--config', file], env: {} });
      expect(JSON.stringify(plain)).toBe(JSON.stringify(await toolList(undefined)));
    }
  });

  it('takes neither the code of the tools nor the library of their schemas', () => {
    const dist = path.dirname(BUILT_PROGRAM);
    const launcher = readFileSync(BUILT_PROGRAM, 'utf8');
    const packs = [...launcher.matchAll(/name:"((?:start|session|tools)-\w+\.pack\.js)"/g)].map(
      ([, name]) => name ?? '',
    );
    expect(packs).toHaveLength(3);
    for (const name of packs) {
      const code = readFileSync(path.join(dist, name), 'utf8');
      expect(code, name).not.toMatch(/strictObject|ZodObject/);
    }
  });
});
