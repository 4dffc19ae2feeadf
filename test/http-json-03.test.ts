import { TaskState } from '@a2a-js/sdk';
import { ClientFactory, RestTransportFactory } from '@a2a-js/sdk/client';
import { describe, expect, it } from 'vitest';
import { type Agent, type GuardOptions, toV1 } from '../src/index.ts';
import { guardedOptions } from '../src/sdk.ts';
import { type CardChanges, sampleCard, useBench } from './support/sdk-agent.ts';
import { collect, say } from './support/sdk-client.ts';
import { answer, startServer } from './support/server.ts';

const bench = useBench();
const SPEAKS: GuardOptions = { speaks: [{ binding: 'HTTP+JSON', versions: ['0.3'] }] };
const INTERFACE = { protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' };

/** The writing of 0.3's proto, which the official SDKs have over HTTP+JSON. */
const inProto = (text: string, more: object = {}): object => ({
  message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', content: [{ text }], ...more },
});
/** The writing of 0.3's text. */
const inText = (text: string): object => ({
  message: { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts: [{ kind: 'text', text }] },
});

/** The official SDK's agent through its 0.3 compatibility. */
async function meet(more: CardChanges = {}, extendedCard: CardChanges = {}) {
  const old = (url: string): CardChanges => ({
    ...more,
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({ ...INTERFACE, url, protocolVersion })),
  });
  const card = (url: string): CardChanges => old(url.replace('/a2a', '/rest'));
  const server = await bench.start({ card, speaksOld: true, extendedCard });
  return { server, agent: await bench.guard(SPEAKS).agent({ ...sampleCard(''), ...card(server.url) }) };
}

async function read(events: unknown): Promise<Record<string, unknown>[]> {
  const seen: Record<string, unknown>[] = [];
  for await (const event of events as AsyncIterable<Record<string, unknown>>) seen.push(event);
  return seen;
}

const asTask = (answered: unknown, agent: Agent) => toV1(answered, agent.interface) as { id: string };

describe('a real agent that speaks HTTP+JSON 0.3', () => {
  it('answers in ProtoJSON, which is judged, handed on as it came, and read by toV1', async () => {
    const { server, agent } = await meet();
    const answered = (await agent.call('SendMessage', inProto('hello'))) as { task: { kind?: string } };
    expect(answered.task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    const task = asTask(answered, agent);
    expect(task).toMatchObject({ id: expect.any(String), status: { state: 'TASK_STATE_COMPLETED' } });
    expect(asTask(await agent.call('tasks/get', { id: task.id, historyLength: 1 }), agent).id).toBe(task.id);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST /v1/message:send', `GET /v1/tasks/${task.id}`]);
    expect(server.requests[0]?.headers['content-type']).toBe('application/json');
    expect(bench.tickets).toEqual([]);
  });

  it('carries the other operations', async () => {
    const { agent } = await meet();
    const { id } = asTask(
      await agent.call('message/send', { ...inProto('slow'), configuration: { blocking: false } }),
      agent,
    );
    const name = `tasks/${id}/pushNotificationConfigs/p`;
    const config = { name, pushNotificationConfig: { id: 'p', url: 'https://hooks.example/in' } };
    expect(await agent.call('tasks/pushNotificationConfig/set', config)).toMatchObject({ name });
    const one = { id, pushNotificationConfigId: 'p' };
    expect(await agent.call('tasks/pushNotificationConfig/get', one)).toMatchObject({ name });
    const { configs } = (await agent.call('tasks/pushNotificationConfig/list', { id })) as { configs: unknown[] };
    expect(configs).toHaveLength(1);
    await agent.call('tasks/pushNotificationConfig/delete', one);
    const canceled = await agent.call('tasks/cancel', { id });
    expect(canceled).toMatchObject({ status: { state: 'TASK_STATE_CANCELLED' } });
    expect(asTask(canceled, agent)).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    expect(bench.tickets).toEqual([]);
  });

  it('streams', async () => {
    const { agent } = await meet();
    const events = await read(agent.call('message/stream', inProto('hello')));
    expect(events.at(-1)).toMatchObject({ statusUpdate: { final: true } });
    expect(toV1(events.at(-1), agent.interface)).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    expect(bench.tickets).toEqual([]);
  });

  it('subscribes to a task', async () => {
    const { agent } = await meet();
    const slow = { ...inProto('slow'), configuration: { blocking: false } };
    const { id } = asTask(await agent.call('message/send', slow), agent);
    const events = agent.call('tasks/resubscribe', { id }) as AsyncGenerator<object>;
    expect(asTask((await events.next()).value, agent)).toMatchObject({ id });
    await events.return(undefined);
    await agent.call('tasks/cancel', { id });
  });

  it('answers with its own error, which has a code and a message and no envelope', async () => {
    const { agent } = await meet();
    const ticket = await bench.ticketOf(agent.call('GetTask', { id: 'nobody' }) as Promise<unknown>);
    expect(ticket).toMatchObject({ layer: 'agent', code: 'TaskNotFoundError', jsonRpcCode: -32001 });
  });

  it.each([
    ['a stream that the card does not declare', 'message/stream', inProto('x'), 'capability', undefined],
    ['a message without parts', 'message/send', inProto('x', { content: [] }), 'traffic', '/message/content'],
    [
      'a part with two contents',
      'message/send',
      inProto('x', { content: [{ text: 'x', data: { data: {} } }] }),
      'traffic',
      '/message/content/0/kind',
    ],
    [
      'a message in the shape of 1.0, but for its role',
      'message/send',
      inProto('x', { role: 'ROLE_NOBODY' }),
      'traffic',
      '/message/role',
    ],
    ['a list of tasks, which 0.3 has no agreed form for', 'ListTasks', {}, 'interface', ''],
    [
      'a question for a config without its id',
      'tasks/pushNotificationConfig/get',
      { id: 't' },
      'traffic',
      '/pushNotificationConfigId',
    ],
    [
      'what readers may take for one thing or another: content and parts',
      'message/send',
      inProto('x', { content: [{ file: { fileWithBytes: 'eA==', mimeType: 'image/png' } }], parts: [{ text: 'x' }] }),
      'traffic',
      '/message',
    ],
    [
      'the same in a file',
      'message/send',
      inProto('x', { content: [{ file: { fileWithUri: 'http://10.0.0.1/', uri: 'https://ok.example' } }] }),
      'traffic',
      '/message/content/0/file',
    ],
    [
      'a kind beside content',
      'message/send',
      { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }], content: [] } },
      'traffic',
      '/message',
    ],
    [
      'a part whose kind is not all that it holds',
      'message/send',
      inProto('x', {
        content: [{ kind: 'text', text: 'x', file: { uri: 'https://x.example', mimeType: 'image/png' } }],
      }),
      'traffic',
      '/message/content/0',
    ],
    ...['push_notification', 'push_notification_config'].map(
      (name): [string, string, object, string, string | undefined] => [
        `the snake_case member ${name}, which readers take as well`,
        'message/send',
        { ...inProto('x'), configuration: { [name]: { url: 'https://hooks.example/in' } } },
        'traffic',
        `/configuration/${name}`,
      ],
    ),
    ['a task id in snake_case', 'message/send', inProto('x', { task_id: 't' }), 'traffic', '/message/task_id'],
    ['an id that is a dot', 'tasks/get', { id: '..' }, 'traffic', '/id'],
  ])('is not sent %s', async (_, method, params, layer, path) => {
    const { server, agent } = await meet({ capabilities: { pushNotifications: true } });
    const call = agent.call(method, params);
    const ticket = await bench.ticketOf(
      Symbol.asyncIterator in call && !('then' in call) ? read(call) : (call as Promise<unknown>),
    );
    expect(ticket).toMatchObject({ layer, blocked: true });
    if (path !== undefined) expect(ticket.findings[0]?.path).toBe(path);
    expect(server.requests).toEqual([]);
  });
});

describe('on the wire of HTTP+JSON 0.3', () => {
  const TASK = { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } };
  const PROTO_TASK = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
  const message = { messageId: 'm', contextId: 'c', role: 'ROLE_AGENT', content: [{ text: 'x' }] };

  async function talk(body: unknown, status = 200) {
    const server = await startServer((_, response) => answer(response, body, status));
    const supportedInterfaces = [{ ...INTERFACE, url: `${server.origin}/api/` }];
    const defaultOutputModes = ['text/plain', 'application/json'];
    const agent = await bench.guard(SPEAKS).agent({ ...sampleCard(''), defaultOutputModes, supportedInterfaces });
    return { server, agent };
  }

  it.each([
    ['a bare task of the text', TASK],
    ['a wrapped task of the text', { task: TASK }],
    ['a wrapped task of the proto', { task: PROTO_TASK }],
    ['a wrapped message of the proto', { message }],
    [
      'every sort of part of the proto',
      {
        task: {
          ...PROTO_TASK,
          history: [
            { ...message, content: [{ file: { fileWithUri: 'https://x.example/f', mimeType: 'text/plain' } }] },
          ],
          artifacts: [{ artifactId: 'a', parts: [{ data: { data: { a: 1 } } }, { file: { fileWithBytes: 'eA==' } }] }],
        },
      },
    ],
  ])('%s is right', async (_, body) => {
    const { server, agent } = await talk(body);
    expect(await agent.call('message/send', inText('x'))).toEqual(body);
    expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/api/v1/message:send' });
    expect(server.seen[0]?.headers['a2a-version']).toBeUndefined();
    expect(bench.tickets).toEqual([]);
    await server.close();
  });

  it.each([
    ['a wrapper with two members', { task: PROTO_TASK, message }, '/kind'],
    ['nothing', {}, '/kind'],
    ['a task without a state', { task: { ...PROTO_TASK, status: {} } }, '/task/status/state'],
    ['a state that is none', { task: { ...PROTO_TASK, status: { state: 'TASK_STATE_DONE' } } }, '/task/status/state'],
    ['a message without content', { message: { ...message, content: undefined } }, '/message/content'],
    ['a part of two', { message: { ...message, content: [{ text: 'x', file: {} }] } }, '/message/content/0/kind'],
    [
      'a file without a content',
      { message: { ...message, content: [{ file: { mimeType: 'text/plain' } }] } },
      '/message/content/0/file',
    ],
    ['a kind that is another', { task: { ...TASK, kind: 'message' } }, '/task/kind'],
    ['content and parts', { message: { ...message, parts: [{ text: 'y' }] } }, '/message'],
    [
      'a state of mixed letters',
      { task: { ...PROTO_TASK, status: { state: 'TASK_STATE_completed' } } },
      '/task/status/state',
    ],
  ])('%s is refused, and its place is named as the wire has it', async (_, body, path) => {
    const { server, agent } = await talk(body);
    const ticket = await bench.ticketOf(agent.call('message/send', inText('x')) as Promise<unknown>);
    expect(ticket).toMatchObject({ layer: 'traffic', direction: 'incoming', code: 'InvalidAgentResponseError' });
    expect(ticket.findings.map((finding) => finding.path)).toContain(path);
    await server.close();
  });

  it('a tenant, which 0.3 does not have, is not in the path', async () => {
    const server = await startServer((_, response) => answer(response, { task: PROTO_TASK }));
    const supportedInterfaces = [{ ...INTERFACE, url: server.origin, tenant: 'north' }];
    const agent = await bench.guard(SPEAKS).agent({ ...sampleCard(''), supportedInterfaces });
    await agent.call('message/send', inProto('x'));
    expect(server.seen[0]?.path).toBe('/v1/message:send');
    await server.close();
  });

  it('another task than the one that was asked for is refused', async () => {
    const { server, agent } = await talk({ ...PROTO_TASK, id: 'other' });
    const ticket = await bench.ticketOf(agent.call('tasks/get', { id: 't' }) as Promise<unknown>);
    expect(ticket.findings).toMatchObject([{ id: 'task-continuity', path: '/id' }]);
    await server.close();
  });
});

describe('guard.fetch on HTTP+JSON 0.3', () => {
  it('the client of the SDK sends and streams as it does without the guard', async () => {
    const { server } = await meet();
    const guard = bench.guard(SPEAKS);
    const rest = new RestTransportFactory({ fetchImpl: guard.fetch, legacyCompat: { enabled: true } });
    const client = await new ClientFactory(guardedOptions(guard, { transports: [rest] })).createFromUrl(server.origin);
    expect(await client.sendMessage(say('hello'))).toMatchObject({ status: { state: TaskState.TASK_STATE_COMPLETED } });
    expect((await collect(client.sendMessageStream(say('hello')))).length).toBeGreaterThan(1);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST /v1/message:send', 'POST /v1/message:stream']);
    expect(bench.tickets).toEqual([]);
  });

  async function open(body: unknown, options: GuardOptions = {}, version = '0.3') {
    const server = await startServer((_, response) => answer(response, body));
    const guard = bench.guard({ speaks: [{ binding: 'HTTP+JSON', versions: ['1.0', '0.3'] }], ...options });
    const supportedInterfaces = [{ ...INTERFACE, protocolVersion: version, url: `${server.origin}/api` }];
    await guard.agent({ ...sampleCard(''), capabilities: {}, supportedInterfaces });
    const post = (path: string, params: object): Promise<Response> =>
      guard.fetch(`${server.origin}/api${path}`, { method: 'POST', body: JSON.stringify(params) });
    return { server, post };
  }
  const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };

  it('a legal call passes unchanged', async () => {
    const { server, post } = await open({ task });
    expect(await (await post('/v1/message:send', inProto('x'))).json()).toEqual({ task });
    expect(server.seen).toHaveLength(1);
    expect(bench.tickets).toEqual([]);
    await server.close();
  });

  it('a bad answer and an undeclared stream reject', async () => {
    const { server, post } = await open({ task: {} });
    expect(await bench.ticketOf(post('/v1/message:send', inProto('x')))).toMatchObject({ layer: 'traffic' });
    bench.tickets.splice(0);
    expect(await bench.ticketOf(post('/v1/message:stream', inProto('x')))).toMatchObject({ layer: 'capability' });
    expect(server.seen).toHaveLength(1);
    await server.close();
  });

  it('a refusal in the place of the agent has the form of 0.3', async () => {
    const { server, post } = await open({ task }, { refuse: 'answer' });
    const response = await post('/v1/message:stream', inProto('x'));
    expect(await response.json()).toMatchObject({ code: -32004, message: expect.stringContaining('capability') });
    expect(server.seen).toEqual([]);
    await server.close();
  });

  it.each(['/v1/message%3Asend', '/v1/message:send/', '/v1/m%65ssage:send'])(
    'another spelling of the path is the same call: %s',
    async (path) => {
      const { server, post } = await open({ task });
      expect(await bench.ticketOf(post(path, {}))).toMatchObject({ layer: 'traffic', blocked: true });
      expect(server.seen).toEqual([]);
      await server.close();
    },
  );

  it.each([
    ['a path of 1.0 on an interface of 0.3', '0.3', '/message:send'],
    ['a path of 0.3 on an interface of 1.0', '1.0', '/v1/message:send'],
  ])('%s is named as such', async (_, version, path) => {
    const { server, post } = await open({ task }, {}, version);
    const ticket = await bench.ticketOf(post(path, inProto('x')));
    expect(ticket).toMatchObject({ layer: 'interface', blocked: true, findings: [{ id: 'interface-dialect' }] });
    expect(server.seen).toEqual([]);
    await server.close();
  });
});
