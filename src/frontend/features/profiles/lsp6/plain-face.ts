/** The words of the six tools: plain text, also where a server is missing, with what to install and what to do meanwhile. */
import type { Failure } from '../../../../shared/base/failure.ts';
import { type Rendered, renderAnswer } from '../../../render/answer.ts';
import { failureSentence, renderFailure } from '../../../render/failure.ts';
import type { Face } from '../../../tools/face.ts';

export const plainFace: Face = {
  answer: (outcome) => renderAnswer(outcome, 'text'),
  failure: (failure, search) => fallback(failure, search) ?? renderFailure(failure, 'text', search),
};

/** What the agent can do without: no failure, because another tool of its client finds the same. */
function fallback(failure: Failure, search: string | undefined): Rendered | undefined {
  const text = fallbackText(failure, search);
  return text === undefined ? undefined : { isError: false, texts: [text], failure: failure.kind };
}

function fallbackText(failure: Failure, search: string | undefined): string | undefined {
  switch (failure.kind) {
    case 'server-missing':
      return [
        `LSP server "${failure.command}" is not available.`,
        `Install it with: ${failure.install}`,
        ...(search === undefined ? [] : ['', 'Suggested alternative: search the text:', `  ${search}`]),
      ].join('\n');
    case 'unknown-language':
      return `No LSP server configured for ${failure.path ?? failure.language} files`;
    case 'server-crashed':
    case 'timeout':
      return failureSentence(failure, search);
    default:
      return undefined;
  }
}
