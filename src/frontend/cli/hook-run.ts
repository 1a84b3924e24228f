/** One run of a hook: what it was called for, by whom, and where. */
import type { AbsPath } from '../../shared/base/brand.ts';
import type { HookSettings } from '../../shared/config/hook-config.ts';
import type { Environment } from '../../shared/languages/environment.ts';
import type { HookClient } from '../features/hooks/clients/hook-client.ts';
import type { HookEvent } from '../features/hooks/hook-event.ts';
import type { SessionNotes } from '../features/hooks/session-notes.ts';
import type { HookArguments } from './hook-arguments.ts';

export interface HookRun {
  readonly hook: HookArguments;
  readonly client: HookClient;
  readonly event: HookEvent;
  readonly settings: HookSettings;
  readonly notes: SessionNotes;
  readonly environment: Environment;
  /** The first is where the client works. */
  readonly roots: readonly [AbsPath, ...AbsPath[]];
  /** The script of this program, which also is the broker's. */
  readonly entryScript: string;
  onWarm(): void;
}
