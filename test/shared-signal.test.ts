import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGuardError } from '../src/index.ts';
import { startCrookedAgent } from './support/crooked-agent.ts';
import { sampleCard, useBench } from './support/sdk-agent.ts';
import { answer, startServer, type TestServer } from './support/server.ts';

const bench = useBench();
const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER' as const, parts: [{ text: 'hello' }] };
/** More than the listeners that a platform takes for a leak. */
const MANY = 30;

const TASK = { task: { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } } };
const warnings: string[] = [];
const warn = ({ name }: Error): void => void warnings.push(name);
let server: TestServer;
beforeAll(async () => {
  process.on('warning', warn);
  server = await startCrookedAgent('JSONRPC', ({ response, events }) => {
    if (server.seen.at(-1)?.body.includes('Streaming') === true) events(TASK);
    else response.flushHeaders();
  });
});
afterAll(async () => {
  process.off('warning', warn);
  await server.close();
});

describe('one signal for many calls', () => {
  it.each(['discover', 'sendMessage', 'sendStreamingMessage'] as const)(
    '%s listens once, and not at all after it',
    async (name) => {
      const guard = bench.guard();
      const agent = await guard.discover(server.origin);
      const stop = new AbortController();
      const { signal } = stop;
      const call = async (): Promise<unknown> => {
        if (name === 'discover') return guard.discover(server.origin, { signal });
        if (name === 'sendMessage') return agent.sendMessage({ message: MESSAGE }, { signal });
        for await (const _ of agent.sendStreamingMessage({ message: MESSAGE }, { signal }));
        return undefined;
      };
      const calls = Array.from({ length: MANY }, call);
      await Promise.race([Promise.allSettled(calls), new Promise((done) => setTimeout(done, 300))]);
      expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
      stop.abort();
      const ends = await Promise.allSettled(calls);
      if (name !== 'discover') {
        for (const end of ends) expect(end.status === 'rejected' && isGuardError(end.reason)).toBe(true);
      }
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      expect(warnings).toEqual([]);
    },
  );

  it('nobody listens any more when calls ended by themselves, well or badly', async () => {
    const brief = await startServer(({ body }, response) => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      const done = { task: { ...TASK.task, status: { state: 'TASK_STATE_COMPLETED' } } };
      const text = JSON.stringify({ jsonrpc: '2.0', id, result: done });
      if (method === 'GetTask') response.destroy();
      else if (method === 'SendMessage') answer(response, text);
      else answer(response, `data: ${text}\n\n`, 200, { 'content-type': 'text/event-stream' });
    });
    const card = { ...sampleCard(`${brief.origin}/a2a`), capabilities: { streaming: true } };
    const agent = await bench.guard({ retry: false }).agent(card);
    const { signal } = new AbortController();
    const readStream = async (leaving: boolean): Promise<void> => {
      for await (const _ of agent.sendStreamingMessage({ message: MESSAGE }, { signal })) if (leaving) break;
    };
    const calls = [
      agent.sendMessage({ message: MESSAGE }, { signal }),
      readStream(false),
      readStream(true),
      agent.getTask({ id: 't-1' }, { signal }),
    ];
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await brief.close();
  });

  it('between attempts too', async () => {
    const busy = await startServer((_, response) => answer(response, 'busy', 503));
    const guard = bench.guard({ retry: { delayMs: 300, maxDelayMs: 300 } });
    const agent = await guard.agent(sampleCard(`${busy.origin}/a2a`));
    const stop = new AbortController();
    const calls = Array.from({ length: MANY }, () => agent.getTask({ id: 't' }, { signal: stop.signal }));
    await expect.poll(() => busy.seen.length).toBe(MANY);
    await new Promise((done) => setTimeout(done, 100));
    expect(getEventListeners(stop.signal, 'abort').length).toBeLessThanOrEqual(1);
    stop.abort();
    for (const end of await Promise.allSettled(calls)) expect(end.status).toBe('rejected');
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    expect(warnings).toEqual([]);
    await busy.close();
  });
});
