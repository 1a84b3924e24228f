/** A host of the product over the scriptable server, in the test's own process. */
import type { Clock } from '../../src/shared/base/lifetime.ts';
import { createHost } from '../../src/shared/host/create-host.ts';
import type { Host } from '../../src/shared/host/host.ts';
import type { ServerPlan } from '../../src/shared/link/server-plan.ts';
import { type FakeServer, fakeServer, type Scenario } from './fake-server.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export interface HostWorld extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly server: FakeServer;
  readonly host: Host;
}

export interface HostWorldOptions {
  readonly text?: string;
  readonly scenario?: Scenario | ((workspace: Workspace) => Scenario);
  readonly clock?: Clock;
  /** Which row of the quirks table applies. */
  readonly serverId?: string;
  readonly settings?: ServerPlan['settings'];
  /** By extension; the server is told of changes of such files. */
  readonly languageIds?: ServerPlan['languageIds'];
}

export function hostWorld(options: HostWorldOptions = {}): HostWorld {
  const workspace = createWorkspace(options.text ?? '//- a.fake\nfunction alpha\n');
  const { scenario = {} } = options;
  const server = fakeServer(
    workspace.scratch,
    typeof scenario === 'function' ? scenario(workspace) : scenario,
  );
  const plan = server.plan(workspace.root, {
    serverId: options.serverId ?? 'fake',
    ...(options.settings === undefined ? {} : { settings: options.settings }),
    ...(options.languageIds === undefined ? {} : { languageIds: options.languageIds }),
  });
  if (plan.server.kind !== 'spawn') throw new Error('the fake server is spawned');
  const host = createHost(
    { ...plan, server: { ...plan.server, env: workspace.env() } },
    options.clock ? { clock: options.clock } : {},
  );
  return {
    workspace,
    server,
    host,
    async [Symbol.asyncDispose]() {
      await host.stop();
      await workspace[Symbol.asyncDispose]();
    },
  };
}
