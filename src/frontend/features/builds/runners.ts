/** All runners, in the order in which they count where a directory shows several: what is more particular comes first. */
import type { Runner } from './runner.ts';
import { cmakeRunners, makeRunners } from './runners-cpp.ts';
import { javascriptRunners } from './runners-javascript.ts';
import { managedRunners } from './runners-managed.ts';
import { nativeRunners } from './runners-native.ts';
import { pythonRunners } from './runners-python.ts';

export const runners: readonly Runner[] = [
  ...nativeRunners,
  ...cmakeRunners,
  ...pythonRunners,
  ...managedRunners,
  ...javascriptRunners,
  ...makeRunners,
];
