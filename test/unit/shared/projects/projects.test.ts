/** Which project a file belongs to and which files must be opened to ask about a name, from the disk alone. */
import { describe, expect, it } from 'vitest';
import type { AbsPath } from '../../../../src/shared/base/brand.ts';
import { languageById } from '../../../../src/shared/languages/lookup.ts';
import { isBuiltHere } from '../../../../src/shared/projects/go-files.ts';
import { MentionIndex } from '../../../../src/shared/projects/mention-index.ts';
import { reachOf } from '../../../../src/shared/projects/reach.ts';
import { projectRule, survey } from '../../../../src/shared/projects/survey.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

function family(id: string) {
  const language = languageById(id);
  if (!language) throw new Error(`no language ${id}`);
  return language.family;
}

function surveyed(workspace: Workspace, id = 'typescript', root = workspace.root, isOver = () => false) {
  const rule = projectRule(id, root, workspace.root);
  if (!rule) throw new Error(`nothing divides the files of ${id}`);
  return survey(rule, family(id).extensions, isOver);
}

/** Each file with the directory of its project; `-` for none. */
async function projects(workspace: Workspace, id = 'typescript'): Promise<Record<string, string>> {
  const { projectOf } = await surveyed(workspace, id);
  const relative = (file: string) => file.slice(workspace.root.length + 1);
  return Object.fromEntries(
    [...projectOf].map(([file, project]) => [
      relative(file),
      project === undefined ? '-' : relative(project),
    ]),
  );
}

async function reached(
  workspace: Workspace,
  name: string,
  file?: string,
  root: AbsPath = workspace.root,
  mostProjects = 100,
) {
  const found = await surveyed(workspace, file?.endsWith('.go') ? 'go' : 'typescript', root);
  const isByName = file === undefined;
  const about = { name, file: isByName ? undefined : workspace.file(file), wantsDeclarations: isByName };
  const deps = { index: new MentionIndex(), verify: true, mostProjects, isOver: () => false };
  const reach = await reachOf(found, root, about, deps);
  const shown = (files: readonly AbsPath[]) =>
    files.map((each) => each.slice(workspace.root.length + 1)).sort();
  return { open: shown(reach.documents), unopened: reach.unopened.length, whole: reach.whole };
}

describe('the project of a TypeScript file', () => {
  it('may be hidden, but includes hidden files only by their names', async () => {
    await using workspace = createWorkspace(`
//- tsconfig.json
{ "include": ["src", "lib/**/*", ".storybook/*.ts"] }
//- .gitignore
.made/
//- .storybook/a.ts
a
//- .github/scripts/b.ts
b
//- src/.in/c.ts
c
//- lib/.in/d.ts
d
//- src/e.ts
e
//- .made/f.ts
f
//- .venv/g.ts
g
//- .claude/worktrees/copy/.git
gitdir: elsewhere
//- .claude/worktrees/copy/h.ts
h
`);
    expect(await projects(workspace)).toEqual({
      '.storybook/a.ts': 'tsconfig.json',
      '.github/scripts/b.ts': '-',
      'src/.in/c.ts': '-',
      'lib/.in/d.ts': '-',
      'src/e.ts': 'tsconfig.json',
    });
  });

  it('is the nearest configuration that includes it', async () => {
    await using workspace = createWorkspace(`
//- tsconfig.json
{ /* comments and commas are fine */ "include": ["src", "*.config.ts"], "exclude": ["src/gen/**"], }
//- src/a.ts
a
//- src/gen/b.ts
b
//- src/deep/tsconfig.json
{ "files": ["c.ts"] }
//- src/deep/c.ts
c
//- src/deep/d.ts
d
//- src/e.js
e
//- vite.config.ts
v
//- test/t.ts
t
`);
    expect(await projects(workspace)).toEqual({
      'src/a.ts': 'tsconfig.json',
      'src/gen/b.ts': '-',
      'src/deep/c.ts': 'src/deep/tsconfig.json',
      'src/deep/d.ts': 'tsconfig.json',
      'src/e.js': '-',
      'vite.config.ts': 'tsconfig.json',
      'test/t.ts': '-',
    });
  });

  it('may be one that the nearest configuration refers to', async () => {
    await using workspace = createWorkspace(`
//- tsconfig.json
{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.test.json" }] }
//- tsconfig.app.json
{ "include": ["src"], "exclude": ["**/*.spec.ts"] }
//- tsconfig.test.json
{ "include": ["src/**/*.spec.ts"] }
//- src/a.ts
a
//- src/a.spec.ts
a
`);
    expect(await projects(workspace)).toEqual({
      'src/a.ts': 'tsconfig.app.json',
      'src/a.spec.ts': 'tsconfig.test.json',
    });
  });

  it('inherits what it includes and whether it takes JavaScript', async () => {
    await using workspace = createWorkspace(`
//- base/tsconfig.json
{ "include": ["\${configDir}/lib"], "compilerOptions": { "allowJs": true } }
//- app/tsconfig.json
{ "extends": "../base/tsconfig" }
//- app/lib/a.js
a
//- app/other/b.ts
b
//- plain/jsconfig.json
{}
//- plain/c.js
c
`);
    expect(await projects(workspace)).toEqual({
      'app/lib/a.js': 'app/tsconfig.json',
      'app/other/b.ts': '-',
      'plain/c.js': 'plain/jsconfig.json',
    });
  });
});

describe('the project of a file of another language', () => {
  it('of Python is what pyright is told to include', async () => {
    await using workspace = createWorkspace(`
//- pyproject.toml
[tool.pyright]
include = ["app", "tools/**/*.py"]
exclude = ["**/gen"]
//- app/a.py
a
//- app/gen/b.py
b
//- tools/x/c.py
c
//- tests/t.py
t
`);
    expect(await projects(workspace, 'python')).toEqual({
      'app/a.py': '',
      'app/gen/b.py': '-',
      'tools/x/c.py': '',
      'tests/t.py': '-',
    });
    workspace.write('pyproject.toml', '[project]\nname = "all"\n');
    expect(projectRule('python', workspace.root, workspace.root)).toBeUndefined();
  });

  it('of C++ is the list of compile commands, and whatever is a header', async () => {
    await using workspace = createWorkspace(`
//- build/compile_commands.json
[{ "directory": "src", "file": "a.cpp", "command": "c++ -c a.cpp" }]
//- src/a.cpp
a
//- src/b.cpp
b
//- src/c.h
c
`);
    expect(await projects(workspace, 'cpp')).toEqual({ 'src/a.cpp': '', 'src/b.cpp': '-', 'src/c.h': '' });
  });

  it('of Go is its module, or the workspace that uses it', async () => {
    await using workspace = createWorkspace(`
//- go.mod
module example.com/a
//- a.go
package a
//- tools/go.mod
module example.com/tools
//- tools/t.go
package tools
`);
    expect(await projects(workspace, 'go')).toEqual({ 'a.go': '', 'tools/t.go': 'tools' });
    workspace.write('go.work', 'go 1.21\n\nuse (\n\t.\n\t./tools // and this\n)\n');
    expect(await projects(workspace, 'go')).toEqual({ 'a.go': '', 'tools/t.go': '' });
  });

  it.each([
    { name: 'a.go', text: 'package a', expected: true },
    { name: 'a_test.go', text: 'package a', expected: true },
    { name: 'a_linux.go', text: 'package a', expected: true },
    { name: 'a_linux_amd64_test.go', text: 'package a', expected: true },
    { name: 'a_windows.go', text: 'package a', expected: false },
    { name: 'a_linux_arm64.go', text: 'package a', expected: false },
    { name: 'windows.go', text: 'package a', expected: true },
    { name: 'b.go', text: '// Text.\n\n//go:build linux && (amd64 || arm64)\n\npackage a', expected: true },
    { name: 'b.go', text: '//go:build !linux\n\npackage a', expected: false },
    { name: 'b.go', text: '//go:build integration || !unix\n\npackage a', expected: false },
    { name: 'b.go', text: '//go:build go1.18\n\npackage a', expected: true },
    { name: 'b.go', text: 'package a\n\n//go:build ignore', expected: true },
  ])('of Go leaves out what is not built here: $name, $text', ({ name, text, expected }) => {
    expect(isBuiltHere(name, () => text, { platform: 'linux', arch: 'x64' })).toBe(expected);
  });
});

describe('what must be open for a question about a name', () => {
  const MONOREPO = `
//- package.json
{ "workspaces": ["packages/*"] }
//- packages/core/package.json
{ "name": "@x/core" }
//- packages/core/tsconfig.json
{}
//- packages/core/core.ts
export const price = 1;
//- packages/core/more.ts
price
//- packages/app/tsconfig.json
{}
//- packages/app/one.ts
import { price } from '@x/core';
//- packages/app/two.ts
import { price } from '@x/core';
//- packages/other/tsconfig.json
{}
//- packages/other/same-word.ts
const price = 'nothing to do with it';
//- scripts/loose.ts
import { price } from '@x/core';
`;

  it('is one file of each other project that mentions it, and all that are in no project', async () => {
    await using workspace = createWorkspace(MONOREPO);
    expect(await reached(workspace, 'price', 'packages/core/core.ts')).toEqual({
      open: ['packages/app/one.ts', 'packages/other/same-word.ts', 'scripts/loose.ts'],
      unopened: 0,
      whole: true,
    });
  });

  it('is found in packages beside the root of the server, if they speak of its package', async () => {
    await using workspace = createWorkspace(MONOREPO);
    const root = workspace.file('packages/core');
    expect((await reached(workspace, 'price', 'packages/core/core.ts', root)).open).toEqual([
      'packages/app/one.ts',
      'scripts/loose.ts',
    ]);
  });

  it('is whoever has it under another name, when its module exports it so', async () => {
    await using workspace = createWorkspace(`
//- a/tsconfig.json
{}
//- a/view.ts
function ViewComponent() {}
export { ViewComponent as View, other as default };
//- b/tsconfig.json
{}
//- b/b.ts
import { View } from '../a/view.js';
//- c/tsconfig.json
{}
//- c/c.ts
import { Viewer } from '../a/view.js';
`);
    expect((await reached(workspace, 'ViewComponent', 'a/view.ts')).open).toEqual(['b/b.ts']);
  });

  it('is whoever imports the module, when it exports a default', async () => {
    await using workspace = createWorkspace(`
//- a/tsconfig.json
{}
//- a/widget.ts
export default function widget() {}
//- b/tsconfig.json
{}
//- b/b.ts
import anything from '../a/widget.js';
//- c/tsconfig.json
{}
//- c/c.ts
import nothing from './widgets.js';
`);
    expect((await reached(workspace, 'widget', 'a/widget.ts')).open).toEqual(['b/b.ts']);
  });

  it('leaves files out that would be too many, and counts them', async () => {
    await using workspace = createWorkspace('//- core.js\nexport const price = 1;\n');
    for (let index = 0; index < 100; index++) workspace.write(`use${index}.js`, 'price');
    const { open, unopened } = await reached(workspace, 'price', 'core.js');
    expect([open.length, unopened]).toEqual([64, 36]);
  });

  it('leaves projects out that would be too many for the server, and counts their files', async () => {
    await using workspace = createWorkspace(MONOREPO);
    const { root } = workspace;
    expect(await reached(workspace, 'price', 'packages/other/same-word.ts', root, 1)).toMatchObject({
      open: ['packages/app/one.ts', 'scripts/loose.ts'],
      unopened: 2,
    });
  });

  it('is a file of every project, when any part of a name counts and there are few', async () => {
    await using workspace = createWorkspace(MONOREPO);
    expect((await reached(workspace, 'PRI')).open).toEqual([
      'packages/app/one.ts',
      'packages/core/core.ts',
      'packages/other/same-word.ts',
      'scripts/loose.ts',
    ]);
  });

  it('begins with projects that declare it, when symbols are looked for by name', async () => {
    await using workspace = createWorkspace(MONOREPO);
    const { open } = await reached(workspace, 'pri', undefined, workspace.root, 1);
    expect(open).toEqual(['packages/core/core.ts', 'scripts/loose.ts']);
  });

  it('is not opened for gopls, which would not search it all the same', async () => {
    await using workspace = createWorkspace(`
//- go.mod
module example.com/shop
//- core.go
package shop
func Price() {}
//- other_windows.go
package shop
var p = Price()
//- tools/go.mod
module example.com/tools
//- tools/uses.go
import "example.com/shop"
var q = shop.Price()
//- tools/same-word.go
func Price() {}
`);
    expect(await reached(workspace, 'Price', 'core.go')).toEqual({ open: [], unopened: 2, whole: true });
  });

  it('is not known to be all when the time was too short', async () => {
    await using workspace = createWorkspace(MONOREPO);
    const { whole } = await surveyed(workspace, 'typescript', workspace.root, () => true);
    expect(whole).toBe(false);
  });
});
