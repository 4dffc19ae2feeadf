import type { CheckId } from '../../src/index.ts';
import type { Json } from './cards.ts';

type Shown = 'error' | 'warn' | 'none';

/** An agent's message without a fault. */
export const MESSAGE: Json = { messageId: 'm-1', role: 'ROLE_AGENT', parts: [{ text: 'At the depot.' }] };
const STATUS: Json = { state: 'TASK_STATE_WORKING' };
/** A task without a fault. */
export const TASK: Json = { id: 't-1', contextId: 'c-1', status: STATUS };
const LIST: Json = { tasks: [TASK], nextPageToken: '', pageSize: 1, totalSize: 1 };
const without = (value: Json, name: string): Json =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));

/** A value at a definition, and the finding that it has in each direction. */
export interface ValueRow {
  readonly name: string;
  readonly input: readonly [definition: string, value: unknown];
  readonly want: {
    readonly id: CheckId;
    readonly path: string;
    readonly keyword: string;
    readonly outgoing: Shown;
    readonly incoming: Shown;
  };
}

const both = { outgoing: 'error', incoming: 'error' } as const;
const lenient = { outgoing: 'error', incoming: 'warn' } as const;
const request = (message: Json): Json => ({ message });

/** REQUIRED fields without which what comes in is of no use. */
const LOAD_BEARING: readonly [string, Json, string][] = [
  ['Task', TASK, 'id'],
  ['Task', TASK, 'status'],
  ['TaskStatus', STATUS, 'state'],
  ['Message', MESSAGE, 'role'],
  ['Message', MESSAGE, 'parts'],
  ['TaskStatusUpdateEvent', { taskId: 't-1', contextId: 'c-1', status: STATUS }, 'taskId'],
  ['TaskStatusUpdateEvent', { taskId: 't-1', contextId: 'c-1', status: STATUS }, 'status'],
  [
    'TaskArtifactUpdateEvent',
    { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'a', parts: [{ text: '' }] } },
    'taskId',
  ],
  [
    'TaskArtifactUpdateEvent',
    { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'a', parts: [{ text: '' }] } },
    'artifact',
  ],
  ['TaskPushNotificationConfig', { url: 'https://hooks.client.example/in' }, 'url'],
];

/** REQUIRED fields whose lack is reported and delivered. */
const LIGHT: readonly [string, Json, string][] = [
  ['Message', MESSAGE, 'messageId'],
  ['Artifact', { artifactId: 'a', parts: [{ text: '' }] }, 'artifactId'],
  ['Artifact', { artifactId: 'a', parts: [{ text: '' }] }, 'parts'],
  ['TaskStatusUpdateEvent', { taskId: 't-1', contextId: 'c-1', status: STATUS }, 'contextId'],
  [
    'TaskArtifactUpdateEvent',
    { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'a', parts: [{ text: '' }] } },
    'contextId',
  ],
  ['AuthenticationInfo', { scheme: 'Bearer' }, 'scheme'],
  ...['tasks', 'nextPageToken', 'pageSize', 'totalSize'].map((name): [string, Json, string] => [
    'ListTasksResponse',
    LIST,
    name,
  ]),
];

const unset = (list: readonly [string, Json, string][], shown: typeof both | typeof lenient): ValueRow[] =>
  list.flatMap(([definition, value, name]): ValueRow[] =>
    [['missing', without(value, name)] as const, ['null', { ...value, [name]: null }] as const].map(
      ([state, input]) => ({
        name: `${definition}.${name} is ${state}`,
        input: [definition, input],
        want: { id: 'value-required', path: `/${name}`, keyword: 'required', ...shown },
      }),
    ),
  );

export const VALUE_ROWS: readonly ValueRow[] = [
  ...unset(LOAD_BEARING, both),
  ...unset(LIGHT, lenient),
  {
    name: 'an empty text in a REQUIRED field is not set',
    input: ['Task', { ...TASK, id: '' }],
    want: { id: 'value-required', path: '/id', keyword: 'required', ...both },
  },
  {
    name: 'an empty list in a REQUIRED field is not set',
    input: ['Message', { ...MESSAGE, parts: [] }],
    want: { id: 'value-required', path: '/parts', keyword: 'required', ...both },
  },
  {
    name: 'a REQUIRED field deep inside',
    input: ['SendMessageRequest', request(without(MESSAGE, 'messageId'))],
    want: { id: 'value-required', path: '/message/messageId', keyword: 'required', ...lenient },
  },
  {
    name: 'a part without content',
    input: ['Message', { ...MESSAGE, parts: [{ text: 'a' }, { mediaType: 'text/plain' }] }],
    want: { id: 'value-oneof', path: '/parts/1', keyword: 'oneOf', ...both },
  },
  {
    name: 'a part with two contents',
    input: ['Part', { text: 'a', url: 'https://a.example' }],
    want: { id: 'value-oneof', path: '', keyword: 'oneOf', ...both },
  },
  {
    name: 'an answer with neither task nor message',
    input: ['SendMessageResponse', {}],
    want: { id: 'value-oneof', path: '', keyword: 'oneOf', ...both },
  },
  {
    name: 'an answer with both',
    input: ['SendMessageResponse', { task: TASK, message: MESSAGE }],
    want: { id: 'value-oneof', path: '', keyword: 'oneOf', ...both },
  },
  {
    name: 'an event whose only member is null',
    input: ['StreamResponse', { statusUpdate: null }],
    want: { id: 'value-oneof', path: '', keyword: 'oneOf', ...both },
  },
  {
    name: 'a state of 0.3',
    input: ['TaskStatus', { state: 'completed' }],
    want: { id: 'value-enum', path: '/state', keyword: 'enum', ...both },
  },
  {
    name: 'a state by its number',
    input: ['TaskStatus', { state: 2 }],
    want: { id: 'value-enum', path: '/state', keyword: 'enum', ...both },
  },
  {
    name: 'a role without its prefix',
    input: ['Message', { ...MESSAGE, role: 'agent' }],
    want: { id: 'value-enum', path: '/role', keyword: 'enum', ...both },
  },
  {
    name: 'the UNSPECIFIED name in a REQUIRED enum',
    input: ['TaskStatus', { state: 'TASK_STATE_UNSPECIFIED' }],
    want: { id: 'value-unset-enum', path: '/state', keyword: 'enum', ...both },
  },
  {
    name: 'the UNSPECIFIED role',
    input: ['Message', { ...MESSAGE, role: 'ROLE_UNSPECIFIED' }],
    want: { id: 'value-unset-enum', path: '/role', keyword: 'enum', ...both },
  },
  {
    name: 'the UNSPECIFIED name in an optional enum',
    input: ['ListTasksRequest', { status: 'TASK_STATE_UNSPECIFIED' }],
    want: { id: 'value-unset-enum', path: '/status', keyword: 'enum', outgoing: 'warn', incoming: 'warn' },
  },
  {
    name: 'a number where a text belongs',
    input: ['Task', { ...TASK, id: 7 }],
    want: { id: 'value-type', path: '/id', keyword: 'type', ...both },
  },
  {
    name: 'a text where a list belongs',
    input: ['Message', { ...MESSAGE, parts: 'Hello' }],
    want: { id: 'value-type', path: '/parts', keyword: 'type', ...both },
  },
  {
    name: 'null inside a list',
    input: ['Message', { ...MESSAGE, parts: [null] }],
    want: { id: 'value-type', path: '/parts/0', keyword: 'type', ...both },
  },
  {
    name: 'a list where an object belongs',
    input: ['Task', []],
    want: { id: 'value-type', path: '', keyword: 'type', ...both },
  },
  {
    name: 'null where an object belongs',
    input: ['Task', null],
    want: { id: 'value-type', path: '', keyword: 'type', ...both },
  },
  {
    name: 'a flag in quotes',
    input: ['SendMessageConfiguration', { returnImmediately: 'true' }],
    want: { id: 'value-type', path: '/returnImmediately', keyword: 'type', ...both },
  },
  {
    name: 'half a number',
    input: ['GetTaskRequest', { id: 't-1', historyLength: 1.5 }],
    want: { id: 'value-type', path: '/historyLength', keyword: 'type', ...both },
  },
  {
    name: 'metadata that is a list',
    input: ['Task', { ...TASK, metadata: [] }],
    want: { id: 'value-type', path: '/metadata', keyword: 'type', ...both },
  },
  {
    name: 'bytes as numbers',
    input: ['Part', { raw: [1, 2] }],
    want: { id: 'value-type', path: '/raw', keyword: 'type', ...both },
  },
  {
    name: 'a timestamp that is a number',
    input: ['TaskStatus', { ...STATUS, timestamp: 1769860800 }],
    want: { id: 'value-type', path: '/timestamp', keyword: 'type', ...both },
  },
  {
    name: 'null in an optional field is unset',
    input: ['Task', { ...TASK, metadata: null }],
    want: { id: 'value-type', path: '/metadata', keyword: 'type', outgoing: 'none', incoming: 'warn' },
  },
  {
    name: 'bytes that are not base64',
    input: ['Part', { raw: '!!' }],
    want: { id: 'value-pattern', path: '/raw', keyword: 'pattern', ...both },
  },
  {
    name: 'a single letter of base64',
    input: ['Part', { raw: 'A' }],
    want: { id: 'value-pattern', path: '/raw', keyword: 'pattern', ...both },
  },
  {
    name: 'a number in words',
    input: ['GetTaskRequest', { id: 't-1', historyLength: 'ten' }],
    want: { id: 'value-pattern', path: '/historyLength', keyword: 'pattern', ...both },
  },
  {
    name: 'a text of more than 32 bits',
    input: ['GetTaskRequest', { id: 't-1', historyLength: '2147483648' }],
    want: { id: 'value-pattern', path: '/historyLength', keyword: 'pattern', ...both },
  },
  {
    name: 'a timestamp with an offset',
    input: ['TaskStatus', { ...STATUS, timestamp: '2026-01-31T12:00:00+01:00' }],
    want: { id: 'value-format', path: '/timestamp', keyword: 'format', ...lenient },
  },
  {
    name: 'a timestamp without a zone',
    input: ['TaskStatus', { ...STATUS, timestamp: '2026-01-31T12:00:00' }],
    want: { id: 'value-format', path: '/timestamp', keyword: 'format', ...both },
  },
  {
    name: 'a day that does not exist',
    input: ['TaskStatus', { ...STATUS, timestamp: '2025-02-29T12:00:00Z' }],
    want: { id: 'value-format', path: '/timestamp', keyword: 'format', ...both },
  },
  {
    name: 'a date alone',
    input: ['TaskStatus', { ...STATUS, timestamp: '2026-01-31' }],
    want: { id: 'value-format', path: '/timestamp', keyword: 'format', ...both },
  },
  {
    name: 'an unknown key',
    input: ['Task', { ...TASK, mood: 'good' }],
    want: { id: 'value-unknown-key', path: '/mood', keyword: 'additionalProperties', ...lenient },
  },
  {
    name: 'an unknown key deep inside',
    input: ['SendMessageRequest', request({ ...MESSAGE, parts: [{ text: 'a', kind: 'text' }] })],
    want: { id: 'value-unknown-key', path: '/message/parts/0/kind', keyword: 'additionalProperties', ...lenient },
  },
  {
    name: 'a proto name is an unknown key',
    input: ['Task', { ...TASK, context_id: 'c-1' }],
    want: { id: 'value-unknown-key', path: '/context_id', keyword: 'additionalProperties', ...lenient },
  },
  {
    name: 'a proto name does not set its field',
    input: ['TaskStatusUpdateEvent', { task_id: 't-1', contextId: 'c-1', status: STATUS }],
    want: { id: 'value-required', path: '/taskId', keyword: 'required', ...both },
  },
  {
    name: 'a __proto__ key of its own',
    input: ['Task', JSON.parse('{"id":"t-1","status":{"state":"TASK_STATE_WORKING"},"__proto__":{"a":1}}')],
    want: { id: 'value-unknown-key', path: '/__proto__', keyword: 'additionalProperties', ...lenient },
  },
  {
    name: 'a key with a slash is escaped',
    input: ['Task', { ...TASK, 'a/b': 1 }],
    want: { id: 'value-unknown-key', path: '/a~1b', keyword: 'additionalProperties', ...lenient },
  },
];
