/** A front end that dies while it tries out text leaves none of it in the shared server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { textHash } from '../../src/shared/base/text-file.ts';
import type { Evaluation } from '../../src/shared/link/server-link.ts';
import { type BuiltEntry, buildEntry } from '../support/broker-world.ts';
import { linkWorld } from '../support/link-worlds.ts';

let client: BuiltEntry;
beforeAll(async () => {
  client = await buildEntry({ name: 'evaluating-client-entry' });
});
afterAll(() => client[Symbol.dispose]());

describe('a front end that is killed in the middle of a window', () => {
  it('leaves the disk’s text in the server, and the others are served', async () => {
    await using world = await linkWorld('daemon', {
      scenario: { rules: [{ on: 'fake/echo', file: 'hang', do: { never: true } }] },
    });
    const { link, workspace, server, target } = world;
    const [open, closed] = [workspace.file('a.fake'), workspace.file('b.fake')];
    await link.openDocument(open);
    const evaluation: Evaluation = {
      overlay: [open, closed].map((file) => ({
        file,
        text: 'tried\n',
        base: textHash(workspace.read(file)),
      })),
      requests: [{ method: 'fake/echo', params: 'hang' }],
      diagnosticsFor: [],
    };
    const victim = spawn(process.execPath, [client.script, JSON.stringify({ target, evaluation })], {
      env: workspace.env(),
      stdio: 'ignore',
    });
    await server.journal.waitFor(['received', 'fake/echo']);
    // Asked while the other text is there, and answered only when it is gone.
    const reader = link.request('fake/text', { uri: pathToUri(open) });
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    expect(await reader).toMatchObject({ open: true, text: workspace.read('a.fake') });
    expect(await world.textAtServer(closed)).toMatchObject({ open: false });
    await server.journal.waitFor(['received', '$/cancelRequest']);
    expect(server.journal.received('initialize')).toHaveLength(1);
    expect(server.journal.violations()).toEqual([]);
  });
});
