/** The language families that are known without any configuration. Data only; one file per group. */
import type { LanguageFamily } from './family.ts';
import { compiledFamilies } from './table-compiled.ts';
import { coreFamilies } from './table-core.ts';
import { scriptFamilies } from './table-scripts.ts';
import { webFamilies } from './table-web.ts';

/** In order of precedence: where two families share a root marker, detection credits the first. */
export const languageTable: readonly LanguageFamily[] = [
  ...coreFamilies,
  ...compiledFamilies,
  ...scriptFamilies,
  ...webFamilies,
];
