/** What the command line asks for. */
import { realpathSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { languageMostlyIn } from './sources.ts';
import { LANGUAGES, type Language, TOOLS, type Tool } from './truth.ts';

export interface Options {
  readonly root: string;
  readonly language: Language;
  readonly symbols: number;
  readonly seed: number;
  /** Undefined: the product decides. */
  readonly typescript: string | undefined;
  readonly tools: readonly Tool[];
  readonly json: boolean;
  readonly timeoutMs: number;
}

const USAGE =
  'usage: npm run judge -- <repository> [--language typescript|python|go] [--symbols 40] [--seed 1] [--typescript own|7|auto] [--tools references,callers,…] [--json] [--timeout-ms 120000]';

export class WrongUsage extends Error {}

export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      language: { type: 'string' },
      symbols: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      typescript: { type: 'string' },
      tools: { type: 'string', default: TOOLS.join(',') },
      json: { type: 'boolean', default: false },
      'timeout-ms': { type: 'string', default: '120000' },
    },
  });
  const [repository, ...others] = positionals;
  if (repository === undefined || others.length > 0) throw new WrongUsage(USAGE);
  if (!statSync(repository, { throwIfNoEntry: false })?.isDirectory())
    throw new WrongUsage(`${repository} is no directory\n${USAGE}`);
  const root = realpathSync(repository);
  return {
    root,
    language: values.language === undefined ? languageMostlyIn(root) : languageNamed(values.language),
    symbols: positive('--symbols', values.symbols),
    seed: positive('--seed', values.seed),
    typescript: values.typescript,
    tools: values.tools.split(',').map(toolNamed),
    json: values.json,
    timeoutMs: positive('--timeout-ms', values['timeout-ms']),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new WrongUsage(`${name} must be a whole number from 1 on`);
  return value;
}

function languageNamed(name: string): Language {
  const found = LANGUAGES.find((language) => language === name);
  if (!found) throw new WrongUsage(`--language: there is no ${name}, only ${LANGUAGES.join(', ')}`);
  return found;
}

function toolNamed(name: string): Tool {
  const found = TOOLS.find((tool) => tool === name.trim());
  if (!found) throw new WrongUsage(`--tools: there is no ${name}, only ${TOOLS.join(', ')}`);
  return found;
}
