/** Names of a Go repository, by Go's own parser; what implements an interface, by gopls' command line, if it is there. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { TruePlace } from '../../truth.ts';
import type { NamedOnce, Names } from './by-names.ts';

const MOST_BYTES = 512 * 1024 * 1024;

export function goNames(root: string, files: readonly string[]): Names {
  const version = output(root, 'go', ['env', 'GOVERSION']).trim();
  const program = ['go_names.go', 'go_file.go'].map((name) => path.join(import.meta.dirname, name));
  const elsewhere = [
    path.join(output(root, 'go', ['env', 'GOROOT']).trim(), 'src'),
    ...dependencies(root, files),
  ];
  const order = JSON.stringify({ root, files, elsewhere });
  const { names, unreadable } = JSON.parse(output(import.meta.dirname, 'go', ['run', ...program], order)) as {
    names: NamedOnce[];
    unreadable: string[];
  };
  const gopls = goplsVersion(root);
  return {
    by: `the parser of ${version}, over names that are declared once${gopls === undefined ? '' : `, and ${gopls} for implementations`}`,
    // The order of Go's maps is another one each time, and the same seed has to draw the same names.
    names: names
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((named) => withoutConversions(named))
      .map((named) => (gopls === undefined ? named : withImplementations(root, named))),
    remarks: unreadable.length === 0 ? [] : [`${unreadable.length} files cannot be parsed: ${unreadable[0]}`],
  };
}

function output(cwd: string, command: string, args: readonly string[], input = ''): string {
  return execFileSync(command, args, {
    cwd,
    input,
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, GOTOOLCHAIN: 'local' },
  });
}

/** Folders of what is downloaded of all that the modules of the repository depend on. */
function dependencies(root: string, files: readonly string[]): readonly string[] {
  const folders = new Set(files.map((file) => path.dirname(file)));
  const modules = [...folders, '.'].filter((folder) => existsSync(path.join(root, folder, 'go.mod')));
  const found = modules.flatMap((folder) => {
    const args = ['list', '-m', '-f', '{{if not .Main}}{{.Dir}}{{end}}', 'all'];
    return orElse(() => output(path.join(root, folder), 'go', args), '').split('\n');
  });
  return [...new Set(found)].filter((folder) => folder !== '' && !folder.startsWith(`${root}/`));
}

function goplsVersion(root: string): string | undefined {
  return orElse(
    () => /gopls v\S+/.exec(output(root, 'gopls', ['version']))?.[0].replace(' v', ' '),
    undefined,
  );
}

/** `Name(value)` calls only functions: for a type it is a conversion, and of variables servers know no callers. */
function withoutConversions(named: NamedOnce): NamedOnce {
  if (['function', 'method'].includes(named.kind)) return named;
  return {
    ...named,
    places: named.places.map((place) => (place.class === 'call' ? { ...place, class: 'use' } : place)),
  };
}

function withImplementations(root: string, named: NamedOnce): NamedOnce {
  if (named.kind !== 'interface') return named;
  const at = `${path.join(root, named.file)}:${named.line}:${named.column}`;
  const ask = () => placesIn(root, output(root, 'gopls', ['implementation', at]));
  return { ...named, implementations: () => orElse(ask, undefined) };
}

/** `file:line:column-column`; its columns count bytes, but of implementations only the line is compared. */
export function placesIn(root: string, text: string): readonly TruePlace[] {
  return [...text.matchAll(/^(.+?):(\d+):(\d+)-/gm)].flatMap(([, file = '', line, column]) => {
    const name = path.relative(root, file);
    return name.startsWith('..')
      ? []
      : [{ file: name, line: Number(line), column: Number(column), class: 'declaration' as const }];
  });
}

function orElse<T>(attempt: () => T, other: T): T {
  try {
    return attempt();
  } catch {
    return other;
  }
}
