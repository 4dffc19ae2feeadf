import fc from 'fast-check';
import { OPERATIONS, type Operation, shapesOfOperation } from '../../src/call/operations.ts';
import { ExchangeError } from '../../src/index.ts';
import type { ProtocolVersion } from '../../src/schema/fields.ts';
import { type Json, soundCard, soundInterface } from './cards.ts';
import { changedCard } from './hostile-values.ts';
import { brokenBytes, doubledText } from './json-text.ts';
import { changed, holdersOf } from './mutate.ts';
import { sound } from './payloads.ts';
import type { Served } from './serving-client.ts';

/** One way to call an agent. */
export interface Way {
  readonly binding: 'JSONRPC' | 'HTTP+JSON';
  readonly version: ProtocolVersion;
}

export const WAYS: readonly Way[] = [
  { binding: 'JSONRPC', version: '1.0' },
  { binding: 'JSONRPC', version: '0.3' },
  { binding: 'HTTP+JSON', version: '1.0' },
  { binding: 'HTTP+JSON', version: '0.3' },
];

export const operationsOf = ({ version }: Way): readonly Operation[] =>
  (OPERATIONS as readonly Operation[]).filter(({ legacy }) => version === '1.0' || legacy !== undefined);

/** A card that allows every operation, over one way. */
export const openCard = ({ binding, version }: Way): Json =>
  soundCard({
    supportedInterfaces: [soundInterface({ protocolBinding: binding, protocolVersion: version })],
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
  });

const hook = { url: 'https://hooks.client.example/in' };

/** Params that are right, by the definition that they have. */
const PARAMS: Readonly<Record<string, Json>> = {
  SendMessageRequest: { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Where?' }] } },
  MessageSendParams: {
    message: { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'Where?' }] },
  },
  TaskPushNotificationConfig: { taskId: 't-1', ...hook },
  ListTaskPushNotificationConfigsRequest: { taskId: 't-1' },
  GetTaskPushNotificationConfigRequest: { taskId: 't-1', id: 'p-1' },
  DeleteTaskPushNotificationConfigRequest: { taskId: 't-1', id: 'p-1' },
  GetTaskPushNotificationConfigParams: { id: 't-1', pushNotificationConfigId: 'p-1' },
  DeleteTaskPushNotificationConfigParams: { id: 't-1', pushNotificationConfigId: 'p-1' },
  ListTasksRequest: {},
  GetExtendedAgentCardRequest: {},
};

/** Params with which a call goes out, about the task that {@link soundResult} shows. */
export function paramsOf(operation: Operation, { version }: Way): Json {
  const { params = '' } = shapesOfOperation(operation, version);
  if (version === '0.3' && params === 'TaskPushNotificationConfig')
    return { taskId: 't-1', pushNotificationConfig: hook };
  return PARAMS[params] ?? { id: 't-1' };
}

/** All that a value says is about one task, and said by the agent. */
function anchor<T>(value: T): T {
  for (const holder of holdersOf(value)) {
    if (Array.isArray(holder)) continue;
    if (typeof holder.taskId === 'string') holder.taskId = 't-1';
    if (typeof holder.contextId === 'string') holder.contextId = 'c-1';
    if (typeof holder.id === 'string' && 'status' in holder) holder.id = 't-1';
    if (typeof holder.role === 'string') holder.role = holder.role.startsWith('ROLE_') ? 'ROLE_AGENT' : 'agent';
  }
  return value;
}

/** A result, or one event of a stream, as the operation has it. */
export function soundResult(operation: Operation, { version }: Way): fc.Arbitrary<unknown> {
  const { result } = shapesOfOperation(operation, version);
  if (result === undefined) return fc.constantFrom<unknown>({}, null);
  if (result === 'AgentCard') return fc.oneof(fc.constant(soundCard()), changedCard);
  if (!result.endsWith('[]')) return sound(result, version).map(anchor);
  return fc.array(sound(result.slice(0, -2), version).map(anchor), { maxLength: 2 });
}

const errorBody = fc.record(
  {
    code: fc.constantFrom<unknown>(-32001, -32004, -32007, -32602, 404, 0, 1.5, 'TASK_NOT_FOUND'),
    message: fc.oneof(fc.string(), fc.jsonValue()),
    status: fc.constantFrom('NOT_FOUND', 'INTERNAL'),
    data: fc.jsonValue(),
    details: fc.array(fc.record({ '@type': fc.string(), reason: fc.string(), domain: fc.string() }), { maxLength: 2 }),
  },
  { requiredKeys: ['code', 'message'] },
);

/** A result as it stands in a body; errors too, because agents answer with either. */
function wrapped({ binding }: Way, id: number, result: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const rpc = { jsonrpc: '2.0', id };
  return fc.oneof(
    { weight: 6, arbitrary: result.map((value) => (binding === 'JSONRPC' ? { ...rpc, result: value } : value)) },
    { weight: 1, arbitrary: errorBody.map((error) => (binding === 'JSONRPC' ? { ...rpc, error } : { error })) },
    { weight: 1, arbitrary: errorBody },
  );
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function bodiesOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<Uint8Array> {
  const written = (given: unknown): Uint8Array => encode(JSON.stringify(given));
  return fc.oneof(
    { weight: 3, arbitrary: value.map(written) },
    { weight: 5, arbitrary: changed(value).map(written) },
    { weight: 1, arbitrary: doubledText(changed(value)).map(encode) },
    { weight: 1, arbitrary: brokenBytes(value) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map(written) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  );
}

const often = <T>(usual: T, ...odd: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });

const status = often(200, 201, 204, 302, 400, 401, 404, 413, 429, 500, 503, 599);
const odd = ['text/html', 'text/plain', 'application/a2a+json', 'x', '', 'application/json; charset="', ';;', 'a/b/c'];

function headersOf(type: string): fc.Arbitrary<Record<string, string>> {
  return fc.record(
    {
      'content-type': often(type, ...odd, 'application/json', 'text/event-stream', 'TEXT/EVENT-STREAM; x=y'),
      'content-encoding': often('identity', 'gzip', ''),
      'retry-after': fc.constantFrom('5', '-1', 'x', 'Sun, 06 Nov 2094 08:49:37 GMT', '9'.repeat(400)),
      'www-authenticate': fc.constantFrom(
        'Bearer realm="a"',
        'Basic realm="',
        ', ,',
        'x'.repeat(5000),
        'Bearer a=b, c',
      ),
      location: fc.constantFrom('https://u:p@b.example/x?y#z', '//', 'http://[', ''),
    },
    { requiredKeys: ['content-type'] },
  );
}

/** Cuts bytes at places that say nothing about them. */
const inPieces = (bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array[]> =>
  fc.tuple(bytes, fc.array(fc.nat(), { maxLength: 5 })).map(([whole, places]) => {
    const cuts = places.map((place) => place % (whole.length + 1)).sort((one, other) => one - other);
    return [0, ...cuts].map((from, index) => whole.subarray(from, cuts[index] ?? whole.length));
  });

const breaks = often<unknown>(
  undefined,
  new ExchangeError('network', true, 'reset'),
  new ExchangeError('timeout', false, 'late'),
  new TypeError('of the client itself'),
  'a text',
);

const served = (pieces: fc.Arbitrary<Uint8Array[]>, type: string): fc.Arbitrary<Served> =>
  fc.record({ status, headers: headersOf(type), pieces, breaks });

/** Answers to the request with this id: right, wrong, broken, and what is none at all. */
export function answersTo(operation: Operation, way: Way, id: number): fc.Arbitrary<Served> {
  const body = bodiesOf(wrapped(way, id, soundResult(operation, way)));
  return operation.streams
    ? served(streamOf(operation, way, id), 'text/event-stream')
    : served(inPieces(body), 'application/json');
}

const FRAMES: readonly ((data: string) => string)[] = [
  (data) => `data: ${data}\n\n`,
  (data) => `data: ${data}\n\n`,
  (data) => `id: 1\r\ndata: ${data}\r\n\r\n`,
  (data) => `data:${data}\r\r`,
  (data) => `event: message\ndata: ${data}\n\n`,
  (data) => `event: odd\ndata: ${data}\n\n`,
  (data) => `: comment\nretry: 5\ndata: ${data}\n\ndata: [DONE]\n\n`,
  (data) => `data: ${data.slice(0, 5)}\ndata: ${data.slice(5)}\n\n`,
  (data) => `data: ${data}\n`,
];

function streamOf(operation: Operation, way: Way, id: number): fc.Arbitrary<Uint8Array[]> {
  const event = fc.tuple(bodiesOf(wrapped(way, id, soundResult(operation, way))), fc.nat()).map(([bytes, frame]) => {
    const write = FRAMES[frame % FRAMES.length] as (data: string) => string;
    return write(Buffer.from(bytes).toString('latin1'));
  });
  const text = fc.array(event, { maxLength: 5 }).map((events) => Buffer.from(events.join(''), 'latin1'));
  return inPieces(fc.oneof({ weight: 8, arbitrary: text }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) }));
}
