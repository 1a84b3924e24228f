/** A process that owns a host and then waits to be killed: proof that a server never outlives its owner. */
import { createHost } from '../../src/shared/host/create-host.ts';

const host = createHost(JSON.parse(process.argv[2] ?? ''));
await host.facts();
process.stdout.write('up\n');
