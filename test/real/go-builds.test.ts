/** Go files that build tags or the system leave out: what gopls has not looked at is said, and never left out in silence. */
import { expect, it } from 'vitest';
import { type RealSession, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

const LEFT_OUT = 'in no build of this workspace (build tags, GOOS or GOARCH, or a module apart)';
const OTHER = process.platform === 'win32' ? 'linux' : 'windows';

const MODULE = `
//- go.mod
module example.com/tags

go 1.21
//- core/core.go
package core

func NetPrice(amount int) int {
	return amount - 1
}

type Store interface {
	Fetch() int
}
//- core/disk_${OTHER}.go
package core

type Disk struct{}

func (Disk) Fetch() int {
	return NetPrice(3)
}
//- use/use.go
package use

import "example.com/tags/core"

func Use() int {
	return core.NetPrice(1)
}
//- use/integration.go
//go:build integration

package use

import "example.com/tags/core"

func Integrate() int {
	return core.NetPrice(2)
}
`;
const IN_CORE = { file_path: 'core/core.go' };
const IN_TEST = { file_path: 'use/integration.go' };
const LONG = { timeout: 120_000 };

describeWith(['gopls', 'go'], 'Go files that are in no build', () => {
  it('are named where they mention what is asked for, and are not changed', LONG, async () => {
    await using world = realWorld(MODULE);
    const session = await world.session();
    for (const tool of ['find_references', 'find_callers']) {
      const answer = await answerOf(session, tool, { symbol: 'NetPrice', ...IN_CORE });
      expect(answer.reason).toContain(`1 file that mentions the name and is ${LEFT_OUT}`);
      expect(answer.reason).toContain('such as use/integration.go');
      expect(JSON.stringify(answer)).toContain(`the file is ${LEFT_OUT}`);
    }
    const renamed = await answerOf(session, 'rename_symbol', {
      symbol: 'NetPrice',
      new_name: 'Net',
      ...IN_CORE,
    });
    expect(renamed.reason).toContain('1 file that mentions the name');
    expect(renamed.reason).toContain('such as use/integration.go');
    expect(JSON.stringify(renamed.data)).toContain(`disk_${OTHER}.go`);
    await world.end();
  });

  it('are said to be so when they are asked about themselves', LONG, async () => {
    await using world = realWorld(MODULE);
    const session = await world.session();
    const itself = { symbol: 'Integrate', ...IN_TEST };
    for (const [tool, args] of [
      ['find_references', itself],
      ['find_callers', itself],
      ['prepare_rename', { position_pattern: 'func @@Integrate', ...IN_TEST }],
      ['rename_symbol', { new_name: 'Run', ...itself }],
      ['rename_symbol', { new_name: 'Run', position_pattern: 'core.@@NetPrice', ...IN_TEST }],
      ['safe_delete_symbol', { symbol_path: 'Integrate', ...IN_TEST }],
      ['get_diagnostics', IN_TEST],
    ] as const)
      expect(await session.refused(tool, args), tool).toContain(
        `use/integration.go is ${LEFT_OUT}: gopls has not looked at anything in it`,
      );
    await world.end();
  });

  it('are found by name, and named where they may implement an interface', LONG, async () => {
    await using world = realWorld(MODULE);
    const session = await world.session();
    for (const [tool, args] of [
      ['go_to_implementation', { symbol: 'Store', ...IN_CORE }],
      ['type_hierarchy', { symbol: 'Store', ...IN_CORE }],
    ] as const) {
      const { reason } = await answerOf(session, tool, args);
      expect(reason, tool).toContain(`is ${LEFT_OUT}, such as core/disk_${OTHER}.go`);
    }
    for (const [query, file] of [
      ['Integrate', 'use/integration.go'],
      ['Fetch', `core/disk_${OTHER}.go`],
    ] as const) {
      const found = JSON.stringify(await session.data('find_symbol', { query }));
      expect(found.split(world.workspace.file(file)), query).toHaveLength(2);
    }
    await world.end();
  });
});

async function answerOf(
  session: RealSession,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<{ readonly reason?: string; readonly data?: unknown }> {
  const { raw } = await session.frontEnd.call(tool, args, { timeoutMs: 60_000 });
  return raw.structuredContent as { reason?: string };
}
