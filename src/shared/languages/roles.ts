/**
 * What a server is asked for. A file has one server per role; in most languages one server has them all. More roles can
 * follow (lint, format): each is a name here and a rule in plan.ts.
 * Decision: docs/decisions/languages-and-projects.md#one-server-per-role
 */

/** `navigation`: search, hover, rename. `types`: what the project's own compiler says, and what to do about it. */
export type Role = 'navigation' | 'types';

export const ROLES: readonly Role[] = ['navigation', 'types'];

/** `auto`: version 7 navigates what it accepts, and the project's own version judges. */
export const TYPESCRIPT_CHOICES = ['auto', 'own', '7'] as const;
export type TypescriptChoice = (typeof TYPESCRIPT_CHOICES)[number];
export type TypescriptEngine = Exclude<TypescriptChoice, 'auto'>;
