/**
 * Documentation as a language's own tools print it. No code of the project is run for it: `go doc` only reads, and
 * pydoc, which imports what it documents, is kept to the standard library.
 */
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { absolutePath, isInside } from '../../../shared/base/paths.ts';
import type { Environment } from '../../../shared/languages/environment.ts';
import { executablesOnPath } from '../../../shared/languages/executables.ts';
import { type LanguageFacts, languageFacts } from '../../../shared/languages/facts.ts';
import { findPython } from '../../../shared/languages/python-environment.ts';
import { type CommandLine, runProcess } from '../../processes/run-process.ts';
import type { Declaration } from '../../targets/declarations.ts';
import type { ToolContext } from '../../tools/context.ts';

/** What is documented: a declaration, or a name that the workspace does not declare. */
export interface DocSubject {
  readonly family: string;
  readonly root: AbsPath;
  readonly declaration?: Declaration | undefined;
  readonly name: string;
}

export interface PrintedDoc {
  readonly signature: string;
  readonly doc: string;
}

export type ToolchainAnswer = PrintedDoc | { readonly tried: string } | undefined;

const LIMIT_MS = 10_000;
const MOST_LINES = 20_000;

/** Undefined when the language has no such tool; `tried` says why it printed nothing. */
export async function toolchainDoc(context: ToolContext, subject: DocSubject): Promise<ToolchainAnswer> {
  const printer = printerFor(subject, context.environment);
  if (!printer) return undefined;
  const { command, shown, read } = printer;
  const limitMs = Math.min(LIMIT_MS, context.remainingMs() / 2);
  const lines: string[] = [];
  const end = await runProcess(command, {
    signal: context.signal,
    limitMs,
    clock: context.clock,
    onLine: (line) => {
      if (lines.length < MOST_LINES) lines.push(line);
    },
  });
  if (end.kind === 'timeout')
    return { tried: `${shown}: it did not end within ${Math.round(limitMs / 1000)} s` };
  if (end.kind === 'killed') return { tried: `${shown}: it was killed by ${end.signal}` };
  const output = plainText(lines.join('\n'));
  if (end.code !== 0 || output.trim() === '')
    return { tried: `${shown}: ${firstLine(output) || `exit code ${end.code}`}` };
  return read(output);
}

interface Printer {
  readonly command: CommandLine;
  readonly shown: string;
  read(output: string): PrintedDoc;
}

function printerFor(subject: DocSubject, environment: Environment): Printer | undefined {
  // Nothing that could be taken for an option or a path is given to a program.
  if (!/^[\p{L}\p{N}_$][\p{L}\p{N}_$./-]*$/u.test(subject.name)) return undefined;
  const { documentation: tool } = languageFacts(subject.family);
  return tool && PRINTERS[tool](subject, environment);
}

type Tool = NonNullable<LanguageFacts['documentation']>;

const PRINTERS: Readonly<
  Record<Tool, (subject: DocSubject, environment: Environment) => Printer | undefined>
> = { 'go doc': goDoc, pydoc };

/** Unexported names, too; a package is named by its directory, so that its import path need not be known. */
function goDoc({ declaration, root, name }: DocSubject, environment: Environment): Printer | undefined {
  const [go] = executablesOnPath('go', environment);
  if (go === undefined) return undefined;
  const args = declaration
    ? ['doc', '-u', packageArgument(declaration.source.path, root), declaration.node.path.join('.')]
    : ['doc', name];
  // What is not on the machine is not fetched for this.
  const env = { ...environment.env, GOPROXY: 'off', GOTOOLCHAIN: 'local' };
  return {
    command: { executable: go, args, cwd: root, env },
    shown: `go ${args.join(' ')}`,
    read: readGoDoc,
  };
}

function packageArgument(file: AbsPath, root: AbsPath): string {
  const directory = path.dirname(file);
  if (!isInside(directory, root)) return directory;
  return `./${path.relative(root, directory).split(path.sep).join('/')}`;
}

/** `-I -S`: neither the project nor installed packages can be imported, only the standard library. */
function pydoc({ root, name, declaration }: DocSubject, environment: Environment): Printer | undefined {
  if (declaration) return undefined;
  const [onPath] = [
    ...executablesOnPath('python3', environment),
    ...executablesOnPath('python', environment),
  ];
  const python = findPython([root], environment)?.interpreter ?? onPath;
  if (python === undefined) return undefined;
  const args = ['-I', '-S', '-m', 'pydoc', name];
  const env = { ...environment.env, PYTHONIOENCODING: 'utf-8', PAGER: 'cat', TERM: 'dumb' };
  const cwd = absolutePath(path.dirname(python));
  return { command: { executable: python, args, cwd, env }, shown: `pydoc ${name}`, read: readPydoc };
}

/** The package line, the declaration up to its closing bracket, then indented text. Lists of methods come last. */
export function readGoDoc(output: string): PrintedDoc {
  const lines = output.split('\n').filter((line) => !/^package \w+ \/\/ import /.test(line));
  const first = lines.findIndex((line) => line.trim() !== '');
  let depth = 0;
  let end = first;
  for (; end < lines.length; end++) {
    for (const character of lines[end] ?? '') {
      if ('({['.includes(character)) depth += 1;
      if (')}]'.includes(character)) depth -= 1;
    }
    if (depth <= 0) break;
  }
  const rest = lines.slice(end + 1);
  const after = rest.findIndex((line) => line.trim() !== '' && !line.startsWith('    '));
  const doc = (after < 0 ? rest : rest.slice(0, after)).map((line) => line.replace(/^ {4}/, ''));
  return {
    signature: lines
      .slice(Math.max(0, first), end + 1)
      .join('\n')
      .trim(),
    doc: doc.join('\n').trim(),
  };
}

/** `Help on function dumps in json:`, a blank line, the signature, then indented text. */
export function readPydoc(output: string): PrintedDoc {
  const lines = output.split('\n');
  const from = /^Help on /.test(lines[0] ?? '') ? 1 : 0;
  const [signature = '', ...rest] = lines.slice(from).join('\n').trim().split('\n');
  return {
    signature,
    doc: rest
      .map((line) => line.replace(/^ {4}/, ''))
      .join('\n')
      .trim(),
  };
}

/** Without colours, and without letters that are printed over themselves to make them bold. */
function plainText(output: string): string {
  return stripVTControlCharacters(output.replace(/.[\b]/g, '')).replaceAll('\r\n', '\n');
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.trim() ?? '';
}
