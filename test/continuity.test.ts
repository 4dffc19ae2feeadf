import { afterEach, describe, expect, it } from 'vitest';
import type { Agent, AgentCard, GuardOptions } from '../src/index.ts';
import { readChallenges, readRetryAfter } from '../src/traffic/response-headers.ts';
import { sampleCard, say, useBench } from './support/sdk-agent.ts';
import { answer, startServer, type TestServer } from './support/server.ts';

const bench = useBench();
const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

type Reply = (method: string, params: { id?: string; pageToken?: string }, count: number) => object;

/** An agent that answers JSON-RPC with what `reply` returns: a result, or an object with a member `error`. */
async function talk(
  reply: Reply,
  options: GuardOptions = {},
  headers: Record<string, string> = {},
  card: Partial<AgentCard> = {},
): Promise<Agent> {
  let count = 0;
  const server = await startServer(({ body }, response) => {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: { id?: string } };
    const said = reply(method, params, count++);
    const failed = 'error' in said;
    const status = failed && headers.status !== undefined ? Number(headers.status) : 200;
    answer(response, { jsonrpc: '2.0', id, ...(failed ? said : { result: said }) }, status, {
      'content-type': 'application/json',
      ...headers,
    });
  });
  servers.push(server);
  return bench.guard(options).agent({
    ...sampleCard(`${server.origin}/a2a`),
    capabilities: {},
    ...card,
  });
}

const task = (state: string, more: object = {}): object => ({
  id: 't',
  contextId: 'c',
  status: { state: `TASK_STATE_${state}` },
  ...more,
});

describe('what an agent said of a task before is held against what it says now', () => {
  it('a terminal state that comes back as another is refused', async () => {
    const agent = await talk((_method, _params, count) => task(count === 0 ? 'COMPLETED' : 'WORKING'));
    await agent.getTask({ id: 't' });
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }));
    expect(ticket).toMatchObject({
      layer: 'traffic',
      direction: 'incoming',
      code: 'InvalidAgentResponseError',
      taskId: 't',
    });
    expect(ticket.findings[0]).toMatchObject({ id: 'task-terminal', path: '/status/state' });
  });

  it('an older answer that was on its way when the end came is no fault', async () => {
    const agent = await talk((_method, _params, count) => task(count === 0 ? 'WORKING' : 'COMPLETED'));
    const late = agent.getTask({ id: 't' });
    await agent.getTask({ id: 't' });
    expect((await late).status.state).toMatch(/WORKING|COMPLETED/);
    expect(bench.tickets).toEqual([]);
  });

  it('a context that a task shows later counts from then on', async () => {
    const contexts = [undefined, 'c', 'other'];
    const agent = await talk((_method, _params, count) => task('WORKING', { contextId: contexts[count] }));
    await agent.getTask({ id: 't' });
    await agent.getTask({ id: 't' });
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }));
    expect(ticket.findings[0]).toMatchObject({ id: 'context-continuity', path: '/contextId' });
  });

  it('a task in another context than before is refused', async () => {
    const agent = await talk((_method, _params, count) => task('WORKING', { contextId: `c${count}` }));
    await agent.getTask({ id: 't' });
    expect((await bench.ticketOf(agent.getTask({ id: 't' }))).findings[0]).toMatchObject({
      id: 'context-continuity',
      path: '/contextId',
    });
  });

  it('a message to a task that has ended is not sent', async () => {
    const agent = await talk(() => task('FAILED'));
    await agent.getTask({ id: 't' });
    bench.tickets.splice(0);
    const ticket = await bench.ticketOf(agent.sendMessage(say('more', { taskId: 't' })));
    expect(ticket).toMatchObject({ code: 'UnsupportedOperationError', jsonRpcCode: -32004, blocked: true });
    expect(servers[0]?.seen).toHaveLength(1);
  });

  it('rules make it a warning', async () => {
    const agent = await talk(() => task('COMPLETED'), { rules: { 'task-terminal': 'warn' } });
    await agent.getTask({ id: 't' });
    expect(agent.admit('SendMessage', say('more', { taskId: 't' })).ok).toBe(true);
  });

  it('a failed task is reported once, however often it is asked for', async () => {
    const agent = await talk(() => task('REJECTED'));
    for (let i = 0; i < 3; i += 1) await agent.getTask({ id: 't' });
    expect(bench.tickets.map(({ layer, code, severity }) => [layer, code, severity])).toEqual([
      ['agent', 'TaskRejected', 'warn'],
    ]);
  });
});

describe('pages of a list of tasks', () => {
  const page = (nextPageToken: string): object => ({
    tasks: [task('WORKING', { id: nextPageToken || 'last' })],
    nextPageToken,
    pageSize: 1,
    totalSize: 3,
  });

  it('are all there with for await', async () => {
    const agent = await talk((_method, { pageToken = '' }) => page({ '': 'a', a: 'b', b: '' }[pageToken] as string));
    const ids: string[] = [];
    for await (const { tasks } of agent.listTasks({ pageSize: 1 })) ids.push(...tasks.map(({ id }) => id));
    expect(ids).toEqual(['a', 'b', 'last']);
    expect(bench.tickets).toEqual([]);
  });

  it('are one page when awaited', async () => {
    const agent = await talk(() => page('a'));
    expect((await agent.listTasks()).nextPageToken).toBe('a');
    expect(servers[0]?.seen).toHaveLength(1);
  });

  it('that come round again are an error, not a loop', async () => {
    const agent = await talk((_method, { pageToken = '' }) => page({ '': 'a', a: 'b', b: 'a' }[pageToken] as string));
    const all = async (): Promise<void> => {
      for await (const _ of agent.listTasks());
    };
    expect((await bench.ticketOf(all())).findings[0]?.id).toBe('page-token');
    expect(servers[0]?.seen).toHaveLength(3);
  });
});

describe('the error of an agent', () => {
  it.each([
    ['the error of an undeclared operation', {}, -32603, true],
    ['the right error for an undeclared operation', {}, -32003, false],
    ['an error that contradicts a declared flag', { pushNotifications: true }, -32003, true],
    ['another error for a declared operation', { pushNotifications: true }, -32001, false],
  ])('%s', async (_, capabilities, code, wrong) => {
    const agent = await talk(() => ({ error: { code, message: 'no' } }), { mode: 'observe' }, {}, { capabilities });
    await agent.getTaskPushNotificationConfig({ taskId: 't', id: 'p' }).catch(() => {});
    const ids = bench.tickets.at(-1)?.findings.map(({ id }) => id);
    expect(ids?.includes('remote-wrong-error')).toBe(wrong);
  });

  it('says how long to wait and what to authenticate with, without secrets', async () => {
    const headers = {
      status: '401',
      'retry-after': '7',
      'www-authenticate': 'Bearer realm="parcels, all", error="invalid", Basic realm=desk',
    };
    const agent = await talk(() => ({ error: { code: -32000, message: 'no' } }), {}, headers);
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }));
    expect(ticket).toMatchObject({ layer: 'agent', httpStatus: 401, next: 'authenticate', retryAfterMs: 7000 });
    expect(ticket.challenges).toEqual([
      { scheme: 'Bearer', realm: 'parcels, all' },
      { scheme: 'Basic', realm: 'desk' },
    ]);
  });
});

describe('headers of an answer', () => {
  it.each([
    [undefined, undefined],
    ['120', 120_000],
    [' 5 ', 5000],
    ['soon', undefined],
    ['-1', undefined],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 30_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('Retry-After %s', (header, want) => expect(readRetryAfter(header, 30_000)).toBe(want));

  it.each([
    [undefined, []],
    ['Bearer', [{ scheme: 'Bearer' }]],
    ['Bearer realm="a \\" b"', [{ scheme: 'Bearer', realm: 'a \\" b' }]],
    ['Negotiate, Basic realm="x"', [{ scheme: 'Negotiate' }, { scheme: 'Basic', realm: 'x' }]],
    ['Digest realm="r", nonce="secret", Bearer', [{ scheme: 'Digest', realm: 'r' }, { scheme: 'Bearer' }]],
  ])('WWW-Authenticate %s', (header, want) => expect(readChallenges(header)).toEqual(want));
});
