/** Lists, shows and removes texts that edits had to put aside because other programs wrote to the same files. */
import { readFile } from 'node:fs/promises';
import { livenessOf } from '../../shared/process/process-identity.ts';
import { type KeptFile, keptFiles, removeKept } from '../features/edits/apply/kept-files.ts';
import { stateDirectoryOf } from './brokers.ts';
import { type Command, EXIT_FAILED, print, UsageError } from './command.ts';

const ACTIONS = ['list', 'show', 'remove'] as const;

export const keptCommand: Command = {
  usage: 'kept [action] [id..]',
  describe: 'texts that edits had to put aside: list, show <id>, remove <id> or --all',
  options: (parser) =>
    parser
      .positional('action', { type: 'string', choices: ACTIONS, default: 'list' })
      .positional('id', {
        type: 'string',
        array: true,
        describe: 'as list says; a file name will do as well',
      })
      .option('all', { type: 'boolean', describe: 'all of them' }),
  run: async (argv, program) => {
    const files = await keptFiles(stateDirectoryOf(program));
    if (argv.action === 'list') {
      await print(files.length === 0 ? 'Nothing is kept.' : files.map((file) => lineOf(file)).join('\n'));
      return 0;
    }
    const ids = Array.isArray(argv.id) ? argv.id.map(String) : [];
    if (ids.length === 0 && argv.all !== true)
      throw new UsageError(`which one? pass its id, or --all; agent-lsp kept lists them`);
    const missing = ids.filter((id) => !files.some((file) => isMeant(file, id)));
    if (missing.length > 0) {
      process.stderr.write(
        `agent-lsp: nothing is kept as ${missing.join(', ')}; agent-lsp kept lists them\n`,
      );
      return EXIT_FAILED;
    }
    for (const file of files.filter((each) => argv.all === true || ids.some((id) => isMeant(each, id)))) {
      if (argv.action === 'remove') {
        await removeKept(file);
        await print(`removed ${file.file}`);
      } else await print([`==> ${lineOf(file)} <==`, await readFile(file.file, 'utf8')].join('\n'));
    }
    return 0;
  },
};

function isMeant({ id, file }: KeptFile, given: string): boolean {
  return given === id || given === file || file.endsWith(`/${given}`);
}

/** `1f2e3d4c5b6a-1  3 min  120 bytes  /w/a.ts  what others wrote  by e7: rename a to b (process 4711, gone)  /state/…`. */
function lineOf({ id, file, bytes, at, note }: KeptFile): string {
  const what = note?.what === 'before' ? 'what it was before' : 'what others wrote';
  const whose = note
    ? `${note.path}: ${what}, put aside by ${note.edit.about || 'an edit'} (${ownerOf(note)})`
    : 'of unknown owner';
  return `${id}  ${ageOf(Date.now() - at)} old, ${bytes} bytes  ${whose}  ${file}`;
}

function ownerOf({ owner }: NonNullable<KeptFile['note']>): string {
  if (!owner) return 'its process had given up on it';
  const liveness = livenessOf(owner);
  const state = { alive: 'running', gone: 'gone', different: 'gone', unknown: 'on another machine' }[
    liveness
  ];
  return `process ${owner.pid}, ${state}`;
}

function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
  ] as const)
    if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
  return `${seconds} s`;
}
