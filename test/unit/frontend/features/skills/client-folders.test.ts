import { describe, expect, it } from 'vitest';
import { foldersOf, SKILL_CLIENTS } from '../../../../../src/frontend/features/skills/client-folders.ts';
import { currentEnvironment } from '../../../../../src/shared/languages/environment.ts';

const machine = (env: Readonly<Record<string, string>> = {}) => ({
  ...currentEnvironment('/package'),
  platform: 'linux' as const,
  homedir: '/home/me',
  env,
});

describe('the folders of clients', () => {
  it('are those that each looks into, once where several look into one', () => {
    const paths = (project?: string) =>
      foldersOf(SKILL_CLIENTS, machine(), project).map((folder) => [folder.path, folder.clients.join()]);
    expect(paths()).toEqual([
      ['/home/me/.claude/skills', 'claude'],
      ['/home/me/.agents/skills', 'codex,agents'],
      ['/home/me/.cursor/skills', 'cursor'],
      ['/home/me/.copilot/skills', 'copilot'],
      ['/home/me/.gemini/skills', 'gemini'],
      ['/home/me/.config/opencode/skills', 'opencode'],
    ]);
    expect(paths('/w')).toEqual([
      ['/w/.claude/skills', 'claude'],
      ['/w/.agents/skills', 'codex,agents'],
      ['/w/.cursor/skills', 'cursor'],
      ['/w/.github/skills', 'copilot'],
      ['/w/.gemini/skills', 'gemini'],
      ['/w/.opencode/skills', 'opencode'],
    ]);
  });

  it('are where the user has put them', () => {
    const env = { CLAUDE_CONFIG_DIR: '/etc/claude', XDG_CONFIG_HOME: '/conf' };
    expect(
      foldersOf(['claude', 'opencode'], machine(env)).map(({ path: folder, base }) => [folder, base]),
    ).toEqual([
      ['/etc/claude/skills', '/etc/claude'],
      ['/conf/opencode/skills', '/conf'],
    ]);
  });
});
