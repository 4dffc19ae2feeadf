import { createServer } from 'node:net';
import { MockAgent } from 'undici';
import { describe, expect, it } from 'vitest';
import type { Agent, GuardOptions, RetryOptions } from '../src/index.ts';
import { read, sampleCard, say, useBench } from './support/sdk-agent.ts';
import { answer, startServer } from './support/server.ts';

const bench = useBench();
const quick: RetryOptions = { delayMs: 1, maxDelayMs: 2 };
const TASK = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };

/** An agent that fails as the list says, call by call, and then answers. `reset` breaks the connection. */
async function flaky(failures: readonly (number | 'reset')[], options: GuardOptions = {}, headers = {}) {
  const left = [...failures];
  const server = await startServer(({ body }, response) => {
    const failure = left.shift();
    if (failure === 'reset') return void response.destroy();
    if (failure !== undefined) return answer(response, 'busy', failure, { 'content-type': 'text/plain', ...headers });
    const { id, method } = JSON.parse(body) as { id: unknown; method: string };
    const result = method === 'SendMessage' ? { task: TASK } : TASK;
    answer(response, { jsonrpc: '2.0', id, result });
  });
  const agent = await bench.guard({ retry: quick, ...options }).agent(sampleCard(`${server.origin}/a2a`));
  return { server, agent };
}

describe('what is safe to repeat', () => {
  it.each([408, 429, 502, 503, 504, 'reset'] as const)('is sent again after %s', async (failure) => {
    const { server, agent } = await flaky([failure, failure]);
    expect(await agent.getTask({ id: 't' })).toEqual(TASK);
    expect(server.seen).toHaveLength(3);
    expect(new Set(server.seen.map(({ body }) => body)).size).toBe(1);
    expect(bench.tickets).toEqual([]);
    await server.close();
  });

  it('is given up after retry.attempts, and the ticket counts them', async () => {
    const { server, agent } = await flaky([503, 503, 503, 503]);
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }));
    expect(ticket).toMatchObject({ layer: 'transport', httpStatus: 503, attempts: 3, retryable: true, next: 'retry' });
    expect(server.seen).toHaveLength(3);
    await server.close();
  });

  it.each([400, 401, 404, 500, 501])('is not sent again after %i', async (status) => {
    const { server, agent } = await flaky([status]);
    expect(await bench.ticketOf(agent.getTask({ id: 't' }))).toMatchObject({ attempts: 1 });
    expect(server.seen).toHaveLength(1);
    await server.close();
  });

  it('is sent once with retry: false', async () => {
    const { server, agent } = await flaky([503], { retry: false });
    expect(await bench.ticketOf(agent.getTask({ id: 't' }))).toMatchObject({ attempts: 1 });
    expect(server.seen).toHaveLength(1);
    await server.close();
  });

  it('waits as long as Retry-After says', async () => {
    const { server, agent } = await flaky([429], {}, { 'retry-after': '1' });
    const start = performance.now();
    await agent.getTask({ id: 't' });
    expect(performance.now() - start).toBeGreaterThan(950);
    await server.close();
  });

  it.each([120, 99_999_999_999])('does not wait for a Retry-After beyond the budget: %i seconds', async (seconds) => {
    const { server, agent } = await flaky([429], {}, { 'retry-after': String(seconds) });
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }));
    expect(ticket).toMatchObject({ httpStatus: 429, attempts: 1, retryAfterMs: seconds * 1000, retryable: true });
    await server.close();
  });

  it('lets go of the streams in whose place it asks for another', async () => {
    let open = 0;
    const server = await startServer((_, response) => {
      open += 1;
      response.on('close', () => (open -= 1));
      response.writeHead(503, { 'content-type': 'text/plain' }).write('busy');
    });
    const guard = bench.guard({ retry: quick, limits: { idleMs: 1000 } });
    const agent = await guard.agent(sampleCard(`${server.origin}/a2a`));
    const ended = bench.ticketOf(read(agent.subscribeToTask({ id: 't' })));
    await expect.poll(() => server.seen.length).toBe(3);
    await expect.poll(() => open, { timeout: 500 }).toBe(1);
    await ended;
    await server.close();
  });

  it('does not mind that such a stream breaks while it waits for the next attempt', async () => {
    const server = await startServer((_, response) => {
      if (server.seen.length > 1) return answer(response, 'no', 403, { 'content-type': 'text/plain' });
      response.writeHead(503, { 'content-type': 'text/plain' }).write('busy');
      setTimeout(() => response.destroy(), 50);
    });
    const agent = await bench
      .guard({ retry: { ...quick, delayMs: 200, maxDelayMs: 200 } })
      .agent(sampleCard(`${server.origin}/a2a`));
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('uncaughtException', note);
    const ticket = await bench.ticketOf(read(agent.subscribeToTask({ id: 't' })));
    process.off('uncaughtException', note);
    expect(ticket).toMatchObject({ httpStatus: 403, attempts: 2 });
    expect(unhandled).toEqual([]);
    await server.close();
  });

  it('a signal that was there before Retry-After is not forgotten', async () => {
    const stop = new AbortController();
    const busy = {
      status: 429,
      header: (name: string) => (name === 'retry-after' ? '5' : undefined),
      body: new Uint8Array(),
    };
    const client = {
      request: async () => {
        stop.abort();
        return busy;
      },
      stream: () => expect.fail('no stream was asked for'),
    };
    const agent = await bench.guard({ client }).agent(sampleCard('http://127.0.0.1:1/a2a'));
    const started = performance.now();
    await bench.ticketOf(agent.getTask({ id: 't' }, { signal: stop.signal }));
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('stops when the caller does, between two attempts too', async () => {
    const { server, agent } = await flaky([503, 503], { retry: { ...quick, delayMs: 5000, maxDelayMs: 5000 } });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }, { signal: stop.signal }));
    expect(ticket).toMatchObject({ layer: 'transport', findings: [{ id: 'wire-aborted' }], attempts: 1 });
    expect(server.seen).toHaveLength(1);
    await server.close();
  });

  it('has no more time than the caller gives, all attempts together', async () => {
    const { server, agent } = await flaky([503, 503], { retry: { ...quick, delayMs: 400, maxDelayMs: 400 } });
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }, { timeoutMs: 300 }));
    expect(ticket.durationMs).toBeLessThan(1000);
    await server.close();
  });

  it('has what is left of that time for a later attempt', async () => {
    let calls = 0;
    const server = await startServer((_, response) => {
      calls += 1;
      if (calls === 1) setTimeout(() => answer(response, 'busy', 503), 500);
    });
    const agent = await bench.guard({ retry: quick }).agent(sampleCard(`${server.origin}/a2a`));
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }, { timeoutMs: 700 }));
    expect(ticket).toMatchObject({ findings: [{ id: 'wire-timeout' }], attempts: 2 });
    expect(ticket.durationMs).toBeLessThan(1000);
    await server.close();
  });

  it('a subscription is asked for again, and read once', async () => {
    const { server, agent } = await flaky([503, 503, 503]);
    const ticket = await bench.ticketOf(read(agent.subscribeToTask({ id: 't' })));
    expect(ticket).toMatchObject({ httpStatus: 503, attempts: 3 });
    expect(server.seen).toHaveLength(3);
    await server.close();
  });
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('a message', () => {
  const send = (agent: Agent): Promise<unknown> => agent.sendMessage(say('hello'));

  it.each([503, 'reset'] as const)('that may have arrived is not sent again after %s', async (failure) => {
    const { server, agent } = await flaky([failure]);
    expect(await bench.ticketOf(send(agent))).toMatchObject({ outcome: 'unknown', attempts: 1, retryable: false });
    expect(server.seen).toHaveLength(1);
    await server.close();
  });

  it('that never left is tried again', async () => {
    const server = await startServer((_, response) => answer(response, {}));
    await server.close();
    const agent = await bench.guard({ retry: quick }).agent(sampleCard(`${server.origin}/a2a`));
    expect(await bench.ticketOf(send(agent))).toMatchObject({ outcome: 'not-sent', attempts: 3, retryable: true });
  });

  it('is sent again where the agents deduplicate by messageId', async () => {
    const { server, agent } = await flaky([503, 'reset'], { retry: { ...quick, deduplicatesMessages: true } });
    expect(await send(agent)).toEqual({ task: TASK });
    expect(server.seen).toHaveLength(3);
    await server.close();
  });

  it('that may have arrived when the guard is closed is not said to be unsent', async () => {
    const { promise, resolve } = deferred();
    const server = await startServer(() => resolve());
    const guard = bench.guard({ retry: quick });
    const agent = await guard.agent(sampleCard(`${server.origin}/a2a`));
    const call = bench.ticketOf(send(agent));
    await promise;
    await guard.close();
    expect(await call).toMatchObject({ outcome: 'unknown', attempts: 1, retryable: false });
    bench.tickets.splice(0);
    const later = await bench.ticketOf(send(agent));
    expect(later).toMatchObject({ outcome: 'not-sent' });
    expect(later.message).toContain('the guard, or its dispatcher, was closed');
    expect(server.seen).toHaveLength(1);
    await server.close();
  });

  it('that arrived once is not said to be unsent when a later attempt cannot connect', async () => {
    const server = await startServer((_, response) => {
      response.destroy();
      void server.close();
    });
    const agent = await bench
      .guard({ retry: { ...quick, deduplicatesMessages: true } })
      .agent(sampleCard(`${server.origin}/a2a`));
    const ticket = await bench.ticketOf(send(agent));
    expect(ticket).toMatchObject({ outcome: 'unknown', attempts: 3 });
    expect(ticket.message).not.toContain('Nothing was sent');
    expect(server.seen).toHaveLength(1);
  });

  it('whose connection a dispatcher says was reset is not sent again, whether or not it says that it began', async () => {
    const mock = new MockAgent();
    mock.disableNetConnect();
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    mock.get('http://127.0.0.1:1').intercept({ path: '/a2a', method: 'POST' }).replyWithError(reset).times(3);
    const guard = bench.guard({ retry: quick, dispatcher: mock });
    const agent = await guard.agent(sampleCard('http://127.0.0.1:1/a2a'));
    expect(await bench.ticketOf(send(agent))).toMatchObject({ outcome: 'unknown', attempts: 1 });
    await mock.close();
  });

  it('is not tried again when the guard is closed while it connects', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const guard = bench.guard({ retry: quick });
    const agent = await guard.agent(sampleCard(`https://127.0.0.1:${port}/a2a`));
    const call = bench.ticketOf(send(agent));
    setTimeout(() => void guard.close(), 50);
    const ticket = await call;
    expect(ticket).toMatchObject({ outcome: 'not-sent', attempts: 1, findings: [{ id: 'wire-aborted' }] });
    silent.close();
  });

  it('is the only thing that deduplicatesMessages is about', async () => {
    const { server, agent } = await flaky([503], { retry: { ...quick, deduplicatesMessages: true } });
    const config = { taskId: 't', id: 'p', url: 'https://hooks.example/in' };
    expect(await bench.ticketOf(agent.createTaskPushNotificationConfig(config))).toMatchObject({ attempts: 1 });
    expect(server.seen).toHaveLength(1);
    await server.close();
  });

  it('that is refused is not tried at all', async () => {
    const { server, agent } = await flaky([]);
    expect((await bench.ticketOf(agent.sendMessage({} as never))).attempts).toBeUndefined();
    expect(server.seen).toEqual([]);
    await server.close();
  });
});

describe('a card', () => {
  it('is asked for again', async () => {
    const left = [503, 429];
    const server = await startServer((_, response) => {
      const status = left.shift();
      answer(response, status === undefined ? sampleCard(`${server.origin}/a2a`) : 'busy', status);
    });
    await bench.guard({ retry: quick }).discover(server.origin);
    expect(server.seen).toHaveLength(3);
    expect(bench.tickets).toEqual([]);
    await server.close();
  });

  it('is given up after retry.attempts', async () => {
    const server = await startServer((_, response) => answer(response, 'busy', 503));
    const ticket = await bench.ticketOf(bench.guard({ retry: { ...quick, attempts: 2 } }).discover(server.origin));
    expect(ticket).toMatchObject({ layer: 'discovery', httpStatus: 503, attempts: 2, retryable: true });
    expect(server.seen).toHaveLength(2);
    await server.close();
  });
});
