/** A front end in small that tries out text through a daemon link, to be killed while it does. */
import { openDaemonLink } from '../../src/frontend/link/open-daemon-link.ts';

const { target, evaluation } = JSON.parse(process.argv[2] ?? '');
const refuseDirect = () => Promise.reject(new Error('the link gave up on the broker'));
const link = openDaemonLink(target, refuseDirect, { budgetMs: 30_000 });
await link.evaluate(evaluation);
await link.close();
