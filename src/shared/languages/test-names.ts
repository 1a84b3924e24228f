/** What tests are called in many languages, as parts of the descriptors in `table/`. */

/** For languages that do not say otherwise. */
export const USUAL_TESTS: readonly string[] = ['.', '-', '_'].flatMap((mark) =>
  ['test', 'tests', 'spec', 'specs'].map((word) => `*${mark}${word}`),
);

export const CAPITALISED_TESTS: readonly string[] = ['*Test', '*Tests'];
