/**
 * Prints why tests were skipped, after the last test and before vitest's own count.
 * A skip without a reason fails the run: a test that is left out silently is a test that nobody has.
 */
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';

export default class SkipReporter implements Reporter {
  #selected = false;

  onInit(vitest: Vitest): void {
    // With -t everything else counts as skipped, which needs no reason.
    this.#selected = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#selected) return;
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (skipped.length === 0) return;
    const byReason = new Map<string, TestCase[]>();
    for (const test of skipped) {
      const reason = reasonOf(test) ?? 'NO REASON GIVEN';
      byReason.set(reason, [...(byReason.get(reason) ?? []), test]);
    }
    const lines = [...byReason].flatMap(([reason, tests]) => [
      `   ${reason}`,
      ...tests.map((test) => `     ${placeOf(test)}`),
    ]);
    process.stdout.write(`\n Skipped, and why:\n${lines.join('\n')}\n`);
    if (skipped.some((test) => reasonOf(test) === undefined)) process.exitCode = 1;
  }
}

/** Given to `context.skip(reason)`, or at the end of the suite's name by `describeWith`. */
function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  if (result.state === 'skipped' && result.note !== undefined) return result.note;
  for (let task: TestCase | TestSuite | TestModule = test; task.type !== 'module'; task = task.parent) {
    if (task.type === 'suite' && task.errors().length > 0) return 'a hook of its suite failed';
    const named = /\(skipped: (.+)\)$/s.exec(task.name)?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
}

function placeOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName.replace(/ \(skipped: .*?\)(?= > |$)/s, '')}`;
}
