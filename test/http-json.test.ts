import { describe, expect, it } from 'vitest';
import type { Agent, SendMessageConfiguration } from '../src/index.ts';
import { type CardChanges, read, sampleCard, say, statesOf, useBench } from './support/sdk-agent.ts';
import { answer, startServer } from './support/server.ts';

const bench = useBench();
const speaks = [{ binding: 'HTTP+JSON', versions: ['1.0'] }];

const rest =
  (more: CardChanges = {}) =>
  (url: string): CardChanges => ({
    ...more,
    supportedInterfaces: [{ url: url.replace('/a2a', '/rest'), protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
  });

async function meet(more: CardChanges = {}, extendedCard: CardChanges = {}) {
  return bench.meet({ card: rest(more), extendedCard }, { speaks });
}

async function taskId(agent: Agent, text: string, configuration: SendMessageConfiguration): Promise<string> {
  const { task } = await agent.sendMessage({ ...say(text), configuration });
  return task?.id ?? expect.fail('the agent answered with a message');
}

describe('the HTTP+JSON binding of a real agent', () => {
  it('carries every operation', async () => {
    const { server, agent } = await meet();
    const id = await taskId(agent, 'slow', { returnImmediately: true });
    expect((await agent.getTask({ id, historyLength: 1 })).id).toBe(id);
    expect((await agent.listTasks({ pageSize: 5, includeArtifacts: true })).tasks.map((task) => task.id)).toContain(id);
    const config = await agent.createTaskPushNotificationConfig({
      taskId: id,
      id: 'p',
      url: 'https://hooks.example/in',
    });
    expect((await agent.getTaskPushNotificationConfig({ taskId: id, id: 'p' })).url).toBe(config.url);
    expect((await agent.listTaskPushNotificationConfigs({ taskId: id })).configs).toHaveLength(1);
    await agent.deleteTaskPushNotificationConfig({ taskId: id, id: 'p' });
    expect((await agent.cancelTask({ id })).status.state).toBe('TASK_STATE_CANCELED');
    expect((await agent.getExtendedAgentCard()).name).toBe('Parcel Desk');
    expect(server.requests.map(({ method }) => String(method).split(' ')[0])).toEqual([
      'POST',
      'GET',
      'GET',
      'POST',
      'GET',
      'GET',
      'DELETE',
      'POST',
      'GET',
    ]);
    expect(bench.tickets).toEqual([]);
  });

  it('streams', async () => {
    const { agent } = await meet();
    expect(statesOf(await read(agent.sendStreamingMessage(say('hello')))).at(-1)).toBe('TASK_STATE_COMPLETED');
    expect(bench.tickets).toEqual([]);
  });

  it('subscribes to a task', async () => {
    const { agent } = await meet();
    const id = await taskId(agent, 'slow', { returnImmediately: true });
    const events = agent.subscribeToTask({ id });
    expect((await events.next()).value?.task?.id).toBe(id);
    await events.return(undefined);
    await agent.cancelTask({ id });
  });

  it('reads the error of the agent by its reason', async () => {
    const { agent } = await meet();
    const ticket = await bench.ticketOf(agent.getTask({ id: 'nobody' }));
    expect(ticket).toMatchObject({ layer: 'agent', code: 'TaskNotFoundError', httpStatus: 404 });
    expect(ticket.rpcId).toBeUndefined();
  });

  it('refuses what the card does not allow, unseen by the agent', async () => {
    const { server, agent } = await meet({ capabilities: {} });
    const ticket = await bench.ticketOf(read(agent.subscribeToTask({ id: 't' })));
    expect(ticket).toMatchObject({ layer: 'capability', code: 'UnsupportedOperationError', blocked: true });
    expect(server.requests).toEqual([]);
  });
});

describe('on the wire', () => {
  async function talk(
    reply: (path: string) => [status: number, body: unknown, headers?: Record<string, string>],
    tenant?: string,
  ) {
    const server = await startServer(({ path }, response) => {
      const [status, body, headers] = reply(path);
      answer(response, body, status, headers);
    });
    const base = {
      url: `${server.origin}/api/`,
      protocolBinding: 'HTTP+JSON',
      protocolVersion: '1.0',
      ...(tenant && { tenant }),
    };
    const agent = await bench.guard({ speaks }).agent({
      ...sampleCard(''),
      capabilities: {},
      supportedInterfaces: [base],
    });
    return { server, agent };
  }
  const task = { id: 'a/b', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
  const a2a = { 'content-type': 'application/a2a+json' };

  it('ids are escaped, the tenant is the first part of the path, other params are the query', async () => {
    const { server, agent } = await talk(() => [200, task, a2a], 'north');
    await agent.getTask({ id: 'a/b', historyLength: 2 });
    expect(server.seen[0]).toMatchObject({ method: 'GET', path: '/api/north/tasks/a%2Fb?historyLength=2', body: '' });
    expect(server.seen[0]?.headers).toMatchObject({ 'a2a-version': '1.0' });
    expect(bench.tickets).toEqual([]);
    await server.close();
  });

  it('the body of a send has the params without the tenant', async () => {
    const { server, agent } = await talk(() => [200, { task }, a2a]);
    const params = say('hello');
    await agent.sendMessage(params);
    expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/api/message:send' });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(params);
    await server.close();
  });

  it.each([
    [
      'a reason',
      400,
      {
        error: {
          code: 400,
          status: 'FAILED_PRECONDITION',
          message: 'no',
          details: [{ reason: 'UNSUPPORTED_OPERATION', domain: 'a2a-protocol.org' }],
        },
      },
      'UnsupportedOperationError',
      'agent',
    ],
    [
      'a status that only one error has',
      409,
      { error: { code: 409, status: 'ABORTED', message: 'no' } },
      'TaskNotCancelableError',
      'agent',
    ],
    ['an HTML page', 502, '<html>bad gateway</html>', 'TransportError', 'transport'],
    ['a task that is none', 200, {}, 'InvalidAgentResponseError', 'traffic'],
    ['nothing', 200, '', 'InvalidAgentResponseError', 'traffic'],
  ])('%s is named', async (_, status, body, code, layer) => {
    const { server, agent } = await talk(() => [status, body]);
    expect(await bench.ticketOf(agent.getTask({ id: 't' }))).toMatchObject({ code, layer });
    await server.close();
  });
});
