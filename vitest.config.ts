import { defineConfig } from 'vitest/config';

/** What holds for the tests of every project. */
const everywhere = {
  pool: 'forks',
  // Only against hanging: a machine with other work may take many times as long as an idle one.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  retry: 0,
  // Titles of cases show their fields whole: forty letters, as is usual, cut sentences.
  chaiConfig: { truncateThreshold: 120 },
} as const;

/** Tests that replace modules, or change what belongs to the process. */
const ALONE = 'test/unit/**/*.alone.test.ts';

/** Runs the sources, without a build. */
const unit = [
  {
    test: {
      ...everywhere,
      name: 'unit',
      include: ['test/unit/**/*.test.ts'],
      exclude: [ALONE],
      // Modules have no state and tests leave none behind, which the check holds: files share what is loaded.
      isolate: false,
    },
  },
  { test: { ...everywhere, name: 'unit-alone', include: [ALONE] } },
];

/** May run the built program, which is built first. Each file starts processes and gets one of its own. */
const built = ['tools', 'process', 'real', 'clients'].map((name) => ({
  test: {
    ...everywhere,
    name,
    include: [`test/${name}/**/*.test.ts`],
    globalSetup: ['test/support/global-setup.ts'],
  },
}));

export default defineConfig({
  test: {
    projects: [...unit, ...built],
    maxWorkers: 2,
    // A test that passes only the second time hides a race, and an empty run hides a wrong pattern.
    passWithNoTests: false,
    reporters: ['./scripts/skip-reporter.ts', 'default'],
  },
});
