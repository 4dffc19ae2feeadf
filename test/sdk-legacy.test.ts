import { describe, expect, it } from 'vitest';
import { type Agent, type GuardOptions, toV1 } from '../src/index.ts';
import { type CardChanges, sampleCard, useBench } from './support/sdk-agent.ts';

const bench = useBench();
const SPEAKS: GuardOptions = { speaks: [{ binding: 'JSONRPC', versions: ['0.3'] }] };
const message = (text: string, more: object = {}): object => ({
  message: { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts: [{ kind: 'text', text }], ...more },
});

/** The official SDK's agent through its 0.3 compatibility. */
async function meet(more: CardChanges = {}): Promise<{ agent: Agent; requests: readonly { method: unknown }[] }> {
  const both = (url: string): CardChanges => ({
    ...more,
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
      url,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    })),
  });
  const server = await bench.start({ card: both, speaksOld: true });
  const agent = await bench.guard(SPEAKS).agent({ ...sampleCard(server.url), ...both(server.url) });
  return { agent, requests: server.requests };
}

async function read(events: unknown): Promise<{ kind?: string; final?: boolean }[]> {
  const seen: { kind?: string }[] = [];
  for await (const event of events as AsyncIterable<{ kind?: string }>) seen.push(event);
  return seen;
}

describe('a real agent that speaks 0.3', () => {
  it('answers a send with a bare task, as the wire has it', async () => {
    const { agent, requests } = await meet();
    const task = (await agent.call('SendMessage', message('hello'))) as { id: string };
    expect(task).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    expect(toV1(task)).toMatchObject({ id: task.id, status: { state: 'TASK_STATE_COMPLETED' } });
    expect(await agent.call('tasks/get', { id: task.id })).toMatchObject({ kind: 'task', id: task.id });
    expect(requests.map(({ method }) => method)).toEqual(['message/send', 'tasks/get']);
    expect(bench.tickets).toEqual([]);
  });

  it('streams events of 0.3', async () => {
    const { agent } = await meet();
    const events = await read(agent.call('message/stream', message('hello')));
    expect(events.map(({ kind }) => kind)).toContain('status-update');
    expect(events.at(-1)).toMatchObject({ kind: 'status-update', final: true });
    expect(bench.tickets).toEqual([]);
  });

  it('answers with its own error', async () => {
    const { agent } = await meet();
    expect(await bench.ticketOf(agent.call('GetTask', { id: 'nobody' }) as Promise<unknown>)).toMatchObject({
      layer: 'agent',
      code: 'TaskNotFoundError',
    });
  });

  it.each([
    ['a stream that the card does not declare', 'message/stream', message('hello'), 'capability'],
    [
      'a message in the shape of 1.0',
      'message/send',
      { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } },
      'traffic',
    ],
    [
      'a member in snake_case, which readers take as well',
      'message/send',
      { ...message('x'), configuration: { push_notification_config: { url: 'https://hooks.example/in' } } },
      'traffic',
    ],
    ['a list of tasks, which 0.3 does not have', 'ListTasks', {}, 'interface'],
  ])('is not sent %s', async (_, method, params, layer) => {
    const { agent, requests } = await meet({ capabilities: {} });
    const call = agent.call(method, params);
    const ticket = await bench.ticketOf(
      Symbol.asyncIterator in call && !('then' in call) ? read(call) : (call as Promise<unknown>),
    );
    expect(ticket).toMatchObject({ layer, blocked: true });
    expect(requests).toEqual([]);
  });
});
