/** Projects around one that stands alone, and how the text tells that they speak of each other. */
import { describe, expect, it } from 'vitest';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import { NOTHING_TO_SHOW } from '../../../../src/shared/link/reach-question.ts';
import { besideRule, elsewhereBeside, spokenOf } from '../../../../src/shared/projects/beside.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const PROJECTS = `
//- libs/core/pyproject.toml
//- libs/core/src/shop/core/__init__.py
//- libs/core/notes/today.md
//- apps/app/pyproject.toml
//- apps/app/shop_app/__init__.py
//- apps/app/main.py
from shop.core import price
`;

describe('what lies around a project', () => {
  const boundary = absolutePath('/w');
  const home = absolutePath('/w/libs/core');

  it('is the folder of the session, unless that is a home or a disk', () => {
    expect(besideRule('python', home, { boundary })?.base).toBe(boundary);
    expect(besideRule('python', home, { boundary, isWide: true })).toBeUndefined();
  });

  it('is not looked at where the project is all of it, or where an import does not tell its project', () => {
    expect(besideRule('python', boundary, { boundary })).toBeUndefined();
    expect(besideRule('rust', home, { boundary })).toBeUndefined();
  });
});

describe('projects beside each other', () => {
  it('are named by their modules, also by the part of a namespace that they have', async () => {
    await using workspace = createWorkspace(PROJECTS);
    const file = workspace.file('libs/core/src/shop/core/__init__.py');
    const { names } = elsewhereBeside('python', workspace.file('libs/core'), workspace.root, {
      name: 'a',
      file,
    });
    expect(names).toContain('from shop');
    expect(names.join()).not.toContain('notes');
  });

  it('are meant by a file that imports them, and no other is', async () => {
    await using workspace = createWorkspace(PROJECTS);
    const file = workspace.file('apps/app/main.py');
    const home = workspace.file('apps/app');
    const { isMeant } = elsewhereBeside('python', home, workspace.root, { name: 'price', file });
    expect(isMeant(workspace.file('libs/core/src/shop/core/__init__.py'))).toBe(true);
    expect(isMeant(workspace.file('README.py'))).toBe(false);
  });

  it('have no mentions but in files that speak of the project', () => {
    const [user, other] = ['/w/user.py', '/w/other.py'].map((file) => absolutePath(file));
    if (!user || !other) throw new Error('no files');
    const mentions = {
      files: [
        { file: user, count: 1 },
        { file: other, count: 2 },
      ],
      others: [],
      unread: [],
      unreadSources: [],
      whole: true,
    };
    const plan = spokenOf({ ...NOTHING_TO_SHOW, unopened: [user], mentions });
    expect(plan.mentions?.files).toEqual([{ file: user, count: 1 }]);
  });
});
