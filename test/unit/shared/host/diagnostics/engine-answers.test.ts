/** What the engine behind a server is asked in its stead. */

import { expect, it } from 'vitest';
import { WorkspaceSymbolRequest } from 'vscode-languageserver-protocol';
import { askedOfEngine } from '../../../../../src/shared/host/diagnostics/engine-answers.ts';
import { quirksOf } from '../../../../../src/shared/host/protocol/server-quirks.ts';
import type { ServerInstance } from '../../../../../src/shared/host/server-instance.ts';

const COMMAND = 'typescript.tsserverRequest';

/** An engine that gives this answer to everything. */
function engineThat(answers: () => Promise<unknown>) {
  const connection = { request: answers } as unknown as ServerInstance['connection'];
  const offered = {
    capabilities: { executeCommandProvider: { commands: [COMMAND] } },
  } as unknown as ServerInstance['offered'];
  return {
    connection,
    offered,
    quirks: quirksOf('typescript-language-server'),
    documents: { files: () => [] },
  };
}

it.each([
  { how: 'refuses', answers: async () => ({ success: false, message: 'no project' }) },
  { how: 'fails', answers: () => Promise.reject(new Error('gone')) },
])('an engine that $how to search by name has not found nothing', async ({ answers }) => {
  const { method } = WorkspaceSymbolRequest;
  const ask = askedOfEngine(engineThat(answers), method, { query: 'price' }, async () => []);
  await expect(ask?.(new AbortController().signal)).rejects.toThrow('did not search');
});
