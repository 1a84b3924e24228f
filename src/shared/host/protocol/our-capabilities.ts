/**
 * What the host announces to every server: all that any front end may need, because one handshake serves all
 * sessions. UTF-16 is the only encoding offered, so that positions can be converted without the text; a server that
 * chooses another one is still understood.
 */
import {
  type ClientCapabilities,
  CodeActionKind,
  CompletionItemKind,
  CompletionItemTag,
  DiagnosticTag,
  MarkupKind,
  ResourceOperationKind,
  SemanticTokenModifiers,
  SemanticTokenTypes,
  SymbolKind,
} from 'vscode-languageserver-protocol';

const dynamic = { dynamicRegistration: true };
const link = { dynamicRegistration: true, linkSupport: true };
const kinds = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const symbolKind = { valueSet: kinds(SymbolKind.File, SymbolKind.TypeParameter) as SymbolKind[] };
const diagnosticTags = { valueSet: [DiagnosticTag.Unnecessary, DiagnosticTag.Deprecated] };

export const ourCapabilities: ClientCapabilities = {
  general: {
    positionEncodings: ['utf-16'],
    staleRequestSupport: { cancel: true, retryOnContentModified: [] },
  },
  window: { workDoneProgress: true, showMessage: {}, showDocument: { support: true } },
  workspace: {
    applyEdit: true,
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: [
        ResourceOperationKind.Create,
        ResourceOperationKind.Rename,
        ResourceOperationKind.Delete,
      ],
      failureHandling: 'transactional',
      normalizesLineEndings: false,
      changeAnnotationSupport: {},
    },
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: dynamic,
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    symbol: { ...dynamic, symbolKind, resolveSupport: { properties: ['location.range'] } },
    executeCommand: dynamic,
    diagnostics: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    fileOperations: { ...dynamic, willRename: true, didRename: true, didCreate: true, didDelete: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: true, didSave: true },
    publishDiagnostics: {
      versionSupport: true,
      relatedInformation: true,
      tagSupport: diagnosticTags,
      codeDescriptionSupport: true,
      dataSupport: true,
    },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
    hover: { ...dynamic, contentFormat: [MarkupKind.Markdown, MarkupKind.PlainText] },
    definition: link,
    typeDefinition: link,
    implementation: link,
    declaration: link,
    references: dynamic,
    documentHighlight: dynamic,
    documentSymbol: { ...dynamic, hierarchicalDocumentSymbolSupport: true, symbolKind },
    signatureHelp: {
      ...dynamic,
      contextSupport: true,
      signatureInformation: {
        documentationFormat: [MarkupKind.Markdown, MarkupKind.PlainText],
        parameterInformation: { labelOffsetSupport: true },
        activeParameterSupport: true,
        noActiveParameterSupport: true,
      },
    },
    completion: {
      ...dynamic,
      contextSupport: true,
      completionItem: {
        // Agents write text: a name is worth more to them than a template with places to fill in.
        snippetSupport: false,
        documentationFormat: [MarkupKind.Markdown, MarkupKind.PlainText],
        deprecatedSupport: true,
        tagSupport: { valueSet: [CompletionItemTag.Deprecated] },
        labelDetailsSupport: true,
        resolveSupport: { properties: ['documentation', 'detail'] },
      },
      completionList: { itemDefaults: ['commitCharacters', 'editRange', 'insertTextFormat', 'data'] },
      completionItemKind: {
        valueSet: kinds(CompletionItemKind.Text, CompletionItemKind.TypeParameter) as CompletionItemKind[],
      },
    },
    codeAction: {
      ...dynamic,
      isPreferredSupport: true,
      disabledSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ['edit', 'command'] },
      codeActionLiteralSupport: {
        codeActionKind: {
          valueSet: [
            CodeActionKind.Empty,
            CodeActionKind.QuickFix,
            CodeActionKind.Refactor,
            CodeActionKind.RefactorExtract,
            CodeActionKind.RefactorInline,
            CodeActionKind.RefactorMove,
            CodeActionKind.RefactorRewrite,
            CodeActionKind.Source,
            CodeActionKind.SourceOrganizeImports,
            CodeActionKind.SourceFixAll,
          ],
        },
      },
    },
    formatting: dynamic,
    rangeFormatting: dynamic,
    rename: { ...dynamic, prepareSupport: true, prepareSupportDefaultBehavior: 1 },
    callHierarchy: dynamic,
    typeHierarchy: dynamic,
    inlayHint: { ...dynamic, resolveSupport: { properties: ['tooltip', 'label.tooltip'] } },
    semanticTokens: {
      ...dynamic,
      requests: { range: true, full: { delta: false } },
      // Some servers name only what is announced here.
      tokenTypes: Object.values(SemanticTokenTypes),
      tokenModifiers: Object.values(SemanticTokenModifiers),
      formats: ['relative'],
    },
  },
  // rust-analyzer reports its readiness only to clients that ask for it.
  experimental: { serverStatusNotification: true },
};
