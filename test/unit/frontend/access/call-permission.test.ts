import { describe, expect, it } from 'vitest';
import { type AuditFacts, NO_NOTES } from '../../../../src/frontend/access/audit-facts.ts';
import { callPermission, type UserAnswer } from '../../../../src/frontend/access/call-permission.ts';
import { notWritten } from '../../../../src/frontend/access/permission.ts';
import { CallDeadline } from '../../../../src/frontend/invoke/call-deadline.ts';
import { deferred } from '../../../../src/shared/base/lifetime.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const RENAME = { name: 'rename_symbol', effect: 'write', hasPreview: true } as const;
const WIPE = { name: 'wipe_file', effect: 'write', hasPreview: false } as const;
const COMMAND = { name: 'execute_command', effect: 'execute', hasPreview: false } as const;
const START = {
  name: 'start_lsp',
  effect: 'read',
  hasPreview: false,
  beyond: { effect: 'expand', when: 'with connect' },
} as const;
const LOOK = { name: 'find_symbol', effect: 'read', hasPreview: false } as const;
const audit = NO_NOTES;
const QUESTION = { tool: 'rename_symbol', summary: 'rename a to b: 3 places', files: ['a.ts', 'b.ts'] };

function user(answer: UserAnswer) {
  const asked: string[] = [];
  const askUser = async (question: string) => {
    asked.push(question);
    return answer;
  };
  return { asked, askUser };
}

describe('the permission of a call', () => {
  it('applies at once where writing is allowed, and only shows where it is not', async () => {
    const free = await callPermission({
      tool: RENAME,
      access: { kind: 'allowed' },
      askUser: undefined,
      audit,
    });
    expect(free).toMatchObject({ level: 'write', mayWrite: true, defaultDryRun: false });
    expect(await free.confirmWrite(QUESTION)).toBe('allowed');
    const shown = await callPermission({
      tool: RENAME,
      access: { kind: 'preview', why: 'read-only' },
      askUser: user('accepted').askUser,
      audit,
    });
    expect(shown).toMatchObject({ level: 'read', mayWrite: false, defaultDryRun: true });
    expect(await shown.confirmWrite(QUESTION)).toBe('preview-only');
    expect(notWritten('preview-only', shown)).toBe(`Nothing was written. ${shown.howToApply}`);
  });

  it('never lets a tool write that is not one that writes', async () => {
    for (const kind of ['allowed', 'ask'] as const) {
      const { askUser } = user('accepted');
      const permission = await callPermission({ tool: LOOK, access: { kind }, askUser, audit });
      expect(permission.mayWrite).toBe(false);
      expect(await permission.confirmWrite(QUESTION)).toBe('preview-only');
    }
  });

  it('shows the user the tool, what it does and to which files', async () => {
    const { asked, askUser } = user('accepted');
    const permission = await callPermission({ tool: RENAME, access: { kind: 'ask' }, askUser, audit });
    expect(permission).toMatchObject({ level: 'ask', mayWrite: true, defaultDryRun: true });
    expect(asked).toEqual([]);
    expect(await permission.confirmWrite(QUESTION)).toBe('allowed');
    const files = Array.from({ length: 13 }, (_, index) => `${index}.ts`);
    await permission.confirmWrite({ ...QUESTION, files });
    expect(asked).toEqual([
      'agent-lsp: may rename_symbol change 2 files?\nrename a to b: 3 places\n  a.ts\n  b.ts',
      expect.stringMatching(/change 13 files\?[\s\S]*\n {2}9\.ts\n {2}and 3 more$/),
    ]);
  });

  it('tells a no from the lack of a way to ask', async () => {
    for (const [answer, consent] of [
      ['declined', 'declined'],
      ['cannot-ask', 'preview-only'],
    ] as const) {
      const { askUser } = user(answer);
      const permission = await callPermission({ tool: RENAME, access: { kind: 'ask' }, askUser, audit });
      expect(await permission.confirmWrite(QUESTION)).toBe(consent);
    }
    const nobody = await callPermission({ tool: RENAME, access: { kind: 'ask' }, askUser: undefined, audit });
    expect(nobody).toMatchObject({ level: 'ask', mayWrite: false });
    expect(await nobody.confirmWrite(QUESTION)).toBe('preview-only');
  });

  it('asks beforehand for what cannot be shown', async () => {
    const { asked, askUser } = user('accepted');
    const permission = await callPermission({ tool: WIPE, access: { kind: 'ask' }, askUser, audit });
    expect(asked).toEqual(['agent-lsp: may the tool wipe_file be used now?']);
    expect(await permission.confirmWrite(QUESTION)).toBe('allowed');
    for (const refusing of [user('declined').askUser, user('cannot-ask').askUser, undefined]) {
      const call = callPermission({ tool: WIPE, access: { kind: 'ask' }, askUser: refusing, audit });
      await expect(call).rejects.toMatchObject({ failure: { kind: 'not-permitted' } });
    }
  });

  it('gives a plan back as agreed only after a yes of the rules or of the user, and records which', async () => {
    const plan = () => ({ summary: 'run fake.run of fake-lsp' });
    for (const [kind, answer, consent] of [
      ['allowed', 'declined', 'allowed'],
      ['ask', 'accepted', 'accepted'],
      ['ask', 'declined', 'declined'],
      ['ask', 'cannot-ask', 'cannot-ask'],
    ] as const) {
      const { asked, askUser } = user(answer);
      const notes: AuditFacts[] = [];
      const noted = { note: (facts: AuditFacts) => void notes.push(facts) };
      const permission = await callPermission({ tool: COMMAND, access: { kind }, askUser, audit: noted });
      expect(asked).toEqual([]);
      const agreeing = permission.consentTo('execute', plan);
      if (consent === 'allowed' || consent === 'accepted') expect((await agreeing).plan).toEqual(plan());
      else await expect(agreeing).rejects.toMatchObject({ failure: { kind: 'not-permitted' } });
      expect(asked).toEqual(
        kind === 'ask' ? ['agent-lsp: may execute_command do this?\nrun fake.run of fake-lsp'] : [],
      );
      expect(notes).toEqual([{ access: { effect: 'execute', what: 'run fake.run of fake-lsp', consent } }]);
    }
  });

  it('plans nothing for who is refused, and asks nobody about a plan that fails', async () => {
    const { asked, askUser } = user('accepted');
    let planned = 0;
    const plan = () => {
      planned += 1;
      return { summary: 'send sources to the language server at x:1' };
    };
    const common = { tool: START, access: { kind: 'allowed' }, askUser, audit } as const;
    const reader = await callPermission({ ...common, beyond: { kind: 'refused', why: 'read-only' } });
    await expect(reader.consentTo('expand', plan)).rejects.toMatchObject({
      failure: {
        kind: 'not-permitted',
        reason:
          'start_lsp with connect reaches beyond the roots, and this session may only read (permission: read)',
      },
    });
    expect(planned).toBe(0);
    const asking = await callPermission({ ...common, beyond: { kind: 'ask' } });
    const failing = asking.consentTo('expand', () => Promise.reject(new Error('no such place')));
    await expect(failing).rejects.toThrow('no such place');
    expect(asked).toEqual([]);
    expect((await asking.consentTo('expand', plan)).plan.summary).toContain('x:1');
    expect(asked).toHaveLength(1);
  });

  it('lets no tool do what its literal does not say', async () => {
    for (const [tool, effect] of [
      [LOOK, 'expand'],
      [START, 'execute'],
      [RENAME, 'execute'],
      [COMMAND, 'expand'],
    ] as const) {
      const permission = await callPermission({
        tool,
        access: { kind: 'allowed' },
        askUser: undefined,
        audit,
      });
      const agreeing = permission.consentTo(effect, () => ({ summary: 'anything' }));
      await expect(agreeing).rejects.toThrow(`${tool.name} does not declare the effect ${effect}`);
    }
  });
});

describe('the deadline of a call', () => {
  it('stands still while somebody is asked', async () => {
    const clock = new FakeClock();
    let isOver = false;
    using deadline = new CallDeadline(clock, 1_000, () => (isOver = true));
    await clock.advance(400);
    const [one, two] = [deferred<string>(), deferred<string>()];
    const asking = Promise.all([deadline.during(one.promise), deadline.during(two.promise)]);
    await clock.advance(60_000);
    one.resolve('yes');
    await clock.advance(60_000);
    expect([isOver, deadline.remainingMs()]).toEqual([false, 600]);
    two.resolve('no');
    expect(await asking).toEqual(['yes', 'no']);
    await clock.advance(599);
    expect([isOver, deadline.remainingMs()]).toEqual([false, 1]);
    await clock.advance(1);
    expect(isOver).toBe(true);
  });

  it('leaves no timer when the call has ended, also when the answer comes after that', async () => {
    const clock = new FakeClock();
    const deadline = new CallDeadline(clock, 1_000, () => {});
    const answer = deferred<void>();
    const asking = deadline.during(answer.promise);
    deadline[Symbol.dispose]();
    answer.resolve();
    await asking;
    expect(clock.pending).toBe(0);
  });
});
