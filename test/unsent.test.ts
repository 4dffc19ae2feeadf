import { createServer } from 'node:net';
import { Agent as Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, CallOptions } from '../src/index.ts';
import { read, sampleCard, say, useBench } from './support/sdk-agent.ts';
import { answer, startServer } from './support/server.ts';

const bench = useBench();

/** A server that takes connections and never says a word of TLS: whoever asks it waits before anything is sent. */
const server = createServer((socket) => socket.on('error', () => {}));
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `https://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => void server.close());

const CALLS: Readonly<Record<string, (agent: Agent, call: CallOptions) => Promise<unknown>>> = {
  'a call': (agent, call) => agent.sendMessage(say('hello'), call),
  'a stream': (agent, call) => read(agent.sendStreamingMessage(say('hello'), call)),
};

const unreached = async (): Promise<Agent> => {
  const guard = bench.guard({ retry: false, limits: { connectMs: 10_000 } });
  return guard.agent({ ...sampleCard(`${origin}/a2a`), capabilities: { streaming: true } });
};

describe('a request that waits for its connection', () => {
  it.each(Object.entries(CALLS))('%s ends in time, and says that nothing was sent', async (_, run) => {
    const ticket = await bench.ticketOf(run(await unreached(), { timeoutMs: 100 }));
    expect(ticket).toMatchObject({ outcome: 'not-sent', retryable: true, findings: [{ id: 'wire-timeout' }] });
    expect(ticket.durationMs).toBeLessThan(2000);
  });

  it.each(Object.entries(CALLS))('%s ends when the caller stops it, and says that nothing was sent', async (_, run) => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const ticket = await bench.ticketOf(run(await unreached(), { signal: stop.signal }));
    expect(ticket).toMatchObject({ outcome: 'not-sent', retryable: false, findings: [{ id: 'wire-aborted' }] });
    expect(ticket.durationMs).toBeLessThan(2000);
  });
});

describe('a dispatcher', () => {
  it('that begins when the caller has stopped sends nothing', async () => {
    const server = await startServer((_, response) => answer(response, {}));
    const pool = new Pool();
    const late = { begun: false };
    const dispatcher = pool.compose((dispatch) => (options, handler) => {
      setTimeout(() => {
        late.begun = true;
        dispatch(options, handler);
      }, 100);
      return true;
    });
    const agent = await bench.guard({ retry: false, dispatcher }).agent(sampleCard(`${server.origin}/a2a`));
    const ticket = await bench.ticketOf(agent.sendMessage(say('hello'), { timeoutMs: 20 }));
    expect(ticket).toMatchObject({ outcome: 'not-sent', findings: [{ id: 'wire-timeout' }] });
    await expect.poll(() => late.begun).toBe(true);
    await pool.close();
    expect(server.seen).toEqual([]);
    await server.close();
  });

  it('that does not take the request is quoted', async () => {
    const pool = new Pool();
    const dispatcher = pool.compose(() => () => {
      throw Object.assign(new Error('invalid onError method'), { code: 'UND_ERR_INVALID_ARG' });
    });
    const agent = await bench.guard({ retry: false, dispatcher }).agent(sampleCard(`${origin}/a2a`));
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }));
    expect(ticket).toMatchObject({ layer: 'transport', outcome: 'not-sent' });
    expect(ticket.message).toContain('undici gave up: invalid onError method');
    await pool.close();
  });
});
