import path from 'node:path';

/** Files that say what belongs to a project. */
export function isProjectFile(file: string): boolean {
  return /^(?:[tj]sconfig.*\.json|package\.json|pnpm-workspace\.yaml|pyproject\.toml|pyrightconfig\.json|go\.(?:mod|work)|compile_commands\.json)$/.test(
    path.basename(file),
  );
}
