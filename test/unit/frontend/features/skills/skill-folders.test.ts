import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { skillFoldersBelow } from '../../../../../src/frontend/features/skills/skill-folders.ts';
import { createWorkspace } from '../../../../support/workspace.ts';

describe('skills below a folder', () => {
  it('are found two levels deep, and not behind links or in other skills', async () => {
    await using workspace = createWorkspace(`
//- one/SKILL.md
//- one/inner/SKILL.md
//- group/two/SKILL.md
//- group/deeper/three/SKILL.md
//- none/README.md
`);
    symlinkSync(workspace.file('one'), workspace.file('linked'));
    const found = await skillFoldersBelow(workspace.root);
    expect(found.map((folder) => path.relative(workspace.root, folder))).toEqual(['group/two', 'one']);
    expect(await skillFoldersBelow(workspace.file('gone'))).toEqual([]);
  });
});
