/** The reader that a row of a language's descriptor names. */
import type { ReaderName } from '../../../../shared/languages/runner-rows.ts';
import type { Runner } from '../runner.ts';
import { cargoMessages, cargoTestText } from './cargo.ts';
import { goTestEvents } from './go.ts';
import { jestReport, mochaReport } from './javascript.ts';
import { junitReport, junitReportsIn } from './junit.ts';
import { BARE_COLON, COLON, KOTLIN, MAVEN, PARENTHESES, problemLines } from './lines-with-places.ts';
import { mixProblems } from './mix.ts';
import {
  dotnetTestText,
  exunitText,
  minitestText,
  rspecReport,
  swiftTestText,
  zigTestText,
} from './numbered.ts';
import { anyBuild, anyTest, eslintJson } from './plain.ts';
import { pyrightJson, unittestText } from './python.ts';
import { tapStream } from './tap.ts';
import { tscLines, tscSolution } from './tsc-build.ts';

const gradle = problemLines([KOTLIN, COLON]);
const maven = problemLines([MAVEN]);

export const readersByName: Readonly<Record<ReaderName, Runner['reader']>> = {
  colon: problemLines([COLON]),
  'bare-colon': problemLines([BARE_COLON], /^\t/),
  parentheses: problemLines([PARENTHESES]),
  gradle,
  maven,
  mix: mixProblems,
  cargo: cargoMessages,
  tsc: tscLines,
  'tsc-solution': tscSolution,
  pyright: pyrightJson,
  eslint: eslintJson,
  'any-build': anyBuild,
  'any-test': anyTest,
  'go-test': goTestEvents,
  'cargo-test': cargoTestText,
  'swift-test': swiftTestText,
  'zig-test': zigTestText,
  'dotnet-test': dotnetTestText,
  exunit: exunitText,
  rspec: rspecReport,
  minitest: minitestText,
  unittest: unittestText,
  jest: jestReport,
  mocha: mochaReport,
  tap: tapStream,
  junit: junitReport(),
  'junit-last': junitReport({ pick: 'last' }),
  'junit-gradle': junitReportsIn(/build\/test-results\//, gradle),
  'junit-maven': junitReportsIn(/target\/(surefire|failsafe)-reports\//, maven),
};
