import { describe, expect, it } from 'vitest';
import { SessionLog } from '../../../../src/frontend/mcp/session-log.ts';
import { withFields } from '../../../../src/shared/base/log.ts';

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

  it('has lines for people, or lines of JSON, as each place wants them', () => {
    const [stderr, file]: [string[], string[]] = [[], []];
    const log = new SessionLog((line) => stderr.push(line), 'info', { fields: { session: 's1' } });
    log.info('for people', { count: 1, nothing: undefined });
    log.format = 'json';
    log.toFile({ write: (line) => file.push(line), format: 'text' }, { instead: false });
    withFields(log, { request: 7 }).warn('for programs', { level: 'mine', text: 'a\nb' });
    expect(stderr[0]).toBe('agent-lsp info for people session="s1" count=1\n');
    expect(stderr[1]).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(stderr[1] ?? '')).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\S+Z$/),
      level: 'warn',
      logger: 'agent-lsp',
      event: 'for programs',
      session: 's1',
      request: 7,
      text: 'a\nb',
    });
    expect(file).toEqual([
      expect.stringMatching(
        /Z agent-lsp warn for programs session="s1" request=7 level="mine" text="a\\nb"\n$/,
      ),
    ]);
  });
});
