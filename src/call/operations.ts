import { nearest } from '../schema/pointer.ts';

/** A capability flag of the card. */
export type Flag = 'streaming' | 'pushNotifications' | 'extendedAgentCard';

/** Method and path of the HTTP+JSON binding (§11.3); names in braces are params. */
export type HttpPath = readonly ['GET' | 'POST' | 'DELETE', string];

export interface Operation {
  /** The operation's name, which is its 1.0 JSON-RPC method. */
  readonly name: string;
  /** The 0.3 JSON-RPC method, the path of 0.3's HTTP+JSON, and the definitions; ListTasks has none. */
  readonly legacy?: {
    readonly method: string;
    readonly http: HttpPath;
    readonly params?: string;
    readonly result?: string;
  };
  readonly http: HttpPath;
  /** The flag that the card must set for this operation. */
  readonly flag?: Flag;
  /** Definition of the params. */
  readonly params: string;
  /** Definition of the result, or of each event; undefined for an empty result. */
  readonly result?: string;
  readonly streams: boolean;
  /** Whether the same request may be sent twice without doing something twice (§3.3.1). */
  readonly repeatable: boolean;
  /** Section of the A2A 1.0 specification. */
  readonly section: string;
}

// biome-ignore format: a table reads as a table
export const OPERATIONS = [
  { name: 'SendMessage', http: ['POST', '/message:send'], legacy: { method: 'message/send', http: ['POST', '/v1/message:send'], params: 'MessageSendParams', result: 'SendMessageResult' }, params: 'SendMessageRequest', result: 'SendMessageResponse', streams: false, repeatable: false, section: '§3.1.1' },
  { name: 'SendStreamingMessage', http: ['POST', '/message:stream'], legacy: { method: 'message/stream', http: ['POST', '/v1/message:stream'], params: 'MessageSendParams', result: 'StreamEvent' }, flag: 'streaming', params: 'SendMessageRequest', result: 'StreamResponse', streams: true, repeatable: false, section: '§3.1.2' },
  { name: 'GetTask', http: ['GET', '/tasks/{id}'], legacy: { method: 'tasks/get', http: ['GET', '/v1/tasks/{id}'], params: 'TaskQueryParams', result: 'Task' }, params: 'GetTaskRequest', result: 'Task', streams: false, repeatable: true, section: '§3.1.3' },
  { name: 'ListTasks', http: ['GET', '/tasks'], params: 'ListTasksRequest', result: 'ListTasksResponse', streams: false, repeatable: true, section: '§3.1.4' },
  { name: 'CancelTask', http: ['POST', '/tasks/{id}:cancel'], legacy: { method: 'tasks/cancel', http: ['POST', '/v1/tasks/{id}:cancel'], params: 'TaskIdParams', result: 'Task' }, params: 'CancelTaskRequest', result: 'Task', streams: false, repeatable: true, section: '§3.1.5' },
  { name: 'SubscribeToTask', http: ['GET', '/tasks/{id}:subscribe'], legacy: { method: 'tasks/resubscribe', http: ['GET', '/v1/tasks/{id}:subscribe'], params: 'TaskIdParams', result: 'StreamEvent' }, flag: 'streaming', params: 'SubscribeToTaskRequest', result: 'StreamResponse', streams: true, repeatable: true, section: '§3.1.6' },
  { name: 'CreateTaskPushNotificationConfig', http: ['POST', '/tasks/{taskId}/pushNotificationConfigs'], legacy: { method: 'tasks/pushNotificationConfig/set', http: ['POST', '/v1/tasks/{taskId}/pushNotificationConfigs'], params: 'TaskPushNotificationConfig', result: 'TaskPushNotificationConfig' }, flag: 'pushNotifications', params: 'TaskPushNotificationConfig', result: 'TaskPushNotificationConfig', streams: false, repeatable: false, section: '§3.1.7' },
  { name: 'GetTaskPushNotificationConfig', http: ['GET', '/tasks/{taskId}/pushNotificationConfigs/{id}'], legacy: { method: 'tasks/pushNotificationConfig/get', http: ['GET', '/v1/tasks/{id}/pushNotificationConfigs/{pushNotificationConfigId}'], params: 'GetTaskPushNotificationConfigParams', result: 'TaskPushNotificationConfig' }, flag: 'pushNotifications', params: 'GetTaskPushNotificationConfigRequest', result: 'TaskPushNotificationConfig', streams: false, repeatable: true, section: '§3.1.8' },
  { name: 'ListTaskPushNotificationConfigs', http: ['GET', '/tasks/{taskId}/pushNotificationConfigs'], legacy: { method: 'tasks/pushNotificationConfig/list', http: ['GET', '/v1/tasks/{id}/pushNotificationConfigs'], params: 'ListTaskPushNotificationConfigParams', result: 'TaskPushNotificationConfig[]' }, flag: 'pushNotifications', params: 'ListTaskPushNotificationConfigsRequest', result: 'ListTaskPushNotificationConfigsResponse', streams: false, repeatable: true, section: '§3.1.9' },
  { name: 'DeleteTaskPushNotificationConfig', http: ['DELETE', '/tasks/{taskId}/pushNotificationConfigs/{id}'], legacy: { method: 'tasks/pushNotificationConfig/delete', http: ['DELETE', '/v1/tasks/{id}/pushNotificationConfigs/{pushNotificationConfigId}'], params: 'DeleteTaskPushNotificationConfigParams' }, flag: 'pushNotifications', params: 'DeleteTaskPushNotificationConfigRequest', streams: false, repeatable: true, section: '§3.1.10' },
  { name: 'GetExtendedAgentCard', http: ['GET', '/extendedAgentCard'], legacy: { method: 'agent/getAuthenticatedExtendedCard', http: ['GET', '/v1/card'], result: 'AgentCard' }, flag: 'extendedAgentCard', params: 'GetExtendedAgentCardRequest', result: 'AgentCard', streams: false, repeatable: true, section: '§3.1.11' },
] as const;

const ROWS: readonly Operation[] = OPERATIONS;

export type OperationName = (typeof OPERATIONS)[number]['name'];

const BY_METHOD: ReadonlyMap<string, Operation> = new Map(
  ROWS.flatMap((operation) => [
    [operation.name, operation],
    ...(operation.legacy === undefined ? [] : [[operation.legacy.method, operation] as const]),
  ]),
);

/**
 * The operation that a method of either dialect names: `message/send` and `SendMessage` are the same.
 * @throws TypeError for an unknown method, with near names.
 */
export function resolveOperation(method: unknown): Operation {
  const operation = typeof method === 'string' ? BY_METHOD.get(method) : undefined;
  if (operation !== undefined) return operation;
  const near = nearest(String(method), [...BY_METHOD.keys()]).join('", "');
  throw new TypeError(`there is no A2A operation "${String(method).slice(0, 80)}". Near: "${near}".`);
}

/** Definitions of an operation's params and result in a protocol version; undefined for what is empty there. */
export function shapesOfOperation(operation: Operation, version: string): { params?: string; result?: string } {
  return version === '1.0' ? operation : (operation.legacy ?? {});
}

/** Method and path of an operation over HTTP+JSON in a protocol version; undefined for what that version does not have. */
export function httpOf(operation: Operation, version: string): HttpPath | undefined {
  return version === '1.0' ? operation.http : operation.legacy?.http;
}

/** The names of the params that stand in a path. */
export function namesInPath([, template]: HttpPath): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
