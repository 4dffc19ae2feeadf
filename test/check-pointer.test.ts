import { describe, expect, it } from 'vitest';
import { createGuard, type Finding } from '../src/index.ts';
import { type Json, soundCard } from './support/cards.ts';

type Direction = 'outgoing' | 'incoming';

const guard = createGuard();
const check = (definition: string, value: unknown, direction?: Direction): readonly Finding[] =>
  guard.check(`#/$defs/${definition}`, value, direction === undefined ? {} : { direction });

const MESSAGE: Json = { messageId: 'm-1', role: 'ROLE_AGENT', parts: [{ text: 'At the depot.' }] };
const STATUS: Json = { state: 'TASK_STATE_WORKING' };
const TASK: Json = { id: 't-1', contextId: 'c-1', status: STATUS };
const LIST: Json = { tasks: [TASK], nextPageToken: '', pageSize: 1, totalSize: 1 };
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
