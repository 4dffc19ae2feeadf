/** A row of the A2A error table (§5.4, §9.5). */
export interface A2AErrorRow {
  readonly name: string;
  readonly jsonRpcCode: number;
  /** HTTP statuses that published versions of the specification give this error: 1.0.1 first, then 1.0.0. */
  readonly httpStatus: readonly number[];
  /** `ErrorInfo.reason` of the HTTP+JSON and gRPC bindings; JSON-RPC's own errors have none. */
  readonly reason?: string;
}

/** Names, codes, statuses and reasons of the errors that an A2A agent answers with. */
export const A2A_ERRORS = [
  { name: 'TaskNotFoundError', jsonRpcCode: -32001, httpStatus: [404], reason: 'TASK_NOT_FOUND' },
  { name: 'TaskNotCancelableError', jsonRpcCode: -32002, httpStatus: [400, 409], reason: 'TASK_NOT_CANCELABLE' },
  {
    name: 'PushNotificationNotSupportedError',
    jsonRpcCode: -32003,
    httpStatus: [400],
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  },
  { name: 'UnsupportedOperationError', jsonRpcCode: -32004, httpStatus: [400], reason: 'UNSUPPORTED_OPERATION' },
  {
    name: 'ContentTypeNotSupportedError',
    jsonRpcCode: -32005,
    httpStatus: [400, 415],
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
  },
  { name: 'InvalidAgentResponseError', jsonRpcCode: -32006, httpStatus: [500, 502], reason: 'INVALID_AGENT_RESPONSE' },
  {
    name: 'ExtendedAgentCardNotConfiguredError',
    jsonRpcCode: -32007,
    httpStatus: [400],
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  },
  {
    name: 'ExtensionSupportRequiredError',
    jsonRpcCode: -32008,
    httpStatus: [400],
    reason: 'EXTENSION_SUPPORT_REQUIRED',
  },
  { name: 'VersionNotSupportedError', jsonRpcCode: -32009, httpStatus: [400], reason: 'VERSION_NOT_SUPPORTED' },
  { name: 'JSONParseError', jsonRpcCode: -32700, httpStatus: [400] },
  { name: 'InvalidRequestError', jsonRpcCode: -32600, httpStatus: [400] },
  { name: 'MethodNotFoundError', jsonRpcCode: -32601, httpStatus: [404] },
  { name: 'InvalidParamsError', jsonRpcCode: -32602, httpStatus: [400] },
  { name: 'InternalError', jsonRpcCode: -32603, httpStatus: [500] },
] as const;

export type A2AErrorName = (typeof A2A_ERRORS)[number]['name'];

/** Codes of the guard itself, for failures that the specification has no name for. */
export const GUARD_CODES = [
  'CardUnreachableError',
  'CardParseError',
  'CardSchemaError',
  'CardSpecError',
  'UntrustedCardError',
  'NoMutualInterfaceError',
  'CredentialsMissingError',
  'TransportError',
  'TaskFailed',
  'TaskRejected',
  'JsonRpcError',
] as const;

export type TicketCode = A2AErrorName | (typeof GUARD_CODES)[number];

/** The same table without its literal types. */
export const A2A_ERROR_ROWS: readonly A2AErrorRow[] = A2A_ERRORS;
const CODE_OF: ReadonlyMap<string, number> = new Map(A2A_ERROR_ROWS.map((row) => [row.name, row.jsonRpcCode]));

/** The JSON-RPC code of an A2A error name, or undefined for the guard's own codes. */
export function jsonRpcCodeOf(name: string): number | undefined {
  return CODE_OF.get(name);
}
