import path from 'node:path';
import { expect, test } from 'vitest';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import { languageOfFile } from '../../../../src/shared/languages/lookup.ts';
import type { RootProbe } from '../../../../src/shared/languages/root-probe.ts';
import { findRoot } from '../../../../src/shared/languages/roots.ts';

/** A disk that consists of these files; a value is the file's text. */
function disk(files: Readonly<Record<string, string>> | readonly string[]): RootProbe {
  const texts = new Map(Array.isArray(files) ? files.map((file) => [file, '']) : Object.entries(files));
  return {
    exists: (file) => [...texts.keys()].some((each) => each === file || each.startsWith(`${file}/`)),
    names: (directory) => [
      ...new Set(
        [...texts.keys()]
          .filter((each) => each.startsWith(`${directory}/`))
          .map((each) => each.slice(directory.length + 1).split('/')[0] ?? ''),
      ),
    ],
    read: (file) => texts.get(file),
  };
}

function rootOf(file: string, probe: RootProbe, boundary = '/w'): string {
  const family = languageOfFile(file)?.family;
  if (!family) throw new Error(`no language for ${file}`);
  const choice = findRoot({ file: absolutePath(file), family, boundary: absolutePath(boundary) }, probe);
  return [choice.root, choice.by, choice.marker].filter(Boolean).join(' ');
}

test('the nearest directory with a marker of the language wins', () => {
  const probe = disk(['/w/pyproject.toml', '/w/api/pyproject.toml', '/w/api/src/package.json']);
  expect(rootOf('/w/api/src/a.py', probe)).toBe('/w/api project pyproject.toml');
  expect(rootOf('/w/b.py', probe)).toBe('/w project pyproject.toml');
});

test('a requirements.txt in a subdirectory does not hide the project above', () => {
  const probe = disk(['/w/requirements.txt', '/w/docs/requirements.txt']);
  expect(rootOf('/w/docs/conf.py', probe)).toBe('/w project requirements.txt');
  expect(rootOf('/w/docs/conf.py', disk(['/w/setup.py', '/w/docs/requirements.txt']))).toBe(
    '/w project setup.py',
  );
});

test('a go.work above wins over go.mod', () => {
  const modules = ['/w/mod/a/go.mod', '/w/mod/b/go.mod'];
  expect(rootOf('/w/mod/a/x.go', disk(modules))).toBe('/w/mod/a project go.mod');
  expect(rootOf('/w/mod/a/x.go', disk([...modules, '/w/mod/go.work']))).toBe('/w/mod workspace go.work');
});

test('a Cargo workspace above wins, unless it excludes the crate', () => {
  const files = { '/w/crates/a/Cargo.toml': '[package]\nname = "a"\n', '/w/crates/a/src/lib.rs': '' };
  const workspace = '[workspace]\nmembers = ["crates/*"]\n';
  const inside = '/w/crates/a/src/lib.rs';
  expect(rootOf(inside, disk({ ...files, '/w/Cargo.toml': workspace }))).toBe('/w workspace Cargo.toml');
  expect(rootOf(inside, disk({ ...files, '/w/Cargo.toml': `${workspace}exclude = ["crates/a"]\n` }))).toBe(
    '/w/crates/a project Cargo.toml',
  );
  expect(rootOf(inside, disk({ ...files, '/w/Cargo.toml': '[package]\nname = "w"\n' }))).toBe(
    '/w/crates/a project Cargo.toml',
  );
});

const WORKSPACE = '{ "name": "w", "workspaces": ["packages/*", "!packages/odd"] }';
const PACKAGE = '{ "name": "a" }';

test('packages of one workspace have one root, however it is joined', () => {
  const packages = { '/w/packages/a/package.json': PACKAGE, '/w/packages/a/tsconfig.json': '{}' };
  const joins: Readonly<Record<string, string>> = {
    'package.json': WORKSPACE,
    'pnpm-workspace.yaml': "packages:\n  # all\n  - 'packages/*'\n  - docs\ncatalog:\n  typescript: 5\n",
    'lerna.json': '{ "packages": ["packages/*"] }',
    'nx.json': '{}',
    'turbo.json': '{}',
    'rush.json': '{ "projects": [{ "packageName": "a", "projectFolder": "packages/a" }], }',
  };
  for (const [name, text] of Object.entries(joins))
    expect(rootOf('/w/packages/a/src/x.ts', disk({ ...packages, [`/w/${name}`]: text }))).toBe(
      `/w workspace ${name}`,
    );
  const classic = '{ "workspaces": { "packages": ["./packages/a/"], "nohoist": [] } }';
  expect(rootOf('/w/packages/a/x.ts', disk({ ...packages, '/w/package.json': classic }))).toBe(
    '/w workspace package.json',
  );
});

test('a package without a list above it belongs to what it is installed with', () => {
  const probe = disk([
    '/w/yarn.lock',
    '/w/package.json',
    '/w/packages/a/package.json',
    '/w/packages/a/tsconfig.json',
  ]);
  expect(rootOf('/w/packages/a/src/x.ts', probe)).toBe('/w project yarn.lock');
});

test('a package with a lock file that no workspace names stands alone', () => {
  const files = {
    '/w/package.json': WORKSPACE,
    '/w/package-lock.json': '{}',
    '/w/packages/a/package.json': PACKAGE,
    '/w/packages/a/package-lock.json': '{}',
    '/w/packages/odd/package.json': PACKAGE,
    '/w/packages/odd/package-lock.json': '{}',
    '/w/examples/one/package.json': PACKAGE,
    '/w/examples/one/pnpm-lock.yaml': '',
    '/w/examples/two/package.json': PACKAGE,
  };
  expect(rootOf('/w/packages/a/x.ts', disk(files))).toBe('/w workspace package.json');
  expect(rootOf('/w/packages/odd/x.ts', disk(files))).toBe('/w/packages/odd project package-lock.json');
  expect(rootOf('/w/examples/one/x.ts', disk(files))).toBe('/w/examples/one project pnpm-lock.yaml');
  // Not named, but not installed apart either.
  expect(rootOf('/w/examples/two/x.ts', disk(files))).toBe('/w project package-lock.json');
  expect(rootOf('/w/examples/one/x.ts', disk({ ...files, '/w/nx.json': '{}' }))).toBe(
    '/w/examples/one project pnpm-lock.yaml',
  );
});

test('a pnpm-workspace.yaml of settings alone joins nothing', () => {
  const probe = disk({
    '/w/pnpm-workspace.yaml': 'onlyBuiltDependencies:\n  - esbuild\n',
    '/w/app/package.json': PACKAGE,
    '/w/app/pnpm-lock.yaml': '',
  });
  expect(rootOf('/w/app/x.ts', probe)).toBe('/w/app project pnpm-lock.yaml');
});

test('a configuration of references joins its projects, then the repository, then the session', () => {
  const projects = ['/w/a/tsconfig.json', '/w/a/package.json', '/w/b/tsconfig.json'];
  const solution = '{ "files": [], "references": [{ "path": "a" }, { "path": "b" }], }';
  const texts = Object.fromEntries(projects.map((file) => [file, '{}']));
  expect(rootOf('/w/a/x.ts', disk({ ...texts, '/w/tsconfig.json': solution }))).toBe(
    '/w workspace tsconfig.json',
  );
  // A solution of solutions.
  const nested = {
    ...texts,
    '/w/tsconfig.json': solution,
    '/w/a/tsconfig.json': '{ "files": [], "references": [{ "path": "src" }] }',
  };
  expect(rootOf('/w/a/src/x.ts', disk(nested))).toBe('/w workspace tsconfig.json');
  // Installed apart, and compiled together.
  const apart = { ...texts, '/w/tsconfig.json': solution, '/w/a/yarn.lock': '', '/w/c/package.json': '{}' };
  expect(rootOf('/w/a/x.ts', disk(apart))).toBe('/w workspace tsconfig.json');
  expect(rootOf('/w/c/x.ts', disk({ ...apart, '/w/c/yarn.lock': '' }))).toBe('/w/c project yarn.lock');
  expect(rootOf('/w/r/a/x.ts', disk(['/w/r/.git/HEAD', '/w/r/a/tsconfig.json']))).toBe(
    '/w/r repository .git',
  );
  expect(rootOf('/w/a/x.ts', disk(texts))).toBe('/w boundary');
});

test('a home or a disk is never a workspace', () => {
  const family = languageOfFile('x.ts')?.family;
  if (!family) throw new Error('no TypeScript');
  const inHome = (file: string, probe: RootProbe) =>
    findRoot({ file: absolutePath(file), family, boundary: absolutePath('/home'), isWide: true }, probe).root;
  const stray = ['/home/package.json', '/home/package-lock.json'];
  expect(inHome('/home/code/a/src/x.ts', disk([...stray, '/home/code/a/package.json']))).toBe('/home/code/a');
  expect(
    inHome(
      '/home/code/a/esm/x.ts',
      disk([
        ...stray,
        '/home/code/a/package.json',
        '/home/code/a/tsconfig.json',
        '/home/code/a/esm/package.json',
      ]),
    ),
  ).toBe('/home/code/a');
});

test('members of uv and Poetry workspaces have one root, unless they are checked by rules of their own', () => {
  const uv = '[tool.uv.workspace]\nmembers = ["packages/*"]\nexclude = ["packages/old"]\n';
  const member = '[project]\nname = "a"\n';
  const files = {
    '/w/pyproject.toml': uv,
    '/w/packages/a/pyproject.toml': member,
    '/w/packages/old/pyproject.toml': member,
    '/w/packages/strict/pyproject.toml': `${member}[tool.pyright]\nstrict = ["src"]\n`,
    '/w/tools/pyproject.toml': member,
  };
  expect(rootOf('/w/packages/a/src/a/x.py', disk(files))).toBe('/w workspace pyproject.toml');
  expect(rootOf('/w/packages/old/x.py', disk(files))).toBe('/w/packages/old project pyproject.toml');
  expect(rootOf('/w/packages/strict/x.py', disk(files))).toBe('/w/packages/strict project pyproject.toml');
  expect(rootOf('/w/tools/x.py', disk(files))).toBe('/w/tools project pyproject.toml');
  const poetry = '[tool.poetry.group.dev.dependencies]\na = { path = "packages/a", develop = true }\n';
  expect(rootOf('/w/packages/a/x.py', disk({ ...files, '/w/pyproject.toml': poetry }))).toBe(
    '/w workspace pyproject.toml',
  );
});

test('Python projects that name each other by path have one root, in whatever way they are named', () => {
  const files = (top: string) => ({
    '/w/pyproject.toml': top,
    '/w/apps/app/pyproject.toml':
      '[project]\nname = "app"\n[tool.poetry.dependencies]\ncore = { path = "../../libs/core", develop = true }\n',
    '/w/libs/core/pyproject.toml': '[project]\nname = "core"\n',
    '/w/libs/alone/pyproject.toml': '[project]\nname = "alone"\n',
  });
  const tops = [
    '[tool.poetry.dependencies]\napp = { path = "apps/app", develop = true }\n',
    '[tool.poetry.dev-dependencies]\napp = { path = "./apps/app" }\n',
    '[tool.poetry.dependencies]\napp = [{ path = "apps/app", markers = "a" }, { version = "1" }]\n',
    '[project]\ndependencies = ["app @ file:///w/apps/app", "httpx"]\n',
    '[tool.uv.sources]\napp = { path = "apps/app", editable = true }\n',
  ];
  for (const top of tops) {
    const probe = disk(files(top));
    expect(rootOf('/w/apps/app/app/x.py', probe), top).toBe('/w workspace pyproject.toml');
    expect(rootOf('/w/libs/core/core/x.py', probe), top).toBe('/w workspace pyproject.toml');
    expect(rootOf('/w/libs/alone/x.py', probe), top).toBe('/w/libs/alone project pyproject.toml');
  }
});

test('a Deno project needs no package.json', () => {
  const probe = disk(['/w/package.json', '/w/tsconfig.json', '/w/edge/deno.jsonc']);
  expect(rootOf('/w/edge/main.ts', probe)).toBe('/w/edge project deno.jsonc');
});

test('a file of a dependency belongs to the project that uses it', () => {
  const probe = disk([
    '/w/package.json',
    '/w/tsconfig.json',
    '/w/node_modules/x/package.json',
    '/w/node_modules/x/tsconfig.json',
  ]);
  expect(rootOf('/w/node_modules/x/index.d.ts', probe)).toBe('/w boundary');
  expect(
    rootOf(
      '/w/.venv/lib/python3/site-packages/x/y.py',
      disk(['/w/setup.py', '/w/.venv/lib/python3/site-packages/x/setup.py']),
    ),
  ).toBe('/w project setup.py');
});

test('opened on purpose, a dependency is a root of its own', () => {
  const probe = disk(['/w/package.json', '/w/tsconfig.json', '/w/node_modules/x/package.json']);
  expect(rootOf('/w/node_modules/x/index.js', probe, '/w/node_modules/x')).toBe('/w/node_modules/x boundary');
});

test('a compilation database wins over nearer makefiles, and the outermost of those wins', () => {
  const files = ['/w/lib/CMakeLists.txt', '/w/lib/sub/CMakeLists.txt', '/w/lib/sub/Makefile'];
  expect(rootOf('/w/lib/sub/a.cc', disk([...files, '/w/compile_commands.json']))).toBe(
    '/w project compile_commands.json',
  );
  expect(rootOf('/w/lib/sub/a.cc', disk([...files, '/w/build/compile_commands.json']))).toBe(
    '/w project build/compile_commands.json',
  );
  expect(rootOf('/w/lib/sub/a.cc', disk(files))).toBe('/w/lib project CMakeLists.txt');
});

test('a solution above wins over a project file; both are found by pattern', () => {
  expect(rootOf('/w/src/App/A.cs', disk(['/w/src/App/App.csproj']))).toBe('/w/src/App project App.csproj');
  expect(rootOf('/w/src/App/A.cs', disk(['/w/src/App/App.csproj', '/w/All.sln']))).toBe(
    '/w workspace All.sln',
  );
});

test('without a marker the repository is the root, also when .git is the file of a worktree', () => {
  expect(rootOf('/w/a/b/x.go', disk(['/w/a/.git/HEAD']))).toBe('/w/a repository .git');
  expect(rootOf('/w/a/b/x.go', disk({ '/w/a/b/.git': 'gitdir: /elsewhere' }))).toBe('/w/a/b repository .git');
});

test('without anything the boundary is the root', () => {
  expect(rootOf('/w/a/b/x.go', disk([]))).toBe('/w boundary');
});

test('nothing above the boundary is looked at', () => {
  const probe = disk(['/go.work', '/w/go.mod', '/w/.git/HEAD']);
  expect(rootOf('/w/inner/a/x.go', probe, '/w/inner')).toBe('/w/inner boundary');
});

test('a file outside the boundary is refused', () => {
  try {
    rootOf('/elsewhere/x.go', disk([]));
    expect.unreachable();
  } catch (error) {
    expect(failureOf(error)).toMatchObject({ kind: 'outside-roots', roots: ['/w'] });
  }
});

test('a directory is its own starting point', () => {
  const family = languageOfFile('a.go')?.family;
  if (!family) throw new Error('no go');
  const directory = absolutePath('/w/a');
  const choice = findRoot(
    { file: directory, isDirectory: true, family, boundary: absolutePath('/w') },
    disk(['/w/a/go.mod']),
  );
  expect(path.basename(choice.root)).toBe('a');
});
