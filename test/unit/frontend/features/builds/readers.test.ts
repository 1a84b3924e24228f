/** What runners print, as recorded, and what is made of it. Runners that are on the machine are run in test/real. */
import { describe, expect, it } from 'vitest';
import type {
  BuildFinding,
  OutputReading,
  Runner,
} from '../../../../../src/frontend/features/builds/runner.ts';
import { runners } from '../../../../../src/frontend/features/builds/runners.ts';
import type { AbsPath } from '../../../../../src/shared/base/brand.ts';
import { createWorkspace } from '../../../../support/workspace.ts';

interface Recorded {
  readonly runner: string;
  readonly output?: string;
  readonly report?: string;
  /** Files that must exist for places to be believed. */
  readonly files?: readonly string[];
  /** Reports that the build tool puts into the project. */
  readonly written?: Readonly<Record<string, string>>;
}

async function read({
  runner,
  output = '',
  report,
  files = [],
  written = {},
}: Recorded): Promise<OutputReading> {
  await using workspace = createWorkspace('');
  for (const file of files) workspace.write(file, '');
  const startedAt = Date.now();
  for (const [file, text] of Object.entries(written)) workspace.write(file, at(text, workspace.root));
  const reportFile =
    report === undefined
      ? undefined
      : workspace.write(`${workspace.scratch}/report`, at(report, workspace.root));
  const reader = named(runner).reader({ cwd: workspace.root, report: reportFile, startedAt });
  for (const line of at(output, workspace.root).split('\n')) if (line !== '') reader.line(line);
  const reading = await reader.done();
  const relative = (file: string) => file.replace(`${workspace.root}/`, '');
  return {
    ...reading,
    findings: reading.findings.map(({ base: _, ...finding }) => ({
      ...finding,
      ...(finding.file === undefined ? {} : { file: relative(finding.file) }),
    })),
  };
}

function named(name: string): Runner {
  const found = runners.find((each) => each.name === name);
  if (!found) throw new Error(`there is no runner ${name}`);
  return found;
}

function at(text: string, root: AbsPath): string {
  return text.replaceAll('/w/', `${root}/`);
}

/** `file:line:column test | message`, with what is not known left out. */
function shown({ findings }: OutputReading): readonly string[] {
  return findings.map(({ file, line, column, test, severity, message }: BuildFinding) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(':');
    return [place, test ?? severity, message].join(' | ');
  });
}

describe('compilers', () => {
  it('tsc: with continuation lines, and about the project', async () => {
    const reading = await read({
      runner: 'tsc',
      output: `src/a.ts(2,7): error TS2322: Type '{ a: number; }' is not assignable to type 'B'.
  Types of property 'a' are incompatible.
    Type 'number' is not assignable to type 'string'.
error TS18003: No inputs were found in config file.`,
    });
    expect(shown(reading)).toEqual([
      "src/a.ts:2:7 | error | TS2322: Type '{ a: number; }' is not assignable to type 'B'.\nTypes of property 'a' are incompatible.\nType 'number' is not assignable to type 'string'.",
      ' | error | TS18003: No inputs were found in config file.',
    ]);
  });

  it('dotnet build', async () => {
    const reading = await read({
      runner: 'dotnet build',
      output: `/w/App/Client.cs(10,5): error CS1002: ; expected [/w/App/App.csproj]
/w/App/Client.cs(3,9): warning CS0168: The variable 'x' is declared but never used [/w/App/App.csproj]
    1 Warning(s)
    1 Error(s)`,
    });
    expect(shown(reading)).toEqual([
      'App/Client.cs:10:5 | error | CS1002: ; expected',
      "App/Client.cs:3:9 | warning | CS0168: The variable 'x' is declared but never used",
    ]);
  });

  it('Maven, Gradle with Java and with Kotlin of both spellings', async () => {
    const maven = await read({
      runner: 'mvn test-compile',
      output: `[ERROR] COMPILATION ERROR :
[ERROR] /w/src/main/java/org/A.java:[10,5] cannot find symbol
[ERROR]   symbol:   variable y
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:compile`,
    });
    expect(shown(maven)).toEqual(['src/main/java/org/A.java:10:5 | error | cannot find symbol']);
    const gradle = await read({
      runner: 'gradle build',
      output: `e: file:///w/src/main/kotlin/A.kt:3:12 Unresolved reference: y
e: /w/src/main/kotlin/B.kt: (4, 5): Type mismatch
/w/src/main/java/C.java:7: error: ';' expected
    int x
         ^
FAILURE: Build failed with an exception.`,
    });
    expect(shown(gradle)).toEqual([
      'src/main/kotlin/A.kt:3:12 | error | Unresolved reference: y',
      'src/main/kotlin/B.kt:4:5 | error | Type mismatch',
      "src/main/java/C.java:7 | error | ';' expected",
    ]);
  });

  it('swift, zig, mypy and mix', async () => {
    const swift = await read({
      runner: 'swift build',
      output: "/w/Sources/A.swift:3:5: error: cannot find 'y' in scope",
    });
    expect(shown(swift)).toEqual(["Sources/A.swift:3:5 | error | cannot find 'y' in scope"]);
    const zig = await read({
      runner: 'zig build',
      output:
        "src/main.zig:4:9: error: use of undeclared identifier 'y'\nsrc/main.zig:1:1: note: declared here",
    });
    expect(shown(zig)).toEqual(["src/main.zig:4:9 | error | use of undeclared identifier 'y'"]);
    const mypy = await read({
      runner: 'mypy',
      output:
        'pkg/a.py:3:5: error: Incompatible return value type (got "str", expected "int")  [return-value]',
    });
    expect(shown(mypy)).toEqual([
      'pkg/a.py:3:5 | error | Incompatible return value type (got "str", expected "int")  [return-value]',
    ]);
    const mix = await read({
      runner: 'mix compile',
      output: `    error: undefined variable "y"
    │
  3 │     y
    │     ^
    │
    └─ lib/a.ex:3:5: A.f/0
** (SyntaxError) lib/b.ex:2:1: unexpected token: end`,
    });
    expect(shown(mix)).toEqual([
      'lib/a.ex:3:5 | error | undefined variable "y"',
      'lib/b.ex:2:1 | error | unexpected token: end',
    ]);
  });

  it('eslint', async () => {
    const reading = await read({
      runner: 'eslint',
      output:
        '[{"filePath":"/w/a.js","messages":[{"ruleId":"no-undef","severity":2,"message":"\'y\' is not defined.","line":1,"column":5}],"errorCount":1}]',
    });
    expect(shown(reading)).toEqual(["a.js:1:5 | error | 'y' is not defined. (no-undef)"]);
  });

  it('take nothing from lines that only look a little like problems', async () => {
    const reading = await read({
      runner: 'make',
      output: `12:30:01: error: clock
gmake: *** [Makefile:101: all] Error 2
http://localhost:80: error: refused
In file included from a.c:1:`,
    });
    expect(reading.findings).toEqual([]);
  });
});

describe('test runners', () => {
  it('jest', async () => {
    const reading = await read({
      runner: 'jest',
      files: ['src/sum.test.js'],
      report: JSON.stringify({
        numTotalTests: 3,
        numFailedTests: 1,
        numPendingTests: 1,
        numTodoTests: 0,
        testResults: [
          {
            name: '/w/src/sum.test.js',
            status: 'failed',
            message: '',
            assertionResults: [
              { ancestorTitles: ['sum'], title: 'adds', status: 'passed', failureMessages: [] },
              {
                ancestorTitles: ['sum'],
                title: 'is off',
                status: 'failed',
                failureMessages: [
                  'Error: expect(received).toBe(expected)\n\nExpected: 4\nReceived: 3\n    at Object.toBe (/w/src/sum.test.js:7:21)\n    at Promise.then.completed (/w/node_modules/jest-circus/build/utils.js:298:28)',
                ],
              },
            ],
          },
          {
            name: '/w/src/bad.test.js',
            status: 'failed',
            message: '  ● Test suite failed to run',
            assertionResults: [],
          },
        ],
      }),
    });
    expect(shown(reading)).toEqual([
      'src/sum.test.js:7:21 | sum > is off | Error: expect(received).toBe(expected)\n\nExpected: 4\nReceived: 3',
      'src/bad.test.js | [file] |   ● Test suite failed to run',
    ]);
    expect([reading.total, reading.skipped]).toEqual([2, 1]);
  });

  it('mocha', async () => {
    const reading = await read({
      runner: 'mocha',
      files: ['test/sum.js'],
      report: JSON.stringify({
        stats: { tests: 2, passes: 1, pending: 0, failures: 1 },
        failures: [
          {
            fullTitle: 'sum is off',
            file: '/w/test/sum.js',
            err: {
              message: 'expected 3 to equal 4',
              stack: 'AssertionError: …\n    at Context.<anonymous> (test/sum.js:9:14)',
            },
          },
        ],
      }),
    });
    expect(shown(reading)).toEqual(['test/sum.js:9:14 | sum is off | expected 3 to equal 4']);
    expect(reading.total).toBe(2);
  });

  it('Maven’s reports, only those of this run', async () => {
    const reading = await read({
      runner: 'mvn test',
      files: ['src/test/java/org/ClientTest.java'],
      written: {
        'target/surefire-reports/TEST-org.ClientTest.xml': `<?xml version="1.0"?>
<testsuite name="org.ClientTest" tests="3" failures="1" skipped="1">
  <testcase name="starts" classname="org.ClientTest" time="0.01"/>
  <testcase name="later" classname="org.ClientTest"><skipped/></testcase>
  <testcase name="stops" classname="org.ClientTest" time="0.02">
    <failure message="expected: &lt;1&gt; but was: &lt;2&gt;" type="AssertionFailedError"><![CDATA[org.opentest4j.AssertionFailedError: expected: <1> but was: <2>
	at org.junit.jupiter.api.Assertions.assertEquals(Assertions.java:150)
	at org.ClientTest.stops(ClientTest.java:12)
]]></failure>
  </testcase>
</testsuite>`,
      },
    });
    expect(shown(reading)).toEqual([
      'src/test/java/org/ClientTest.java:12 | org.ClientTest.stops | expected: <1> but was: <2>',
    ]);
    expect([reading.total, reading.skipped]).toEqual([2, 1]);
    expect((await read({ runner: 'mvn test' })).total).toBe(0);
  });

  it('phpunit', async () => {
    const reading = await read({
      runner: 'phpunit',
      files: ['tests/SumTest.php'],
      report: `<testsuites><testsuite name="SumTest" tests="1">
<testcase name="testAdds" class="SumTest" classname="SumTest" file="/w/tests/SumTest.php" line="8" assertions="1">
<failure type="PHPUnit\\Framework\\ExpectationFailedException">SumTest::testAdds
Failed asserting that 3 matches expected 4.

/w/tests/SumTest.php:10</failure></testcase></testsuite></testsuites>`,
    });
    expect(shown(reading)[0]).toMatch(
      /^tests\/SumTest\.php:10 \| SumTest\.testAdds \| SumTest::testAdds\nFailed asserting/,
    );
  });

  it('.NET', async () => {
    const reading = await read({
      runner: 'dotnet test',
      files: ['App.Tests/SumTests.cs'],
      output: `  Passed App.Tests.SumTests.Adds [3 ms]
  Failed App.Tests.SumTests.IsOff [12 ms]
  Error Message:
   Assert.Equal() Failure
Expected: 4
Actual:   3
  Stack Trace:
     at App.Tests.SumTests.IsOff() in /w/App.Tests/SumTests.cs:line 14

Failed!  - Failed:     1, Passed:     1, Skipped:     1, Total:     3, Duration: 20 ms - App.Tests.dll (net8.0)`,
    });
    expect(shown(reading)).toEqual([
      'App.Tests/SumTests.cs:14 | App.Tests.SumTests.IsOff | Assert.Equal() Failure\nExpected: 4\nActual:   3',
    ]);
    expect([reading.total, reading.failed, reading.skipped]).toEqual([2, 1, 1]);
  });

  it('XCTest and Swift Testing', async () => {
    const reading = await read({
      runner: 'swift test',
      files: ['Tests/AppTests/SumTests.swift'],
      output: `Test Case 'SumTests.testIsOff' started at 2025-01-01 10:00:00.000
/w/Tests/AppTests/SumTests.swift:9: error: SumTests.testIsOff : XCTAssertEqual failed: ("3") is not equal to ("4") - 
	 Executed 2 tests, with 1 failure (0 unexpected) in 0.003 (0.003) seconds`,
    });
    expect(shown(reading)).toEqual([
      'Tests/AppTests/SumTests.swift:9 | SumTests.testIsOff | XCTAssertEqual failed: ("3") is not equal to ("4") -',
    ]);
    expect(reading.total).toBe(2);
  });

  it('zig', async () => {
    const reading = await read({
      runner: 'zig build test',
      files: ['src/main.zig'],
      output: `test
└─ run test 1/2 passed, 1 failed
error: 'main.test.is off' failed: expected 4, found 3
/usr/lib/zig/std/testing.zig:110:17: 0x103b4c9 in expectEqualInner__anon_1 (test)
/w/src/main.zig:12:5: 0x103b5a1 in test.is off (test)
Build Summary: 1/3 steps succeeded; 1 failed; 1/2 tests passed; 1 failed`,
    });
    expect(shown(reading)).toEqual(['src/main.zig:12:5 | main.test.is off | expected 4, found 3']);
    expect(reading.total).toBe(2);
  });

  it('minitest and RSpec', async () => {
    const minitest = await read({
      runner: 'rake test',
      files: ['test/sum_test.rb'],
      output: `# Running:
.F
  1) Failure:
SumTest#test_is_off [test/sum_test.rb:9]:
Expected: 4
  Actual: 3

2 runs, 2 assertions, 1 failures, 0 errors, 0 skips`,
    });
    expect(shown(minitest)).toEqual(['test/sum_test.rb:9 | SumTest#test_is_off | Expected: 4\nActual: 3']);
    expect([minitest.total, minitest.failed]).toEqual([2, 1]);
    const rspec = await read({
      runner: 'rspec',
      files: ['spec/sum_spec.rb'],
      report: JSON.stringify({
        examples: [
          { status: 'passed', full_description: 'Sum adds' },
          {
            status: 'failed',
            full_description: 'Sum is off',
            file_path: './spec/sum_spec.rb',
            line_number: 8,
            exception: {
              message: '\nexpected: 4\n     got: 3',
              backtrace: ['/w/spec/sum_spec.rb:9:in `block'],
            },
          },
        ],
        summary: {
          example_count: 2,
          failure_count: 1,
          pending_count: 0,
          errors_outside_of_examples_count: 0,
        },
      }),
    });
    expect(shown(rspec)).toEqual(['spec/sum_spec.rb:9 | Sum is off | expected: 4\n     got: 3']);
  });

  it('ExUnit', async () => {
    const reading = await read({
      runner: 'mix test',
      files: ['test/sum_test.exs'],
      output: `  1) test is off (SumTest)
     test/sum_test.exs:7
     Assertion with == failed
     code:  assert Sum.add(1, 2) == 4
     left:  3
     right: 4
     stacktrace:
       test/sum_test.exs:8: (test)

Finished in 0.02 seconds
2 tests, 1 failure`,
    });
    expect(shown(reading)).toEqual([
      'test/sum_test.exs:7 | test is off (SumTest) | Assertion with == failed\ncode:  assert Sum.add(1, 2) == 4\nleft:  3\nright: 4',
    ]);
    expect([reading.total, reading.failed]).toEqual([2, 1]);
  });

  it('go: tests of the same name in two packages stay apart, and places are those of the package', async () => {
    const event = (packageName: string, Action: string, Output?: string) =>
      JSON.stringify({
        Action,
        Package: packageName,
        Test: 'TestX',
        ...(Output === undefined ? {} : { Output }),
      });
    const reading = await read({
      runner: 'go test',
      written: { 'go.mod': 'module example.com/m\n' },
      output: [
        event('example.com/m/a', 'output', '    x_test.go:5: bad a\n'),
        event('example.com/m/b', 'output', '    x_test.go:6: bad b\n'),
        event('example.com/m/a', 'fail'),
        event('example.com/m/b', 'fail'),
      ].join('\n'),
    });
    expect(shown(reading)).toEqual(['x_test.go:5 | TestX | bad a', 'x_test.go:6 | TestX | bad b']);
    expect(reading.total).toBe(2);
  });

  it('a runner that was stopped before its report has none, and says so', async () => {
    expect(await read({ runner: 'vitest', output: 'RUN' })).toEqual({
      findings: [],
      doubt: 'the runner wrote no report',
    });
  });
});
