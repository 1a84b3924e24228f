/** Which TypeScript serves a question: the project's own, or version 7, which is faster and searches whole workspaces. */
import type { AbsPath } from '../base/brand.ts';
import { messageOf } from '../base/failure.ts';
import { tsProjects } from '../tsconfig/ts-projects.ts';
import { embeddedTypescript7, hasOlderTypescript } from './find-typescript.ts';
import type { Search } from './locate.ts';
import type { Role, TypescriptChoice, TypescriptEngine } from './roles.ts';

export interface EngineQuestion {
  readonly role: Role;
  readonly choice: TypescriptChoice;
  readonly search: Search;
  /** Whose project decides; without one, version 7 is taken to know the workspace. */
  readonly file?: AbsPath | undefined;
  readonly stateDir: AbsPath;
}

export interface EngineChoice {
  readonly engine: TypescriptEngine;
  /** Why version 7 does not navigate, in its own words. */
  readonly complaint?: string;
}

/** Undefined where there is nothing to choose: the project has version 7, or none. */
export async function typescriptEngine(question: EngineQuestion): Promise<EngineChoice | undefined> {
  const { role, choice, search, file, stateDir } = question;
  if (!hasOlderTypescript(search)) return undefined;
  if (choice !== 'auto') return { engine: choice };
  const typescript7 = role === 'navigation' ? embeddedTypescript7(search.environment) : undefined;
  if (!typescript7) return { engine: 'own' };
  const project = file && tsProjects(search.boundary ?? search.root)(file);
  if (!project) return { engine: '7' };
  const { config, compilerOptions } = project;
  const request = { config, compilerOptions, typescript7, stateDir };
  const { complaintOfTypescript7 } = await import('./typescript-verdict.ts');
  const complaint = await complaintOfTypescript7(request).catch(messageOf);
  return complaint === undefined ? { engine: '7' } : { engine: 'own', complaint };
}
