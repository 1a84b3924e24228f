/** A front end in small: asks one thing through a daemon link, lets go, and must then end by itself. */

import { HostLink } from '../../src/frontend/link/host-link.ts';
import { openDaemonLink } from '../../src/frontend/link/open-daemon-link.ts';
import { MemoryHost } from './broker-host.ts';

const target = JSON.parse(process.argv[2] ?? '');
const link = openDaemonLink(target, async (plan) => new HostLink(new MemoryHost(plan)), { budgetMs: 30_000 });
const answer = await link.request('test/echo', 'hello');
process.stdout.write(JSON.stringify({ answer, mode: link.mode }));
await link.close();
