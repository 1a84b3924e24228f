/** Which Go files gopls searches together: those of a module or a go.work, without what is built for other machines. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { directoriesUpTo } from '../base/ancestors.ts';
import { textOrNothing } from '../base/read-text.ts';

/** The module or workspace of a file; undefined for a file that is left out of the build here. */
export function goProjects(base: string): (file: string) => string | undefined {
  const modules = new Map<string, string | undefined>();
  const moduleOf = (directory: string) => {
    const above = directoriesUpTo(directory, base);
    const module = above.find((each) => existsSync(path.join(each, 'go.mod')));
    const work = above.find((each) => existsSync(path.join(each, 'go.work')));
    return module !== undefined && work !== undefined && usedBy(work).has(module) ? work : module;
  };
  return (file) => {
    const directory = path.dirname(file);
    if (!modules.has(directory)) modules.set(directory, moduleOf(directory));
    return isBuiltHere(path.basename(file), () => textOrNothing(file)) ? modules.get(directory) : undefined;
  };
}

/** By the name (`x_windows.go`) and by the constraint before the package clause. */
export function isBuiltHere(
  name: string,
  text: () => string,
  machine: { platform: string; arch: string } = process,
): boolean {
  const here = tagsOf(machine);
  const parts = name
    .replace(/(_test)?\.go$/, '')
    .split('_')
    .slice(1);
  const [last = '', before = ''] = parts.toReversed();
  const named = ARCHITECTURES.has(last) ? [last, ...(SYSTEMS.has(before) ? [before] : [])] : [last];
  if (named.some((tag) => (SYSTEMS.has(tag) || ARCHITECTURES.has(tag)) && !here.has(tag))) return false;
  const head = text().split(/^package\s/m, 1)[0] ?? '';
  const constraint = /^\/\/go:build (.+)$/m.exec(head)?.[1];
  return constraint === undefined || holds(constraint, here);
}

const SYSTEMS: ReadonlySet<string> = new Set(
  'aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows'.split(
    ' ',
  ),
);
const ARCHITECTURES: ReadonlySet<string> = new Set(
  '386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm'.split(' '),
);

function tagsOf({ platform, arch }: { platform: string; arch: string }): ReadonlySet<string> {
  const system = platform === 'win32' ? 'windows' : platform;
  const names: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };
  return new Set([system, names[arch] ?? arch, 'gc', 'cgo', ...(system === 'windows' ? [] : ['unix'])]);
}

/** `!`, `&&`, `||` and parentheses over tags; every `go1.x` is taken to be there. */
function holds(constraint: string, here: ReadonlySet<string>): boolean {
  const tokens = constraint.match(/[\w.]+|&&|\|\||[!()]/g) ?? [];
  let at = 0;
  const primary = (): boolean => {
    const token = tokens[at++] ?? '';
    if (token === '!') return !primary();
    if (token !== '(') return here.has(token) || /^go\d/.test(token);
    const inner = either();
    at++;
    return inner;
  };
  const both = (): boolean => {
    let value = primary();
    while (tokens[at] === '&&') {
      at++;
      value = primary() && value;
    }
    return value;
  };
  const either = (): boolean => {
    let value = both();
    while (tokens[at] === '||') {
      at++;
      value = both() || value;
    }
    return value;
  };
  return either();
}

function usedBy(directory: string): ReadonlySet<string> {
  const text = textOrNothing(path.join(directory, 'go.work')).replace(/\/\/.*$/gm, '');
  const blocks = [...text.matchAll(/^use\s*(?:\(([^)]*)\)|(\S+))/gm)].map(
    ([, many, one]) => many ?? one ?? '',
  );
  const names = blocks.flatMap((block) => block.split(/\s+/).filter(Boolean));
  return new Set(names.map((name) => path.resolve(directory, name.replaceAll('"', ''))));
}
