/** The options of the command line that concern a session. */
import type { CommandLineConfig } from '../../shared/config/config.ts';

export interface ServeOptions extends Omit<CommandLineConfig, 'allowedPaths'> {
  readonly roots?: readonly string[];
}
