/**
 * What the server answers when no rule interferes: ordinary language requests,
 * and `fake/*` requests with which a test looks into the server or makes it act.
 */
import { ANALYSIS_CAPABILITIES, ANALYSIS_HANDLERS } from './analysis.mjs';
import { CHANGE_HANDLERS } from './changes.mjs';

export function handlerFor(method) {
  return Object.hasOwn(HANDLERS, method) ? HANDLERS[method] : undefined;
}

export function initializeResult(session) {
  const { scenario, encoding } = session;
  const capabilities = {
    ...(scenario.positionEncoding === 'utf-16' ? {} : { positionEncoding: encoding }),
    textDocumentSync: { openClose: true, change: scenario.sync === 'full' ? 1 : 2, save: true },
    hoverProvider: true,
    definitionProvider: true,
    declarationProvider: true,
    typeDefinitionProvider: true,
    implementationProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    documentSymbolProvider: true,
    callHierarchyProvider: true,
    typeHierarchyProvider: true,
    workspaceSymbolProvider: true,
    renameProvider: { prepareProvider: true },
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    ...ANALYSIS_CAPABILITIES,
    ...session.diagnostics.capabilities(),
    ...scenario.capabilities,
  };
  // A capability set to null in the scenario is one the server does not have.
  const offered = Object.entries(capabilities).filter(([, value]) => value !== null);
  return {
    capabilities: Object.fromEntries(offered),
    serverInfo: { name: scenario.name, version: scenario.version },
  };
}

const HANDLERS = {
  initialize: (params, session) => session.initialize(params),
  shutdown: (_params, session) => session.shutdown(),

  'textDocument/hover': (params, { language }) => language.hover(params),
  'textDocument/definition': (params, { language }) => language.definition(params),
  'textDocument/declaration': (params, { language }) => language.definition(params),
  'textDocument/typeDefinition': (params, { language }) => language.typeDefinition(params),
  'textDocument/implementation': (params, { language }) => language.implementation(params),
  'textDocument/references': (params, { language }) => language.references(params),
  'textDocument/documentHighlight': (params, { language }) => language.documentHighlight(params),
  'textDocument/documentSymbol': (params, { language }) => language.documentSymbol(params),
  'textDocument/prepareCallHierarchy': (params, { hierarchies }) => hierarchies.prepareCalls(params),
  'callHierarchy/incomingCalls': (params, { hierarchies }) => hierarchies.incomingCalls(params),
  'callHierarchy/outgoingCalls': (params, { hierarchies }) => hierarchies.outgoingCalls(params),
  'textDocument/prepareTypeHierarchy': (params, { hierarchies }) => hierarchies.prepareTypes(params),
  'typeHierarchy/supertypes': (params, { hierarchies }) => hierarchies.supertypes(params),
  'typeHierarchy/subtypes': (params, { hierarchies }) => hierarchies.subtypes(params),
  'textDocument/completion': (params, { language }) => language.completion(params),
  'textDocument/prepareRename': (params, { language }) => language.prepareRename(params),
  'textDocument/rename': (params, { language }) => language.rename(params),
  'textDocument/formatting': (params, { language }) => language.formatting(params),
  'textDocument/rangeFormatting': (params, { language }) => language.rangeFormatting(params),
  'textDocument/diagnostic': (params, { diagnostics }) => diagnostics.pull(params),
  'workspace/diagnostic': (_params, { diagnostics }) => diagnostics.pullWorkspace(),
  'workspace/symbol': (params, { language }) => language.workspaceSymbol(params),

  ...ANALYSIS_HANDLERS,
  ...CHANGE_HANDLERS,

  'fake/echo': (params) => params,
  'fake/text': ({ uri }, { documents }) => ({
    open: documents.get(uri) !== undefined,
    version: documents.get(uri)?.version ?? null,
    text: documents.textOf(uri) ?? null,
  }),
  'fake/state': (_params, session) => ({
    pid: process.pid,
    instance: session.journal.instance,
    roots: session.roots,
    encoding: session.encoding,
    documents: session.documents
      .all()
      .map(({ uri, version, languageId, text }) => ({ uri, version, languageId, text })),
    counts: session.counts,
    settings: session.settings ?? null,
  }),
  'fake/big': ({ bytes }, _session, reply) => reply.big(bytes),
  'fake/do': ({ steps }, session, reply) => {
    // To answer this one in the ordinary way would be to do it all again.
    const byDefault = () => reply.with({ result: null });
    return session.run(steps, { ...reply, byDefault });
  },
};
