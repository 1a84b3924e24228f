/** Builds and tests with the real tools: what they find must be where the sources have it. One front end for all. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

const SOURCES = `
//- ts/tsconfig.json
{ "compilerOptions": { "strict": true, "types": [] }, "include": ["src"] }
//- ts/package.json
{ "name": "sample", "type": "module", "devDependencies": { "vitest": "*" } }
//- ts/src/sum.ts
export const sum = (a: number, b: number): number => a + b;
//- ts/src/wrong.ts
const umlaut = 'ü'; export const wrong: number = umlaut;
//- ts/test/sum.test.ts
import { describe, expect, it } from 'vitest';
import { sum } from '../src/sum.ts';
describe('sum', () => {
  it('adds', () => expect(sum(1, 2)).toBe(3));
  it('is off', () => expect(sum(1, 2)).toBe(4));
});
//- solution/tsconfig.json
{ "files": [], "references": [{ "path": "./part" }] }
//- solution/part/tsconfig.json
{ "compilerOptions": { "composite": true, "strict": true, "types": [] }, "include": ["*.ts"] }
//- solution/part/wrong.ts
export const wrong: number = 'text';
//- py/pyproject.toml
[project]
name = "sample"
//- py/pkg/__init__.py
//- py/pkg/calc.py
def add(a: int, b: int) -> int:
    return str(a + b)
//- py/tests/test_calc.py
import unittest

class CalcTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(1 + 2, 3)

    def test_is_off(self):
        self.assertEqual(1 + 2, 4, "sum is off")
//- go/go.mod
module example.com/sample

go 1.21
//- go/calc/calc.go
package calc

func Add(a, b int) int { return a + b }
//- go/calc/calc_test.go
package calc

import "testing"

func TestAdds(t *testing.T) {}

func TestIsOff(t *testing.T) {
	if Add(1, 2) != 4 {
		t.Errorf("got %d", Add(1, 2))
	}
}
//- go/bad/bad.go
package bad

var /* ü */ wrong int = "text"
//- rs/Cargo.toml
[package]
name = "sample"
version = "0.1.0"
edition = "2021"
//- rs/src/lib.rs
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}
#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(super::add(1, 2), 3);
    }
    #[test]
    fn is_off() {
        assert_eq!(super::add(1, 2), 4, "sum is off");
    }
}
//- c/Makefile
all:
	$(MAKE) -C sub
//- c/sub/Makefile
all:
	cc -Wall -c a.c -o /dev/null
//- c/sub/a.c
int f(void) { return y; }
//- cm/CMakeLists.txt
cmake_minimum_required(VERSION 3.10)
project(sample C)
enable_testing()
add_executable(check check.c)
add_test(NAME good COMMAND check)
add_test(NAME is-off COMMAND check x)
//- cm/check.c
#include <assert.h>
int main(int argc, char **argv) {
  (void)argv;
  assert(argc == 1);
  return 0;
}
`;

interface Build {
  readonly success: boolean;
  readonly errors: readonly Place[];
}
interface Tests {
  readonly passed: boolean;
  readonly total?: number;
  readonly failures: readonly (Place & { readonly test_name: string })[];
}
interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

let world: RealWorld;
let session: RealSession;

beforeAll(async () => {
  world = realWorld(SOURCES);
  const modules = path.resolve(import.meta.dirname, '../../node_modules');
  mkdirSync(world.workspace.file('ts/node_modules'));
  for (const name of ['vitest', 'typescript'])
    symlinkSync(path.join(modules, name), world.workspace.file(`ts/node_modules/${name}`));
  session = await world.session('--daemon', 'never');
}, 60_000);

afterAll(async () => {
  await world.end();
  await world[Symbol.asyncDispose]();
});

async function build(directory: string): Promise<Build> {
  return (await session.data('run_build', { path: directory })) as Build;
}

async function tests(directory: string): Promise<Tests> {
  return (await session.data('run_tests', { path: directory })) as Tests;
}

function places(found: readonly Place[]): readonly string[] {
  return found.map(({ file = '', line, column }) =>
    [path.relative(world.workspace.root, file), line, column].filter((part) => part !== undefined).join(':'),
  );
}

describe('TypeScript', () => {
  it('is checked by tsc, in UTF-16 columns', async () => {
    const result = await build('ts');
    expect(result.success).toBe(false);
    expect(places(result.errors)).toEqual(['ts/src/wrong.ts:1:34']);
    expect(result.errors[0]?.message).toContain('TS2322');
  }, 60_000);

  it('is checked in all projects that a solution refers to', async () => {
    const result = await build('solution');
    expect(result.success).toBe(false);
    expect(places(result.errors)).toEqual(['solution/part/wrong.ts:1:14']);
  }, 60_000);

  it('is tested by vitest, as a whole and by file', async () => {
    const result = await tests('ts');
    expect(result).toMatchObject({ passed: false, total: 2 });
    expect(places(result.failures)).toEqual(['ts/test/sum.test.ts:5:40']);
    expect(result.failures[0]?.test_name).toBe('sum > is off');
    world.edit('ts/test/sum.test.ts', 'toBe(4)', 'toBe(3)');
    expect(await tests('ts/test/sum.test.ts')).toMatchObject({ passed: true, total: 2, failures: [] });
  }, 120_000);
});

describeWith('python3', 'Python', () => {
  it('is checked by the bundled pyright', async () => {
    const result = await build('py');
    expect(result.success).toBe(false);
    expect(places(result.errors)).toEqual(['py/pkg/calc.py:2:12']);
  }, 120_000);

  it('is tested by unittest where pytest is not installed, which is said', async () => {
    // A Python that cannot import pytest, as in an environment of its own.
    const made = spawnSync('python3', ['-m', 'venv', '--without-pip', world.workspace.file('py/.venv')]);
    expect(made.status).toBe(0);
    const answer = await session.frontEnd.call('run_tests', { path: 'py' });
    expect(answer.text).toContain('pytest is not installed (pip install pytest)');
    const result = answer.json as Tests;
    expect(result).toMatchObject({ passed: false, total: 2 });
    expect(places(result.failures)).toEqual(['py/tests/test_calc.py:8']);
    expect(result.failures[0]?.message).toBe('AssertionError: 3 != 4 : sum is off');
    world.workspace.remove('py/.venv');
  }, 60_000);
});

describeWith(['python3', 'pytest'], 'Python with pytest', () => {
  it('is tested, and a file without tests is not called passed', async () => {
    const result = await tests('py');
    expect(result).toMatchObject({ passed: false, total: 2 });
    expect(places(result.failures)).toEqual(['py/tests/test_calc.py:8']);
    expect(result.failures[0]?.test_name).toBe('tests.test_calc.CalcTest.test_is_off');
    expect(await tests('py/pkg')).toMatchObject({ passed: false, total: 0, failures: [] });
  }, 60_000);
});

describeWith('go', 'Go', () => {
  it('is built, with columns that bytes do not shift', async () => {
    const result = await build('go');
    expect(result.success).toBe(false);
    expect(places(result.errors)).toContain('go/bad/bad.go:3:25');
    expect(await build('go/calc')).toMatchObject({ success: true, errors: [] });
  }, 120_000);

  it('is tested by package, and places are in the directory of the package', async () => {
    const result = await tests('go/calc');
    expect(result).toMatchObject({ passed: false, total: 2 });
    expect(places(result.failures)).toEqual(['go/calc/calc_test.go:9']);
    const everything = await tests('go');
    expect(everything.failures.map(({ test_name }) => test_name)).toContain('[build]');
  }, 120_000);
});

describeWith('cargo', 'Rust', () => {
  it('is tested, then built with an error in it', async () => {
    const result = await tests('rs');
    expect(result).toMatchObject({ passed: false, total: 2 });
    expect(places(result.failures)).toEqual(['rs/src/lib.rs:12:9']);
    expect(result.failures[0]?.message).toContain('sum is off');
    world.edit('rs/src/lib.rs', '    a + b', '    /* ü𝄞 */ "text"');
    const broken = await build('rs');
    expect(broken.success).toBe(false);
    expect(places(broken.errors)).toEqual(['rs/src/lib.rs:2:15']);
  }, 180_000);
});

describeWith(['make', 'cc'], 'C with make', () => {
  it('is built in a directory below, where the paths belong', async () => {
    const result = await build('c');
    expect(result.success).toBe(false);
    expect(places(result.errors)[0]).toBe('c/sub/a.c:1:22');
  });
});

describeWith(['cmake', 'cc', 'make'], 'C with CMake', () => {
  it('is built and tested in the directory that was configured', async () => {
    expect(await session.refused('run_build', { path: 'cm' })).toContain('is not configured');
    const at = world.workspace.file('cm');
    expect(spawnSync('cmake', ['-S', at, '-B', path.join(at, 'build')]).status).toBe(0);
    expect(await build('cm')).toMatchObject({ success: true, errors: [] });
    const result = await tests('cm');
    expect(result).toMatchObject({ passed: false, total: 2 });
    expect(places(result.failures)).toEqual(['cm/check.c:4']);
    expect(result.failures[0]?.test_name).toBe('is-off');
  }, 60_000);
});
