/**
 * The methods of the protocol as values: a name on the wire together with what the method takes and answers. Who asks
 * and who answers name the method by its value, so that the compiler knows what belongs to it on both sides.
 */
import type { Reach } from '../link/reach-question.ts';
import type { EvaluationResult, OpenDocument, ServerFacts } from '../link/server-link.ts';
import type {
  AttachParams,
  AttachResult,
  BrokerRequestParams,
  BrokerStatus,
  DiagnosticsResult,
  EvaluateParams,
  EventParams,
  ExecuteCommandParams,
  ExecuteCommandResult,
  FactsResult,
  FileParams,
  FoldersParams,
  HelloParams,
  HelloResult,
  OpenDocumentResult,
  ReachParams,
  RequestParams,
  SleepParams,
  StateParams,
  StopParams,
  TellChangesParams,
  TellRenamedParams,
} from './broker-protocol.ts';

export interface BrokerMethod<Name extends string, Params extends object, Result> {
  readonly name: Name;
  /** Never there: it tells the compiler what the method takes and answers. */
  readonly signature?: (params: Params) => Result;
}

type Nothing = Readonly<Record<string, never>>;

export const BROKER = {
  hello: method<HelloParams, HelloResult>()('hello'),
  status: method<Nothing, BrokerStatus>()('status'),
  stop: method<StopParams, null>()('stop'),
  sleep: method<SleepParams, boolean>()('sleep'),

  attach: method<AttachParams, AttachResult>()('attach'),
  watch: method<Nothing, null>()('watch'),
  ping: method<Nothing, null>()('ping'),
  facts: method<BrokerRequestParams, FactsResult>()('facts'),
  restart: method<BrokerRequestParams, ServerFacts>()('restart'),
  request: method<RequestParams, unknown>()('request'),
  executeCommand: method<ExecuteCommandParams, ExecuteCommandResult>()('executeCommand'),
  diagnostics: method<FileParams, DiagnosticsResult>()('diagnostics'),
  evaluate: method<EvaluateParams, EvaluationResult>()('evaluate'),
  openDocument: method<FileParams, OpenDocumentResult>()('openDocument'),
  closeDocument: method<FileParams, null>()('closeDocument'),
  openDocuments: method<BrokerRequestParams, readonly OpenDocument[]>()('openDocuments'),
  setFolders: method<FoldersParams, null>()('setFolders'),
  reach: method<ReachParams, Reach>()('reach'),
  tellChanges: method<TellChangesParams, null>()('tellChanges'),
  tellRenamed: method<TellRenamedParams, null>()('tellRenamed'),
} as const;

export type BrokerMethodName = (typeof BROKER)[keyof typeof BROKER]['name'];

/** What a broker tells an attached session without being asked. */
export const BROKER_NEWS = {
  state: method<StateParams, void>()('state'),
  event: method<EventParams, void>()('event'),
} as const;

/** Undefined for a name that the protocol does not have. */
export function brokerMethodNamed(name: string): BrokerMethodName | undefined {
  return Object.values(BROKER).find((each) => each.name === name)?.name;
}

function method<Params extends object, Result>() {
  return <Name extends string>(name: Name): BrokerMethod<Name, Params, Result> => ({ name });
}
