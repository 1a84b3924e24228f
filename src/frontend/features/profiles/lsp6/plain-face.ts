/** The words of the six tools: plain text, also where a server is missing, with what to install and what to do meanwhile. */
import path from 'node:path';
import type { Failure } from '../../../../shared/base/failure.ts';
import { fieldOf } from '../../../../shared/base/unknown-value.ts';
import { renderAnswer } from '../../../render/answer.ts';
import { failureSentence, renderFailure } from '../../../render/failure.ts';
import type { Face, TextSearch } from '../../../tools/face.ts';

/** `wanted` is what a search of the text would find instead. */
export function plainFace(wanted: string): Face {
  return {
    answer: (outcome) => renderAnswer(outcome, 'text'),
    failure: (failure, search, args) => {
      const problem = problemOf(failure);
      if (problem === undefined) return renderFailure(failure, 'text', search?.command);
      const lines = [...problem, ...(search ? alternative(wanted, search, args) : [])];
      return { isError: false, texts: [lines.join('\n')], failure: failure.kind };
    },
    inOurTerms: (args) => ({
      file_path: fieldOf(args, 'path'),
      symbol: fieldOf(args, 'query'),
      line: Math.max(1, Number(fieldOf(args, 'line'))),
      column: Number(fieldOf(args, 'character')) + 1,
    }),
  };
}

/** What the agent can do without, in lines: no failure, because another tool of its client finds the same. */
function problemOf(failure: Failure): readonly string[] | undefined {
  switch (failure.kind) {
    case 'server-missing':
      return [`LSP server "${failure.command}" is not available.`, `Install it with: ${failure.install}`];
    case 'unknown-language':
      return [`No LSP server configured for ${kindOfFile(failure.path)} files`];
    case 'server-disabled':
    case 'server-failed':
    case 'server-crashed':
    case 'timeout':
    case 'still-working':
      return [failureSentence(failure, 'search the text')];
    default:
      return undefined;
  }
}

/** A call that a client can make as it stands, and a command for one that has a shell. */
function alternative(wanted: string, { name, extension, command }: TextSearch, args: unknown): string[] {
  const pattern = JSON.stringify(patternFor(name, args));
  const files = name === undefined ? path.basename(String(fieldOf(args, 'path'))) : `*${extension}`;
  const glob = extension === '' ? '' : `, glob: ${JSON.stringify(files)}`;
  return [
    '',
    `Suggested alternative: Use search_files to find ${wanted}:`,
    `  search_files({ pattern: ${pattern}${glob} })`,
    ...(name === undefined ? [] : [`or, in a shell: ${command}`]),
  ];
}

/** What is asked for by a part of its name may go on at both ends. */
function patternFor(name: string | undefined, args: unknown): string {
  if (name === undefined) return DECLARATIONS;
  const literally = name.replace(/[$.*+?^()[\]{}|\\]/g, '\\$&');
  return typeof fieldOf(args, 'query') === 'string' ? literally : `\\b${literally}\\b`;
}

const DECLARATIONS = '^\\s*(export |public )*(class|interface|function|def|fn|func|struct|type) ';

function kindOfFile(file: string): string {
  return path.extname(file) || path.basename(file);
}
