import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SessionNotes } from '../../../../../src/frontend/features/hooks/session-notes.ts';
import type { AbsPath } from '../../../../../src/shared/base/brand.ts';
import { createWorkspace } from '../../../../support/workspace.ts';

const file = (name: string) => `/project/${name}` as AbsPath;
const UNKNOWN = { kind: 'unknown' } as const;

describe('the notes of a session', () => {
  it('keep the text before the first edit, until they are taken', async () => {
    await using workspace = createWorkspace();
    const notes = new SessionNotes(workspace.stateDir, 's1');
    notes.touch({ file: file('a'), former: { kind: 'text', text: 'first' } });
    notes.touch({ file: file('a'), former: { kind: 'text', text: 'second' } });
    notes.touch({ file: file('b'), former: { kind: 'none' } });
    expect(notes.take()).toEqual([
      { file: '/project/a', former: { kind: 'text', text: 'first' } },
      { file: '/project/b', former: { kind: 'none' } },
    ]);
    expect(notes.take()).toEqual([]);
  });

  it('are taken with what is touched now, which is never on disk', async () => {
    await using workspace = createWorkspace();
    const notes = new SessionNotes(workspace.stateDir, 's1');
    const now = { file: file('b'), former: { kind: 'text', text: 'now' } } as const;
    expect(notes.take([now, { ...now, former: UNKNOWN }])).toEqual([now]);
    expect(notes.exist).toBe(false);
    notes.touch({ file: file('a'), former: UNKNOWN });
    notes.touch({ file: file('b'), former: { kind: 'text', text: 'earlier' } });
    expect(notes.take([now])).toEqual([
      { file: '/project/a', former: UNKNOWN },
      { file: '/project/b', former: { kind: 'text', text: 'earlier' } },
    ]);
  });

  it('are written only when what was reported has changed', async () => {
    await using workspace = createWorkspace();
    const notes = new SessionNotes(workspace.stateDir, 's1');
    notes.keepReports({ reported: {}, prolonged: 0 });
    expect(notes.exist).toBe(false);
    notes.keepReports({ reported: { '/project/a': ['wrong'] }, prolonged: 1 });
    expect(notes.reports).toEqual({ reported: { '/project/a': ['wrong'] }, prolonged: 1 });
    notes.keepReports({ reported: {}, prolonged: 0 });
    expect(notes.reports).toEqual({ reported: {}, prolonged: 0 });
  });

  it('are taken by one of several who ask at once', async () => {
    await using workspace = createWorkspace();
    const [one, two] = [new SessionNotes(workspace.stateDir, 's'), new SessionNotes(workspace.stateDir, 's')];
    one.touch({ file: file('a'), former: UNKNOWN });
    expect([one.take().length, two.take().length]).toEqual([1, 0]);
    expect([one.isFirst('reminded'), two.isFirst('reminded')]).toEqual([true, false]);
  });

  it('are those of one session, and are private', async () => {
    await using workspace = createWorkspace();
    new SessionNotes(workspace.stateDir, 's1').touch({ file: file('a'), former: UNKNOWN });
    expect(new SessionNotes(workspace.stateDir, 's2').take()).toEqual([]);
    expect(new SessionNotes(workspace.stateDir, '../../s3').exist).toBe(false);
  });

  it('have an end in files and in their texts', async () => {
    await using workspace = createWorkspace();
    const notes = new SessionNotes(workspace.stateDir, 's1');
    for (let index = 0; index < 80; index++) notes.touch({ file: file(`f${index}`), former: UNKNOWN });
    expect(notes.take()).toHaveLength(64);
    notes.touch({ file: file('a'), former: { kind: 'text', text: 'x'.repeat(600 * 1024) } });
    expect(notes.take()).toEqual([{ file: '/project/a', former: UNKNOWN }]);
  });

  it('are let go of as a whole, and a day after their session was last heard of', async () => {
    await using workspace = createWorkspace();
    const parent = path.join(workspace.stateDir, 'hooks');
    const notes = new SessionNotes(workspace.stateDir, 's1');
    notes.touch({ file: file('a'), former: UNKNOWN });
    new SessionNotes(workspace.stateDir, 's2').isFirst('reminded');
    notes.release();
    expect([notes.exist, readdirSync(parent).length]).toEqual([false, 1]);
    const [left = ''] = readdirSync(parent);
    notes.sweep(Date.now());
    expect(readdirSync(parent)).toEqual([left]);
    const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1_000);
    utimesSync(path.join(parent, left), longAgo, longAgo);
    notes.sweep(Date.now());
    expect(readdirSync(parent)).toEqual([]);
  });

  it('that cannot be read are none', async () => {
    await using workspace = createWorkspace();
    const notes = new SessionNotes(workspace.stateDir, 's1');
    notes.touch({ file: file('a'), former: UNKNOWN });
    const [directory = ''] = readdirSync(path.join(workspace.stateDir, 'hooks'));
    const own = path.join(workspace.stateDir, 'hooks', directory);
    writeFileSync(path.join(own, 'touched', 'broken.json'), '{"file":');
    writeFileSync(path.join(own, 'reported.json'), '[1');
    expect(notes.take()).toEqual([{ file: '/project/a', former: UNKNOWN }]);
    expect(notes.reports).toEqual({ reported: {}, prolonged: 0 });
  });
});
