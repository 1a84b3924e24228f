/** A link to a language server as programs see it: paths as they write them, failures as errors. */
import type { ProtocolRequestType } from 'vscode-languageserver-protocol';
import { absolutePath } from '../shared/base/paths.ts';
import { describeState } from '../shared/link/describe-state.ts';
import type {
  DiagnosticReport,
  Freshness,
  ServerFacts,
  ServerLink,
  ServerState,
} from '../shared/link/server-link.ts';
import type {
  FileDiagnostics,
  LanguageServer,
  LanguageServerFacts,
  LanguageServerState,
  RequestOptions,
} from './contract.ts';
import { asErrors } from './errors.ts';

export function languageServer(link: ServerLink): LanguageServer {
  const file = (path: string) => absolutePath(path, link.root);
  const bounds = ({ documents = [], ...rest }: RequestOptions = {}) => ({
    ...rest,
    documents: documents.map(file),
  });
  return {
    language: link.language,
    root: link.root,
    mode: link.mode,
    command: link.command,
    get notice() {
      return link.notice;
    },
    get state() {
      return stateOf(link.state);
    },
    facts: (options) => asErrors(async () => factsOf(await link.facts(bounds(options)))),
    request: <P, R, PR, E, RO>(
      type: string | ProtocolRequestType<P, R, PR, E, RO>,
      params: P,
      options?: RequestOptions,
    ) => {
      const method = typeof type === 'string' ? type : type.method;
      return asErrors(() => link.request(method, params, bounds(options)) as Promise<R>);
    },
    diagnostics: (path, options) =>
      asErrors(async () => diagnosticsOf(await link.diagnostics(file(path), bounds(options)))),
    whenSettled: (options) => asErrors(async () => stateOf(await link.whenSettled(bounds(options)))),
    onState: (listener) => link.onState((state) => listener(stateOf(state))),
    restart: (options) => asErrors(async () => factsOf(await link.restart(bounds(options)))),
  };
}

function stateOf(state: ServerState): LanguageServerState {
  return { kind: state.kind, text: describeState(state) };
}

function factsOf(facts: ServerFacts): LanguageServerFacts {
  const { serverName: name, serverVersion: version, capabilities, methods, encoding } = facts;
  return { name, version, capabilities, methods, encoding };
}

function diagnosticsOf({ file, diagnostics, freshness }: DiagnosticReport): FileDiagnostics {
  return { file, diagnostics, fresh: freshness.kind === 'exact', proof: proofOf(freshness) };
}

function proofOf(freshness: Freshness): string {
  switch (freshness.kind) {
    case 'exact':
    case 'inferred':
      return `${freshness.kind}: ${freshness.proof}`;
    case 'timeout':
      return `nothing was said within ${freshness.afterMs} ms; these are the last that are known`;
    case 'restarted':
      return 'the server restarted meanwhile; these are the last that are known';
  }
}
