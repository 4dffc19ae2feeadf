import { describe, expect, it } from 'vitest';
import { CHECKS, type CheckId, createGuard, type Finding } from '../src/index.ts';
import { type Json, soundCard } from './support/cards.ts';

type Direction = 'outgoing' | 'incoming';
type Shown = 'error' | 'warn' | 'none';

const guard = createGuard();
const check = (definition: string, value: unknown, direction?: Direction): readonly Finding[] =>
  guard.check(`#/$defs/${definition}`, value, direction === undefined ? {} : { direction });

const MESSAGE: Json = { messageId: 'm-1', role: 'ROLE_AGENT', parts: [{ text: 'At the depot.' }] };
const STATUS: Json = { state: 'TASK_STATE_WORKING' };
const TASK: Json = { id: 't-1', contextId: 'c-1', status: STATUS };
const LIST: Json = { tasks: [TASK], nextPageToken: '', pageSize: 1, totalSize: 1 };
const without = (value: Json, name: string): Json =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));

describe('the pointer', () => {
  it.each(['#', '', '#/'])('the root pointer "%s" is refused with the reason', (pointer) => {
    const act = () => guard.check(pointer, MESSAGE);
    expect(act).toThrow(TypeError);
    expect(act).toThrow(/root.*validates nothing/i);
    expect(act).toThrow(/#\/\$defs\//);
  });

  it.each([
    ['#/$defs/Mesage', '#/$defs/Message'],
    ['#/$defs/message', '#/$defs/Message'],
    ['#/$defs/Agent Card', '#/$defs/AgentCard'],
    ['#/$defs/agent_card', '#/$defs/AgentCard'],
    ['#/definitions/Task', '#/$defs/Task'],
    ['Task', '#/$defs/Task'],
    ['#/$defs/TaskStatusUpdate', '#/$defs/TaskStatusUpdateEvent'],
  ])('"%s" is not there; near is %s', (pointer, near) => {
    expect(() => guard.check(pointer, {})).toThrow(TypeError);
    expect(() => guard.check(pointer, {})).toThrow(near);
  });

  it.each(['#/$defs/constructor', '#/$defs/__proto__', '#/$defs/', '#/$defs/TaskState', '/Task', '##'])(
    '"%s" names no definition',
    (pointer) => expect(() => guard.check(pointer, {})).toThrow(TypeError),
  );

  it.each([undefined, null, 5, {}])('%s is no pointer', (pointer) => {
    expect(() => guard.check(pointer as unknown as string, {})).toThrow(TypeError);
  });

  it.each([
    [{ direction: 'in' }, /direction.*outgoing.*incoming/],
    [{ version: '0.9' }, /version.*0\.9/],
    [{ directon: 'incoming' }, /directon.*direction/],
  ])('an option is quoted: %j', (options, words) => {
    expect(() => guard.check('#/$defs/Task', TASK, options as object)).toThrow(TypeError);
    expect(() => guard.check('#/$defs/Task', TASK, options as object)).toThrow(words);
  });
});

describe('a value at the wrong pointer is told its right one', () => {
  it.each<[string, unknown, string, Direction]>([
    ['Message', TASK, 'Task', 'outgoing'],
    ['Message', TASK, 'Task', 'incoming'],
    ['Task', MESSAGE, 'Message', 'outgoing'],
    ['Task', MESSAGE, 'Message', 'incoming'],
    ['SendMessageResponse', TASK, 'Task', 'incoming'],
    ['Task', LIST, 'ListTasksResponse', 'incoming'],
    ['Artifact', TASK, 'Task', 'incoming'],
  ])('at %s', (definition, value, right, direction) => {
    const messages = check(definition, value, direction).map((finding) => finding.message);
    expect(
      messages.some((message) => message.includes(`#/$defs/${right}`)),
      messages.join('\n'),
    ).toBe(true);
  });

  it('a card that is handed over as a message is recognised', () => {
    const [lead] = check('Message', soundCard());
    expect(lead).toMatchObject({ severity: 'error', message: expect.stringContaining('#/$defs/AgentCard') });
  });

  it('a value at its own pointer is told nothing of the kind', () => {
    const messages = check('Task', { ...TASK, extra: 1 }).map((finding) => finding.message);
    expect(messages.join()).not.toContain('#/$defs/');
  });

  it('a card is judged as a card at its own pointer', () => {
    expect(check('AgentCard', soundCard())).toEqual([]);
    expect(check('AgentCard', soundCard({ name: '' })).map((finding) => finding.id)).toEqual(['required-name']);
    expect(check('AgentCard', {}).map((finding) => finding.id)).toEqual(['wrong-document']);
    expect(check('AgentCard', null)).toMatchObject([{ severity: 'error', path: '', keyword: 'type' }]);
    expect(check('AgentCard', 'card')).toMatchObject([{ severity: 'error', path: '', keyword: 'type' }]);
  });
});

interface Row {
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

const unset = (list: readonly [string, Json, string][], shown: typeof both | typeof lenient): Row[] =>
  list.flatMap(([definition, value, name]): Row[] =>
    [['missing', without(value, name)] as const, ['null', { ...value, [name]: null }] as const].map(
      ([state, input]) => ({
        name: `${definition}.${name} is ${state}`,
        input: [definition, input],
        want: { id: 'value-required', path: `/${name}`, keyword: 'required', ...shown },
      }),
    ),
  );

const ROWS: readonly Row[] = [
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

describe('what is wrong with a value has an id, a path and a keyword', () => {
  for (const direction of ['outgoing', 'incoming'] as const) {
    it.each(ROWS.map((row) => [row.name, row] as const))(
      `${direction}: %s`,
      (_name, { input: [definition, value], want }) => {
        const findings = check(definition, value, direction);
        const shown = want[direction];
        const finding = findings.find(({ id, path }) => id === want.id && path === want.path);
        if (shown === 'none') expect(findings).toEqual([]);
        else
          expect(finding).toMatchObject({
            layer: 'traffic',
            severity: shown,
            keyword: want.keyword,
            hint: expect.any(String),
          });
        const errors = findings.filter(({ severity }) => severity === 'error');
        expect(errors.map(({ id }) => id)).toEqual(shown === 'error' ? expect.arrayContaining([want.id]) : []);
      },
    );
  }

  it('judges as outgoing unless told otherwise', () => {
    const value = { ...TASK, mood: 'good' };
    expect(check('Task', value)).toEqual(check('Task', value, 'outgoing'));
  });

  it('value-range: a number outside the range that an operation allows', async () => {
    const agent = await guard.agent(soundCard());
    const rows = [
      ['ListTasks', { pageSize: 0 }, '/pageSize'],
      ['ListTasks', { pageSize: 101 }, '/pageSize'],
      ['GetTask', { id: 't-1', historyLength: -1 }, '/historyLength'],
      [
        'SendMessage',
        { message: { ...MESSAGE, role: 'ROLE_USER' }, configuration: { historyLength: -1 } },
        '/configuration/historyLength',
      ],
    ] as const;
    for (const [operation, params, path] of rows) {
      expect(agent.admit(operation, params).findings).toMatchObject([
        { id: 'value-range', path, keyword: 'minimum', severity: 'error' },
      ]);
    }
    expect(agent.admit('ListTasks', { pageSize: 100, historyLength: 0 }).ok).toBe(true);
  });

  it('every value-* check has a row', () => {
    const ids = CHECKS.map(({ id }) => id as string).filter((id) => id.startsWith('value-'));
    const rows = new Set<string>([...ROWS.map((row) => row.want.id), 'value-range']);
    expect(ids.filter((id) => !rows.has(id))).toEqual([]);
  });
});

describe('what is right has no finding in either direction', () => {
  it.each<[string, string, unknown]>([
    ['an empty text is a content', 'Part', { text: '' }],
    ['data that is null is a content', 'Part', { data: null }],
    ['data that is false is a content', 'Part', { data: false }],
    ['the URL-safe alphabet', 'Part', { raw: '-_-_' }],
    ['bytes without padding', 'Part', { raw: '_w' }],
    ['no bytes', 'Part', { raw: '' }],
    ['nanoseconds', 'TaskStatus', { ...STATUS, timestamp: '2026-01-31T12:00:00.123456789Z' }],
    ['the leap day of a leap year', 'TaskStatus', { ...STATUS, timestamp: '2028-02-29T23:59:59Z' }],
    ['a number as text', 'GetTaskRequest', { id: 't-1', historyLength: '10' }],
    ['anything in metadata', 'Task', { ...TASK, metadata: { a: null, b: [null, { c: 1 }] } }],
    ['the last page of a list', 'ListTasksResponse', { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 }],
    ['a request without members', 'ListTasksRequest', {}],
    ['a free value', 'Value', [null, { a: 1 }]],
    ['a free object', 'Struct', { a: null }],
  ])('%s', (_name, definition, value) => {
    expect(check(definition, value, 'outgoing')).toEqual([]);
    expect(check(definition, value, 'incoming')).toEqual([]);
  });
});

describe('a flood', () => {
  it('1,000 unknown keys hide no error, and the list stays short', () => {
    const extras = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`x${i}`, 0]));
    const findings = check('Task', { ...extras, ...TASK, status: { state: 'done' } }, 'incoming');
    expect(findings.filter(({ severity }) => severity === 'error').map(({ path }) => path)).toEqual(['/status/state']);
    expect(findings.length).toBeLessThanOrEqual(40);
  });

  it('a value that nests deeper than limits.jsonDepth is refused', () => {
    let metadata: Json = {};
    for (let level = 0; level < 100; level += 1) metadata = { a: metadata };
    expect(check('Task', { ...TASK, metadata }).map(({ id }) => id)).toEqual(['wire-size']);
  });

  it('a value that holds itself ends', () => {
    const metadata: Json = {};
    metadata.self = metadata;
    expect(check('Task', { ...TASK, metadata }).map(({ id }) => id)).toEqual(['wire-size']);
  });
});
