import { describe, expect, it } from 'vitest';
import { SessionLog } from '../../../../src/frontend/mcp/session-log.ts';

describe('the log of a session', () => {
  it('goes to standard error first, and to the client once there is one', () => {
    const [stderr, client]: [string[], string[]] = [[], []];
    const log = new SessionLog((line) => stderr.push(line), 'info');
    log.info('before', { count: 1 });
    log.attach((level, data) => client.push(`${level} ${data.event}`));
    log.info('after');
    log.warn('trouble');
    expect(stderr).toEqual(['agent-lsp info before count=1\n', 'agent-lsp warn trouble\n']);
    expect(client).toEqual(['info after', 'warning trouble']);
  });

  it('takes a default until somebody chooses', () => {
    const stderr: string[] = [];
    const log = new SessionLog((line) => stderr.push(line), 'info');
    log.setDefault('debug');
    log.debug('heard');
    log.threshold = 'error';
    log.setDefault('debug');
    log.debug('not heard');
    expect(stderr).toEqual(['agent-lsp debug heard\n']);
  });

  it('is cut at the level that was set, except for warnings on standard error', () => {
    const [stderr, client]: [string[], string[]] = [[], []];
    const log = new SessionLog((line) => stderr.push(line), 'info');
    log.attach((level) => client.push(level));
    log.threshold = 'critical';
    log.error('bad');
    log.threshold = 'debug';
    log.debug('detail');
    expect(stderr).toEqual(['agent-lsp error bad\n']);
    expect(client).toEqual(['debug']);
  });
});
