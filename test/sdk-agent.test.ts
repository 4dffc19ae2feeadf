import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Agent, Preset, StreamResponse } from '../src/index.ts';
import { kindsOf, read, say, statesOf, taskOf, useBench, withInterface } from './support/sdk-agent.ts';

const HOOK = 'https://hooks.example.com/a2a';
const { tickets, guard, meet, ticketOf } = useBench();

describe.each<Preset>(['strict', 'interop'])('a correct SDK agent raises no ticket (%s)', (preset) => {
  let agent: Agent;

  beforeAll(async () => {
    ({ agent } = await meet({ extendedCard: { version: '2.3.1' } }, { preset }));
  });
  afterEach(() => expect(tickets.splice(0)).toEqual([]));

  it('its card passes both passes without a warning', () => {
    const { schemaPass, specChecks, findings, next } = agent.report;
    expect({ schemaPass, findings, next }).toEqual({ schemaPass: true, findings: [], next: 'delegate' });
    expect(specChecks.filter(({ pass }) => !pass)).toEqual([]);
  });

  it('SendMessage returns the finished task with its artifact', async () => {
    const task = await taskOf(agent, 'hello');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task.artifacts?.[0]?.parts).toEqual([{ text: 'Parcel 42 is in Turin.', mediaType: 'text/plain' }]);
  });

  it('SendMessage returns a lone message', async () => {
    const { message } = await agent.sendMessage(say('message'));
    expect(message?.role).toBe('ROLE_AGENT');
  });

  for (const word of ['ask', 'login']) {
    it(`SendMessage "${word}" returns a task that waits for the caller, and the answer goes to the same task`, async () => {
      const asked = await taskOf(agent, word);
      expect(asked.status.state).toMatch(/^TASK_STATE_(?:INPUT|AUTH)_REQUIRED$/);
      const { id: taskId, contextId = '' } = asked;
      const { task } = await agent.sendMessage(say('42', { taskId, contextId }));
      expect(task).toMatchObject({ id: taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' } });
    });
  }

  it('SendMessage returns at once when asked to, and without history when asked for none', async () => {
    const { id, status, history } = await taskOf(agent, 'slow', { returnImmediately: true, historyLength: 0 });
    expect({ state: status.state, history }).toEqual({ state: 'TASK_STATE_SUBMITTED', history: undefined });
    await agent.cancelTask({ id });
  });

  it('SendMessage takes a push configuration along', async () => {
    const { id: taskId } = await taskOf(agent, 'hello', { taskPushNotificationConfig: { url: HOOK } });
    expect((await agent.listTaskPushNotificationConfigs({ taskId })).configs).toMatchObject([{ taskId, url: HOOK }]);
  });

  it('SendMessage is the same operation under its 0.3 name', async () => {
    expect(await agent.call('message/send', say('hello'))).toHaveProperty('task');
  });

  it('SendStreamingMessage follows a task to its end', async () => {
    const events = await read(agent.sendStreamingMessage(say('hello')));
    expect(kindsOf(events)).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate']);
    expect(statesOf(events)).toEqual(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
  });

  it('SendStreamingMessage hands on a lone message', async () => {
    expect(kindsOf(await read(agent.sendStreamingMessage(say('message'))))).toEqual(['message']);
  });

  it('SendStreamingMessage may end at a question to the caller', async () => {
    expect(statesOf(await read(agent.sendStreamingMessage(say('ask')))).at(-1)).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  it('a stream that is left early can be taken up with SubscribeToTask', async () => {
    let id = '';
    for await (const { task } of agent.sendStreamingMessage(say('slow'))) {
      id = task?.id ?? '';
      break;
    }
    const events: StreamResponse[] = [];
    for await (const event of agent.subscribeToTask({ id })) {
      if (events.push(event) === 1) await agent.cancelTask({ id });
    }
    expect(kindsOf(events)[0]).toBe('task');
    expect(statesOf(events).at(-1)).toBe('TASK_STATE_CANCELED');
  });

  it('GetTask returns the task that was asked for, with as much history as was asked for', async () => {
    const { id } = await taskOf(agent, 'ask');
    expect((await agent.getTask({ id, historyLength: 1 })).history).toHaveLength(1);
    expect((await agent.getTask({ id, historyLength: 0 })).history).toBeUndefined();
  });

  it('ListTasks pages through the tasks of a context, with artifacts only when asked', async () => {
    const { contextId = '' } = await taskOf(agent, 'hello');
    await agent.sendMessage(say('hello', { contextId }));
    const first = await agent.listTasks({ contextId, pageSize: 1 });
    expect(first.tasks.map(({ artifacts }) => artifacts)).toEqual([undefined]);
    const rest = { contextId, pageSize: 1, pageToken: first.nextPageToken, includeArtifacts: true };
    const { nextPageToken, tasks } = await agent.listTasks(rest);
    expect({ nextPageToken, artifacts: tasks[0]?.artifacts?.length }).toEqual({ nextPageToken: '', artifacts: 1 });
  });

  it('ListTasks may find nothing', async () => {
    expect((await agent.listTasks({ contextId: crypto.randomUUID() })).tasks).toEqual([]);
  });

  it('CancelTask returns the canceled task, twice if need be', async () => {
    const { id } = await taskOf(agent, 'slow', { returnImmediately: true });
    expect((await agent.cancelTask({ id })).status.state).toBe('TASK_STATE_CANCELED');
    expect((await agent.cancelTask({ id })).status.state).toBe('TASK_STATE_CANCELED');
  });

  it('push configurations are created, read, listed and deleted', async () => {
    const { id: taskId } = await taskOf(agent, 'ask');
    const authentication = { scheme: 'Bearer', credentials: 'for-the-webhook' };
    const config = { id: 'first', taskId, url: HOOK, token: 'seen', authentication };
    expect(await agent.createTaskPushNotificationConfig(config)).toEqual(config);
    expect(await agent.getTaskPushNotificationConfig({ id: 'first', taskId })).toEqual(config);
    expect(await agent.listTaskPushNotificationConfigs({ taskId })).toEqual({ configs: [config] });
    expect(await agent.deleteTaskPushNotificationConfig({ id: 'first', taskId })).toBeUndefined();
    expect(await agent.listTaskPushNotificationConfigs({ taskId })).toEqual({});
  });

  it('GetExtendedAgentCard returns the extended card', async () => {
    expect((await agent.getExtendedAgentCard()).version).toBe('2.3.1');
  });
});

describe('what the interface says is in every request', () => {
  it('its tenant, exactly as it is in the card', async () => {
    const { server, agent } = await meet({ card: withInterface({ tenant: 'acme' }), extendedCard: {} });
    const { id } = await taskOf(agent, 'hello');
    await agent.getTask({ id });
    await agent.listTasks();
    await agent.createTaskPushNotificationConfig({ taskId: id, url: HOOK });
    await agent.getExtendedAgentCard();
    const tenants = server.requests.map(({ params }) => (params as { tenant?: unknown }).tenant);
    expect({ tenants, tickets }).toEqual({ tenants: Array(5).fill('acme'), tickets: [] });
  });

  it('no tenant when the card has none, and always the version', async () => {
    const { server, agent } = await meet();
    await agent.sendMessage(say('hello'));
    expect(server.requests[0]?.params).not.toHaveProperty('tenant');
    expect(server.requests[0]?.headers['a2a-version']).toBe('1.0');
  });
});

describe('an error of the agent is named as the agent names it, at layer agent', () => {
  const NOT_FOUND = { code: 'TaskNotFoundError', jsonRpcCode: -32001 };
  const NOT_CANCELABLE = { code: 'TaskNotCancelableError', jsonRpcCode: -32002 };
  const UNSUPPORTED = { code: 'UnsupportedOperationError', jsonRpcCode: -32004 };
  const NOT_CONFIGURED = { code: 'ExtendedAgentCardNotConfiguredError', jsonRpcCode: -32007 };
  let agent: Agent;
  /** The same agent, met by a guard that has seen none of its tasks. */
  let stranger: Agent;
  let done = '';

  beforeAll(async () => {
    const met = await meet();
    agent = met.agent;
    stranger = await guard().discover(met.server.origin);
    ({ id: done } = await taskOf(agent, 'hello'));
  });

  // biome-ignore format: a table reads as a table
  const ERRORS: readonly { name: string; want: object; call: () => Promise<unknown> }[] = [
    { name: 'GetTask of an unknown task', want: NOT_FOUND, call: () => agent.getTask({ id: 'nowhere' }) },
    { name: 'CancelTask of an unknown task', want: NOT_FOUND, call: () => agent.cancelTask({ id: 'nowhere' }) },
    { name: 'SubscribeToTask of an unknown task', want: NOT_FOUND, call: () => read(agent.subscribeToTask({ id: 'nowhere' })) },
    { name: 'SendMessage to an unknown task', want: NOT_FOUND, call: () => agent.sendMessage(say('hello', { taskId: 'nowhere' })) },
    { name: 'SendStreamingMessage to an unknown task', want: NOT_FOUND, call: () => read(agent.sendStreamingMessage(say('hello', { taskId: 'nowhere' }))) },
    { name: 'a push configuration for an unknown task', want: NOT_FOUND, call: () => agent.createTaskPushNotificationConfig({ taskId: 'nowhere', url: HOOK }) },
    { name: 'CancelTask of a finished task', want: NOT_CANCELABLE, call: () => agent.cancelTask({ id: done }) },
    { name: 'SubscribeToTask of a task whose end was not seen', want: UNSUPPORTED, call: () => read(stranger.subscribeToTask({ id: done })) },
    { name: 'SendMessage to a task whose end was not seen', want: UNSUPPORTED, call: () => stranger.sendMessage(say('hello', { taskId: done })) },
    { name: 'an extended card that is declared and not configured', want: NOT_CONFIGURED, call: () => agent.getExtendedAgentCard() },
  ];

  for (const { name, want, call } of ERRORS) {
    it(name, async () => {
      const facts = { layer: 'agent', severity: 'error', blocked: false, outcome: 'answered' };
      expect(await ticketOf(call())).toMatchObject({ ...want, ...facts });
    });
  }

  it.each([
    ['a subscription', () => read(agent.subscribeToTask({ id: done }))],
    ['a message', () => agent.sendMessage(say('hello', { taskId: done }))],
  ])('%s to a task whose end was seen is refused here', async (_, call) => {
    const facts = { layer: 'traffic', direction: 'outgoing', blocked: true, outcome: 'not-sent' };
    expect(await ticketOf(call())).toMatchObject({ ...UNSUPPORTED, ...facts });
  });

  it('a version that the SDK does not match is its VersionNotSupportedError', async () => {
    const { agent: patched } = await meet({ card: withInterface({ protocolVersion: '1.0.1' }) });
    const want = { layer: 'agent', code: 'VersionNotSupportedError', jsonRpcCode: -32009 };
    expect(await ticketOf(patched.getTask({ id: 'any' }))).toMatchObject(want);
  });

  // The SDK breaks a stream off with an event that is named "error" and holds a JSON-RPC error.
  it('an error in the middle of a stream', async () => {
    const want = { ...UNSUPPORTED, layer: 'agent' };
    expect(await ticketOf(read(agent.sendStreamingMessage(say('twice'))))).toMatchObject(want);
  });
});

describe('a task that fails is delivered, with one ticket at layer agent', () => {
  const ENDS: readonly { word: string; state: string; code: string }[] = [
    { word: 'fail', state: 'TASK_STATE_FAILED', code: 'TaskFailed' },
    { word: 'crash', state: 'TASK_STATE_FAILED', code: 'TaskFailed' },
    { word: 'reject', state: 'TASK_STATE_REJECTED', code: 'TaskRejected' },
  ];

  for (const { word, state, code } of ENDS) {
    it(`SendMessage "${word}": ${state} is no error of the call`, async () => {
      const { agent } = await meet();
      const { id: taskId, status } = await taskOf(agent, word);
      expect(status.state).toBe(state);
      expect(tickets).toMatchObject([{ layer: 'agent', code, severity: 'warn', blocked: false, taskId }]);
    });

    it(`SendStreamingMessage "${word}": the stream ends with ${state}`, async () => {
      const { agent } = await meet();
      expect(statesOf(await read(agent.sendStreamingMessage(say(word)))).at(-1)).toBe(state);
      expect(tickets).toMatchObject([{ layer: 'agent', code, severity: 'warn', blocked: false }]);
    });
  }

  it('the words of the agent stay out of the ticket', async () => {
    const { agent } = await meet();
    await agent.sendMessage(say('crash'));
    expect(JSON.stringify(tickets)).not.toContain('crashed');
  });
});

describe('what stands between the guard and the agent is not the agent', () => {
  it('a body that the web server refuses is a failure of the transport', async () => {
    const { agent } = await meet();
    const ticket = await ticketOf(agent.sendMessage(say(`hello ${'.'.repeat(200_000)}`)));
    expect(ticket).toMatchObject({ layer: 'transport', code: 'TransportError', httpStatus: 413, retryable: false });
  });

  it('a caller who stops a call gets a ticket that does not blame the agent', async () => {
    const { server, agent } = await meet();
    const stop = new AbortController();
    const call = agent.sendMessage(say('slow'), { signal: stop.signal });
    await vi.waitUntil(() => server.requests.length > 0);
    stop.abort();
    const findings = [{ id: 'wire-aborted' }];
    expect(await ticketOf(call)).toMatchObject({ layer: 'transport', outcome: 'unknown', next: 'none', findings });
  });
});
