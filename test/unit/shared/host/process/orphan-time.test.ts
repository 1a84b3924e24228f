/** No process may outlive its owner by more than five seconds. Tests with real processes cannot hold a time; these sums do. */
import { describe, expect, it } from 'vitest';
import { REAP_GRACE_MS } from '../../../../../src/broker/reaper.ts';
import { GUARD_WAITS } from '../../../../../src/shared/host/process/orphan-guard.ts';
import { TERM_GRACE_MS } from '../../../../../src/shared/host/process/spawned-server.ts';
import { SHUTDOWN_MS } from '../../../../../src/shared/host/server-instance.ts';

const PROMISED_MS = 5_000;
/** For signals and shells of a machine that has other work. */
const SPARE_MS = 1_000;

describe('the last wait before SIGKILL ends in time', () => {
  it('when the owner of the server was killed', () => {
    expect(GUARD_WAITS.byItselfMs + GUARD_WAITS.afterTermMs).toBeLessThanOrEqual(PROMISED_MS - SPARE_MS);
  });

  it('when the guard was killed as well and a new broker finds the server', () => {
    expect(REAP_GRACE_MS).toBeLessThanOrEqual(PROMISED_MS - SPARE_MS);
  });

  it('when the owner leaves properly', () => {
    expect(SHUTDOWN_MS + TERM_GRACE_MS).toBeLessThanOrEqual(PROMISED_MS - SPARE_MS);
  });
});
