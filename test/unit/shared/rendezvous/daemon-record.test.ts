import { linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownIdentity } from '../../../../src/shared/process/process-identity.ts';
import {
  type LastExit,
  readLastExit,
  readServerNotes,
  removePidFile,
  removeServerNote,
  writeLastExit,
  writePidFile,
  writeServerNote,
} from '../../../../src/shared/rendezvous/daemon-notes.ts';
import {
  type DaemonRecord,
  RecordFile,
  readRecord,
  removeFile,
} from '../../../../src/shared/rendezvous/daemon-record.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

let workspace: Workspace;
beforeEach(() => {
  workspace = createWorkspace();
});
afterEach(() => workspace[Symbol.asyncDispose]());

const record: DaemonRecord = {
  generation: '00112233445566ff',
  socketPath: '/s/k/s-00112233',
  token: 'secret',
  process: ownIdentity(),
  key: 'k',
  root: '/r',
  language: 'memory',
  command: 'memory --stdio',
  version: '1.2.3',
  protocol: 1,
  ready: false,
  startedAt: 1,
  lastActivityAt: 2,
};

const at = (name: string) => path.join(workspace.stateDir, name);

describe('the descriptor', () => {
  it('reads back what was written and is for its owner only', () => {
    const file = new RecordFile(at('claim'), record);
    expect(readRecord(at('claim'))).toEqual({ kind: 'found', record });
    expect(statSync(at('claim')).mode & 0o777).toBe(0o600);
    file.close();
  });

  it('keeps its length when it is updated', () => {
    const file = new RecordFile(at('claim'), record);
    const before = statSync(at('claim')).size;
    file.update({ ...record, ready: true, lastActivityAt: 1_700_000_000_000 });
    file.update({ ...record, ready: true });
    expect(statSync(at('claim')).size).toBe(before);
    expect(readRecord(at('claim'))).toMatchObject({ record: { ready: true, lastActivityAt: 2 } });
    file.close();
  });

  it('never replaces a name that is taken', () => {
    const mine = new RecordFile(at('claim-1'), record);
    const other = new RecordFile(at('claim-2'), { ...record, generation: 'ffffffffffffffff' });
    expect(mine.linkAs(at('daemon.json'))).toBe(true);
    expect(other.linkAs(at('daemon.json'))).toBe(false);
    expect(readRecord(at('daemon.json'))).toMatchObject({ record: { generation: record.generation } });
    mine.close();
    other.close();
  });

  it('cannot touch the file of a successor by an update', () => {
    const mine = new RecordFile(at('claim-1'), record);
    mine.linkAs(at('daemon.json'));
    removeFile(at('daemon.json'));
    const successor = new RecordFile(at('claim-2'), { ...record, generation: 'ffffffffffffffff' });
    successor.linkAs(at('daemon.json'));
    mine.update({ ...record, ready: true });
    expect(readRecord(at('daemon.json'))).toMatchObject({
      record: { generation: 'ffffffffffffffff', ready: false },
    });
    mine.close();
    successor.close();
  });

  it.each([
    { what: 'empty', text: '' },
    { what: 'garbage', text: '{"generation": "00' },
    { what: 'an array', text: '[]' },
    { what: 'without a pid', text: JSON.stringify({ ...record, process: {} }) },
    { what: 'with a generation that is none', text: JSON.stringify({ ...record, generation: '../../x' }) },
  ])('is corrupt when it is $what', ({ text }) => {
    writeFileSync(at('daemon.json'), text);
    expect(readRecord(at('daemon.json')).kind).toBe('corrupt');
  });

  it('is corrupt when it is a directory or a symbolic link, and absent when there is none', () => {
    expect(readRecord(at('none'))).toEqual({ kind: 'absent' });
    mkdirSync(at('directory'));
    expect(readRecord(at('directory')).kind).toBe('corrupt');
    new RecordFile(at('real'), record).close();
    symlinkSync(at('real'), at('link'));
    expect(readRecord(at('link')).kind).toBe('corrupt');
  });

  it('keeps the fields that other versions may lack optional', () => {
    const { generation, socketPath, token, process } = record;
    writeFileSync(at('daemon.json'), JSON.stringify({ generation, socketPath, token, process, future: 1 }));
    expect(readRecord(at('daemon.json'))).toMatchObject({
      kind: 'found',
      record: { generation, version: '' },
    });
  });

  it('marks a file by its inode, so that a link to it has the same mark', () => {
    writeFileSync(at('a'), 'x');
    linkSync(at('a'), at('b'));
    writeFileSync(at('c'), 'x');
    const mark = (name: string) => {
      const reading = readRecord(at(name));
      return reading.kind === 'corrupt' ? reading.mark : undefined;
    };
    expect(mark('a')).toBe(mark('b'));
    expect(mark('a')).not.toBe(mark('c'));
  });
});

describe('the notes beside it', () => {
  it('say why a daemon stopped', () => {
    const exit: LastExit = {
      reason: 'idle',
      at: 5,
      pid: 7,
      generation: record.generation,
      version: '1.2.3',
      root: '/r',
      language: 'memory',
      command: 'memory',
    };
    writeLastExit(workspace.stateDir, exit);
    expect(readLastExit(workspace.stateDir)).toEqual(exit);
  });

  it('of servers are kept apart by generation', () => {
    const [mine, theirs] = ['aaaaaaaa', 'bbbbbbbb'].map((generation) => ({
      generation,
      broker: ownIdentity(),
      process: ownIdentity(),
    }));
    if (!mine || !theirs) throw new Error('two notes');
    writeServerNote(workspace.stateDir, mine);
    writeServerNote(workspace.stateDir, theirs);
    expect(readServerNotes(workspace.stateDir)).toEqual([mine, theirs]);
    removeServerNote(workspace.stateDir, mine.generation);
    removeServerNote(workspace.stateDir, mine.generation);
    expect(readServerNotes(workspace.stateDir)).toEqual([theirs]);
  });

  it('never name pid 1 or nonsense as a server', () => {
    for (const pid of [0, 1, -5, 'x', null]) {
      const note = { generation: 'aaaaaaaa', broker: ownIdentity(), process: { ...ownIdentity(), pid } };
      writeFileSync(at('server-aaaaaaaa.json'), JSON.stringify(note));
      expect(readServerNotes(workspace.stateDir)).toEqual([]);
    }
  });

  it('with a pid are left alone when they are of another process', () => {
    writePidFile(workspace.stateDir, 12);
    removePidFile(workspace.stateDir, 13);
    expect(readFileSync(at('daemon.pid'), 'utf8')).toBe('12\n');
    removePidFile(workspace.stateDir, 12);
    removePidFile(workspace.stateDir, 12);
  });
});
