/** Where clients look for skills: in a project, and for a user in all projects. */
import path from 'node:path';
import { type Environment, variable } from '../../../shared/languages/environment.ts';

export const SKILL_CLIENTS = [
  'claude',
  'codex',
  'cursor',
  'copilot',
  'gemini',
  'opencode',
  'agents',
] as const;
export type SkillClient = (typeof SKILL_CLIENTS)[number];

interface ClientRow {
  readonly title: string;
  readonly project: string;
  /** Below the home; `variable` names a directory that the client takes instead of the first folder of it. */
  readonly user: readonly [first: string, rest: string];
  readonly variable?: string;
}

/** Each client's own folder; `agents` is the one that several of them read as well. */
const CLIENTS: Readonly<Record<SkillClient, ClientRow>> = {
  claude: {
    title: 'Claude Code',
    project: '.claude/skills',
    user: ['.claude', 'skills'],
    variable: 'CLAUDE_CONFIG_DIR',
  },
  codex: { title: 'Codex', project: '.agents/skills', user: ['.agents', 'skills'] },
  cursor: { title: 'Cursor', project: '.cursor/skills', user: ['.cursor', 'skills'] },
  copilot: { title: 'GitHub Copilot', project: '.github/skills', user: ['.copilot', 'skills'] },
  gemini: { title: 'Gemini CLI', project: '.gemini/skills', user: ['.gemini', 'skills'] },
  opencode: {
    title: 'opencode',
    project: '.opencode/skills',
    user: ['.config', 'opencode/skills'],
    variable: 'XDG_CONFIG_HOME',
  },
  agents: { title: 'clients that read .agents', project: '.agents/skills', user: ['.agents', 'skills'] },
};

/** A folder of skills. */
export interface SkillFolder {
  readonly clients: readonly SkillClient[];
  readonly title: string;
  readonly scope: 'user' | 'project';
  /** What it may not lead out of. */
  readonly base: string;
  readonly path: string;
}

/** Without a project, the folders of the user. Clients that share a folder share an entry. */
export function foldersOf(
  clients: readonly SkillClient[],
  environment: Environment,
  project?: string,
): readonly SkillFolder[] {
  const folders = clients.map((client) => folderOf(client, environment, project));
  return [...new Map(folders.map((folder) => [folder.path, folder])).values()].map((folder) => {
    const sharing = folders.filter((other) => other.path === folder.path);
    return {
      ...folder,
      clients: sharing.flatMap((other) => other.clients),
      title: sharing.map(({ title }) => title).join(', '),
    };
  });
}

function folderOf(client: SkillClient, environment: Environment, project: string | undefined): SkillFolder {
  const row = CLIENTS[client];
  const known = { clients: [client], title: row.title };
  if (project !== undefined)
    return { ...known, scope: 'project', base: project, path: path.join(project, row.project) };
  const given = row.variable === undefined ? undefined : variable(environment, row.variable);
  const [first, rest] = row.user;
  // A directory that the user named may lie anywhere.
  const base = given ?? environment.homedir;
  return { ...known, scope: 'user', base, path: path.join(given ?? path.join(base, first), rest) };
}
