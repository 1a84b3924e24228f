/**
 * What `import … from 'agent-lsp'` gives, and the only door to it. These names are public: what they mean does not
 * change within a major version. Importing them does nothing; nothing is printed, started or written before it is asked for.
 */
export {
  defineExtension,
  type ExtensionAnswer,
  type ExtensionArgument,
  type ExtensionContext,
  type ExtensionDefinition,
  type ExtensionPrompt,
  type ExtensionResource,
  type ExtensionTool,
  extensionTool,
  type SchemaLibrary,
} from './frontend/extensions/definition.ts';
export { AgentLspError } from './library/agent-lsp-error.ts';
export type {
  AgentSession,
  ErrorKind,
  FileDiagnostics,
  HostOptions,
  LanguageServer,
  LanguageServerFacts,
  LanguageServerHost,
  LanguageServerState,
  OpenOptions,
  RequestOptions,
  ToolAnswer,
  ToolCallOptions,
  ToolFunctions,
  ToolName,
} from './library/contract.ts';
export { createLanguageServer as createHost, openAgentSession as openSession } from './library/entrances.ts';
export type { ToolTypes } from './library/tool-types.ts';
