import type { ServerResponse } from 'node:http';
import { interceptors, Agent as Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import type { GuardOptions } from '../src/index.ts';
import { read, sampleCard, say, useBench } from './support/sdk-agent.ts';
import { answer, type SeenRequest, startServer } from './support/server.ts';

const bench = useBench();
const TASK = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };

const toRpc = ({ body }: SeenRequest, result: object): object => ({
  jsonrpc: '2.0',
  id: (JSON.parse(body) as { id: unknown }).id,
  result,
});

/** Two informational responses, which say nothing of the one that follows. */
function sayEarly(response: ServerResponse): void {
  response.writeProcessing();
  response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
}

async function meet(handler: (request: SeenRequest, response: ServerResponse) => void, options: GuardOptions = {}) {
  const server = await startServer((request, response) => {
    sayEarly(response);
    handler(request, response);
  });
  const card = { ...sampleCard(`${server.origin}/a2a`), capabilities: { streaming: true } };
  return { server, agent: await bench.guard({ retry: false, ...options }).agent(card) };
}

describe('informational responses (1xx) are passed over', () => {
  it('before an answer', async () => {
    const { server, agent } = await meet((request, response) => answer(response, toRpc(request, TASK)));
    expect(await agent.getTask({ id: 't' })).toEqual(TASK);
    await server.close();
  });

  it('before a stream', async () => {
    const { server, agent } = await meet((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(toRpc(request, { task: TASK }))}\n\n`);
    });
    expect(await read(agent.sendStreamingMessage(say('hello')))).toEqual([{ task: TASK }]);
    await server.close();
  });

  it('and an interceptor that passes on nothing else ends the call, not its waiting', async () => {
    const { server, agent } = await meet((request, response) => answer(response, toRpc(request, TASK)), {
      dispatcher: new Pool().compose(interceptors.retry({ minTimeout: 10, maxRetries: 1 })),
    });
    const call = { timeoutMs: 5000 };
    const unary = await bench.ticketOf(agent.getTask({ id: 't' }, call));
    expect(unary).toMatchObject({ layer: 'transport', outcome: 'unknown' });
    expect(unary.durationMs).toBeLessThan(2000);
    bench.tickets.splice(0);
    const stream = await bench.ticketOf(read(agent.sendStreamingMessage(say('hello'), call)));
    expect(stream).toMatchObject({ layer: 'transport', outcome: 'unknown' });
    expect(stream.durationMs).toBeLessThan(2000);
    await server.close();
  });

  it('before a refusal', async () => {
    const { server, agent } = await meet((_, response) =>
      answer(response, 'no', 403, { 'content-type': 'text/plain' }),
    );
    expect(await bench.ticketOf(agent.getTask({ id: 't' }))).toMatchObject({ httpStatus: 403, layer: 'transport' });
    await server.close();
  });
});
