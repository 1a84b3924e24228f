/** The shared servers that a command is about, and where their files are. */
import type { Argv } from 'yargs';
import type { AbsPath } from '../../shared/base/brand.ts';
import { absolutePath, realPath } from '../../shared/base/paths.ts';
import { stateDirectory } from '../../shared/config/state-dir.ts';
import { currentEnvironment, type Environment, packageRootOf } from '../../shared/languages/environment.ts';
import { languageById } from '../../shared/languages/lookup.ts';
import { type BrokerListing, listBrokers } from '../link/broker-control.ts';
import { type Program, textOption, UsageError } from './command.ts';

export interface BrokerChoice {
  readonly rootDir: AbsPath | undefined;
  readonly language: string | undefined;
  readonly all: boolean;
}

export function brokerOptions(parser: Argv): Argv {
  return parser
    .option('root-dir', { type: 'string', nargs: 1, describe: 'the server of this project' })
    .option('language', { type: 'string', nargs: 1, describe: 'the server of this language' })
    .option('all', { type: 'boolean', describe: 'all shared servers' });
}

export function brokerChoice(argv: { readonly [name: string]: unknown }): BrokerChoice {
  const rootDir = textOption(argv, 'rootDir');
  const language = textOption(argv, 'language');
  return {
    rootDir: rootDir === undefined ? undefined : realPath(absolutePath(rootDir)),
    language: language === undefined ? undefined : (languageById(language)?.family.id ?? language),
    all: argv.all === true,
  };
}

/** Commands that end something must be told what. */
export function requireChoice(choice: BrokerChoice): void {
  if (!choice.all && choice.rootDir === undefined && choice.language === undefined)
    throw new UsageError(
      'which server? pass --root-dir and --language, or --all; agent-lsp daemon-status lists them',
    );
}

export async function chosenBrokers(
  program: Program,
  choice: BrokerChoice,
): Promise<readonly BrokerListing[]> {
  return chosenAmong(await listBrokers(stateDirectoryOf(program)), choice);
}

export function chosenAmong(
  listings: readonly BrokerListing[],
  choice: BrokerChoice,
): readonly BrokerListing[] {
  return listings.filter((listing) => {
    const { root, language } = brokerIdentity(listing);
    return (
      (choice.rootDir === undefined || root === choice.rootDir) &&
      (choice.language === undefined || language === choice.language)
    );
  });
}

function brokerIdentity(listing: BrokerListing): { root: string; language: string } {
  const source = listing.kind === 'stopped' ? listing.lastExit : listing.record;
  return { root: source?.root ?? listing.directory, language: source?.language ?? 'unknown' };
}

export function brokerName(listing: BrokerListing): string {
  const { root, language } = brokerIdentity(listing);
  return `${language} in ${root}`;
}

export function stateDirectoryOf(program: Program): AbsPath {
  return stateDirectory(environmentOf(program));
}

export function environmentOf(program: Program): Environment {
  return currentEnvironment(packageRootOf(program.entryScript));
}
