/**
 * What a type checker is to check_types. Another one (tsc, go vet, cargo check) is one more value of `Checker`, and its
 * name in the descriptors of the languages that it checks.
 */
import type { AbsPath } from '../../../shared/base/brand.ts';
import type { ToolContext } from '../../tools/context.ts';

export interface Checker {
  /** By which the descriptors of languages name it. */
  readonly name: string;
  check(context: ToolContext, request: CheckRequest): Promise<TypeCheck>;
  /** Whether it can be run for a directory, and in which version. */
  availability(context: ToolContext, directory: AbsPath): Promise<Availability>;
}

export interface CheckRequest {
  readonly target: AbsPath;
  readonly isDirectory: boolean;
  /** Of the form N.N; stronger than what the project says. */
  readonly pythonVersion: string | undefined;
}

export interface TypeCheck {
  readonly checker: string;
  readonly version: string;
  /** As a person would type it, in `directory`. */
  readonly command: string;
  readonly directory: AbsPath;
  /** What it ran with, and who said so. */
  readonly settings: readonly CheckSetting[];
  readonly findings: readonly TypeFinding[];
  readonly filesAnalyzed: number;
  readonly seconds: number;
  /** Why this is not a check of all that was asked for. */
  readonly gaps: readonly string[];
  readonly notes: readonly string[];
}

export interface CheckSetting {
  readonly name: 'python_version' | 'environment' | 'project';
  readonly value: string;
  readonly from: string;
}

export type Severity = 'error' | 'warning' | 'information';

/** Lines and columns start at 1. */
export interface TypeFinding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly severity: Severity;
  readonly message: string;
  readonly rule: string | undefined;
}

export type Availability =
  | { readonly isAvailable: true; readonly version: string; readonly path: string }
  | { readonly isAvailable: false; readonly why: string };

export function countOf(findings: readonly TypeFinding[], severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}
