/** What the command line may say about a session. */
import type { CommandLineConfig } from '../../shared/config/config.ts';

export interface ServeOptions extends Omit<CommandLineConfig, 'allowedPaths'> {
  readonly roots?: readonly string[];
}
