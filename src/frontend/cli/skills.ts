/** The skills of this package: which there are, where they are installed, and installing them for clients. */
import path from 'node:path';
import { counted } from '../../shared/base/counted.ts';
import { groupBy } from '../../shared/base/group-by.ts';
import { didYouMean } from '../../shared/base/near-names.ts';
import { VERSION } from '../../shared/version.ts';
import {
  foldersOf,
  SKILL_CLIENTS,
  type SkillClient,
  type SkillFolder,
} from '../features/skills/client-folders.ts';
import {
  installedIn,
  installSkill,
  prepareFolder,
  removeSkill,
  type SkillOutcome,
} from '../features/skills/install.ts';
import { listedSkills } from '../features/skills/listed-skills.ts';
import { packagedSkills, skillFoldersBelow } from '../features/skills/skill-folders.ts';
import { environmentOf } from './brokers.ts';
import { type Command, type CommonOptions, EXIT_FAILED, type Program, print, UsageError } from './command.ts';

const ACTIONS = ['list', 'install', 'remove'] as const;

type Options = CommonOptions & { readonly [name: string]: unknown };

export const skillsCommand: Command = {
  usage: 'skills [action] [skill..]',
  describe: 'workflows for agents: list, install them for a client, or remove them',
  options: (parser) =>
    parser
      .positional('action', { type: 'string', default: 'list', describe: ACTIONS.join(', ') })
      .positional('skill', { type: 'string', array: true, describe: 'names of skills; all if not given' })
      .option('client', {
        choices: SKILL_CLIENTS,
        array: true,
        nargs: 1,
        describe: 'whose folder; claude if not given, to remove those of all',
      })
      .option('project', {
        type: 'boolean',
        describe: 'the folder in this project (-r or the working directory) instead of the user’s',
      })
      .option('copy', { type: 'boolean', describe: 'copy them; otherwise only in projects, and from npx' })
      .option('force', {
        type: 'boolean',
        describe: 'replace what is there, and remove copies that were changed',
      })
      .example('$0 skills install', 'link all skills for Claude Code')
      .example('$0 skills install --client codex --project', 'copy them into this project for Codex')
      .example('$0 skills remove lsp-rename', 'take one out everywhere'),
  run: async (argv, program) => {
    switch (argv.action) {
      case 'list':
        return list(argv, program);
      case 'install':
        return install(argv, program);
      case 'remove':
        return remove(argv, program);
      default: {
        const given = String(argv.action);
        throw new UsageError(
          `skills cannot ${given}${didYouMean(given, ACTIONS)}; it can ${ACTIONS.join(', ')}`,
        );
      }
    }
  },
};

async function list(argv: Options, program: Program): Promise<number> {
  const wanted = await namedSkills(argv);
  const skills = (await listedSkills()).filter(({ name }) => wanted.includes(name));
  const lines = skills.map(({ name, description }) => `  ${name.padEnd(24)}${firstSentence(description)}`);
  const folders = [...allFolders(argv, program, false), ...allFolders(argv, program, true)];
  const installed = await Promise.all(folders.map(async (folder) => installedLine(folder, wanted)));
  const there = installed.filter((line) => line !== undefined);
  await print(
    [
      `${counted(skills.length, 'skill')} in ${packagedSkills(program.entryScript)}`,
      ...lines,
      there.length === 0 ? 'installed nowhere; agent-lsp skills install does that' : 'installed:',
      ...there,
    ].join('\n'),
  );
  return 0;
}

async function installedLine(folder: SkillFolder, wanted: readonly string[]): Promise<string | undefined> {
  const found = (await installedIn(folder)).filter(({ name }) => wanted.includes(name));
  if (found.length === 0) return undefined;
  const links = found.filter(({ skill }) => skill.kind === 'link').length;
  const changed = found
    .filter(({ skill }) => skill.kind === 'copy' && skill.isChanged)
    .map(({ name }) => name);
  const copies = found.length - links;
  const parts = [
    ...(links > 0 ? [`${links} linked`] : []),
    ...(copies > 0 ? [`${copies} copied`] : []),
    ...(changed.length > 0 ? [`changed since: ${changed.join(', ')}`] : []),
  ];
  return `  ${nameOf(folder)}: ${parts.join(', ')}`;
}

async function install(argv: Options, program: Program): Promise<number> {
  const wanted = await namedSkills(argv);
  const directory = packagedSkills(program.entryScript);
  const sources = (await skillFoldersBelow(directory)).filter((source) =>
    wanted.includes(path.basename(source)),
  );
  const isProject = argv.project === true;
  const isFleeting = directory.split(path.sep).includes('_npx');
  const copies = argv.copy === true || isProject || isFleeting;
  const options = { version: VERSION, copies, force: argv.force === true };
  const folders = foldersOf(
    clientsOf(argv) ?? ['claude'],
    environmentOf(program),
    projectOf(argv, isProject),
  );
  let isWhole = true;
  for (const folder of folders) {
    await prepareFolder(folder);
    const done = new Map<string, SkillOutcome>();
    for (const source of sources)
      done.set(path.basename(source), await installSkill(source, folder.path, options));
    await print(report(folder, done));
    isWhole = isWhole && ![...done.values()].some(({ kind }) => kind === 'left');
  }
  if (copies && argv.copy !== true)
    await print(
      isProject
        ? 'Copied, since a project is shared with others; after an upgrade install them again.'
        : 'Copied, since npx does not keep the package; install agent-lsp to have links.',
    );
  return isWhole ? 0 : EXIT_FAILED;
}

async function remove(argv: Options, program: Program): Promise<number> {
  const given = skillsGiven(argv);
  const folders = allFolders(argv, program, argv.project === true);
  let isWhole = true;
  let isNothing = true;
  for (const folder of folders) {
    const there = (await installedIn(folder)).map(({ name }) => name);
    // What was named is spoken of where the client was named as well.
    const names =
      given.length === 0
        ? there
        : given.filter((name) => clientsOf(argv) !== undefined || there.includes(name));
    const done = new Map<string, SkillOutcome>();
    for (const name of names)
      done.set(name, await removeSkill(path.join(folder.path, name), argv.force === true));
    if (done.size === 0) continue;
    isNothing = false;
    await print(report(folder, done));
    isWhole = isWhole && ![...done.values()].some(({ kind }) => kind === 'left');
  }
  if (isNothing)
    await print(
      `Nothing is installed${given.length === 0 ? '' : ` of ${given.join(', ')}`} in the folders of ${argv.project === true ? 'this project' : 'this user'}.`,
    );
  return isWhole ? 0 : EXIT_FAILED;
}

/** Fails for a name that no skill has; those of older versions can still be removed. */
async function namedSkills(argv: Options): Promise<readonly string[]> {
  const names = (await listedSkills()).map(({ name }) => name);
  const given = skillsGiven(argv);
  const unknown = given.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `there is no skill ${unknown}${didYouMean(unknown, names)}; agent-lsp skills lists them`,
    );
  return given.length === 0 ? names : given;
}

function skillsGiven({ skill }: Options): readonly string[] {
  return Array.isArray(skill) ? skill.map(String) : [];
}

function clientsOf({ client }: Options): readonly SkillClient[] | undefined {
  const given = Array.isArray(client) ? client.map(String) : [];
  return given.length === 0 ? undefined : SKILL_CLIENTS.filter((one) => given.includes(one));
}

function allFolders(argv: Options, program: Program, isProject: boolean): readonly SkillFolder[] {
  return foldersOf(clientsOf(argv) ?? SKILL_CLIENTS, environmentOf(program), projectOf(argv, isProject));
}

function projectOf(argv: Options, isProject: boolean): string | undefined {
  return isProject ? path.resolve(argv.root?.[0] ?? '.') : undefined;
}

/** `/home/me/.claude/skills (Claude Code, for this user)`, then a line for each thing that was done. */
function report(folder: SkillFolder, done: ReadonlyMap<string, SkillOutcome>): string {
  const byDeed = groupBy(done, ([, outcome]) => deedOf(outcome));
  const lines = [...byDeed].map(([deed, those]) => `  ${deed}: ${those.map(([name]) => name).join(', ')}`);
  return [nameOf(folder), ...lines].join('\n');
}

function deedOf(outcome: SkillOutcome): string {
  switch (outcome.kind) {
    case 'left':
      return `left as it is (${outcome.why})`;
    case 'replaced':
      return `replaced by a ${outcome.by}`;
    case 'present':
      return 'there already';
    default:
      return outcome.kind;
  }
}

function nameOf({ path: folder, title, scope }: SkillFolder): string {
  return `${folder} (${title}, ${scope === 'user' ? 'for this user' : 'in this project'})`;
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.) /, 1).join('');
}
