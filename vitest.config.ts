import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{unit,tools,process,real}/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Tests start processes, change directories and move clocks: each file gets a process of its own.
    pool: 'forks',
    maxWorkers: 2,
    // Only against hanging: a machine with other work may take many times as long as an idle one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    retry: 0,
    // A test that passes only the second time hides a race, and an empty run hides a wrong pattern.
    passWithNoTests: false,
    reporters: ['./scripts/skip-reporter.ts', 'default'],
  },
});
