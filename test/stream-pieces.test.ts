import { afterEach, describe, expect, it } from 'vitest';
import { FlatStream } from '../src/client/flat-stream.ts';
import type { AgentCard, StreamResponse } from '../src/index.ts';
import { sampleCard, say, useBench } from './support/sdk-agent.ts';
import { thrown } from './support/sdk-client.ts';
import { startServer, type TestServer } from './support/server.ts';

const bench = useBench();
let server: TestServer;
afterEach(() => server.close());

const update = (piece: number): object => ({
  artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: `a-${piece}`, parts: [{ text: 'x' }] } },
});
const TASK = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } };
const END = { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };

/** What an agent writes: a result in its envelope, or a text as it is. */
type Written = object | string;

/** Asks an agent that writes all of this at once, and leaves the connection open unless it is the end of the stream. */
async function ask(written: readonly Written[], { eventBytes = 10_000, ends = false } = {}) {
  const seen = { requests: 0, closed: Promise.resolve() };
  server = await startServer(({ body }, response) => {
    seen.requests += 1;
    seen.closed = new Promise((resolve) => response.on('close', resolve));
    const { id } = JSON.parse(body) as { id: number };
    const texts = written.map((event) =>
      typeof event === 'string' ? event : JSON.stringify({ jsonrpc: '2.0', id, result: event }),
    );
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(texts.map((text) => `data: ${text}\n\n`).join(''));
    if (ends) response.end();
  });
  const card: AgentCard = { ...sampleCard(`${server.origin}/a2a`), capabilities: { streaming: true } };
  const agent = await bench.guard({ limits: { eventBytes } }).agent(card);
  return { events: agent.sendStreamingMessage(say('go')), seen };
}

async function collect(events: AsyncIterable<StreamResponse>): Promise<{ came: unknown[]; error: unknown }> {
  const came: unknown[] = [];
  try {
    for await (const event of events) came.push(event);
  } catch (error) {
    return { came, error };
  }
  return { came, error: undefined };
}

describe('events that come in one piece', () => {
  it('are not handed on after a return that is on its way', async () => {
    const { events } = await ask([TASK, update(1), update(2)]);
    expect((await events.next()).value).toEqual(TASK);
    const [left, after] = [events.return(undefined), events.next()];
    expect(await left).toEqual({ done: true, value: undefined });
    expect(await after).toEqual({ done: true, value: undefined });
  });

  it('are handed on one by one, in their order', async () => {
    const { events } = await ask([TASK, update(1), update(2), END], { ends: true });
    expect(await collect(events)).toEqual({ came: [TASK, update(1), update(2), END], error: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it.each([
    ['that is not JSON', '{', 'wire-json'],
    ['that is too large', 'x'.repeat(20_000), 'wire-size'],
    ['at the wrong pointer', { task: 7 }, 'value-type'],
  ])('are handed on up to the one %s, which closes the connection', async (_, broken, id) => {
    const { events, seen } = await ask([TASK, update(1), broken, update(2)]);
    const { came, error } = await collect(events);
    expect(came).toEqual([TASK, update(1)]);
    expect(error).toMatchObject({ ticket: { findings: expect.arrayContaining([expect.objectContaining({ id })]) } });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    await seen.closed;
  });

  it('are not judged when the reader leaves before them, and the connection is closed', async () => {
    const { events, seen } = await ask([TASK, update(1), '{']);
    for await (const event of events) if ('artifactUpdate' in event) break;
    await seen.closed;
    expect(bench.tickets).toEqual([]);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});

describe('a stream is a generator', () => {
  it('that answers requests in their order, however many wait', async () => {
    const { events, seen } = await ask([TASK, update(1), update(2)]);
    const asked = [events.next(), events.next(), events.next(), events.return(), events.next()];
    const came = (await Promise.all(asked)).map(({ done, value }) => (done ? 'done' : value));
    expect(came).toEqual([TASK, update(1), update(2), 'done', 'done']);
    await seen.closed;
  });

  it('that ends for those who wait behind an error', async () => {
    const { events } = await ask([TASK, '{', update(1)]);
    const asked = await Promise.allSettled([events.next(), events.next(), events.next()]);
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(asked[2]).toMatchObject({ value: { done: true } });
  });

  it('that sends nothing when it is left before the first event', async () => {
    const { events, seen } = await ask([TASK]);
    expect(await events.return()).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(seen.requests).toBe(0);
  });

  it('that closes the connection when an error is thrown into it', async () => {
    const { events, seen } = await ask([TASK, update(1)]);
    await events.next();
    const reason = new Error('enough');
    expect(await thrown(events.throw(reason))).toBe(reason);
    await seen.closed;
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});

describe('requests for events', () => {
  it('are answered in their order, also one that is made while another is answered', async () => {
    const later: Promise<IteratorResult<number, void>>[] = [];
    let count = 0;
    const batch: Iterator<number, void> = {
      next() {
        count += 1;
        const value = count;
        if (value === 1) later.push(stream.next());
        return value > 3 ? { done: true, value: undefined } : { done: false, value };
      },
    };
    const stream = new FlatStream(
      (async function* () {
        yield batch;
      })(),
    );
    const asked = [stream.next(), stream.next()];
    const first = await Promise.all(asked);
    const rest = await Promise.all([...later, stream.next()]);
    expect([...first, ...rest].map(({ value }) => value)).toEqual([1, 2, 3, undefined]);
  });
});
