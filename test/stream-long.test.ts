import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { AgentCard } from '../src/index.ts';
import { sampleCard, say, useBench } from './support/sdk-agent.ts';
import { startServer } from './support/server.ts';

const bench = useBench();
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const MIB = 1024 * 1024;

const cardAt = (url: string): AgentCard => ({
  ...sampleCard(url),
  capabilities: { streaming: true },
});

describe('a long stream', () => {
  it('of 100,000 events passes with flat memory', async () => {
    const EVENTS = 100_000;
    const server = await startServer(async ({ body }, response) => {
      const { id } = JSON.parse(body) as { id: number };
      const event = (result: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
      const status = (state: string): object => ({
        state: `TASK_STATE_${state}`,
        timestamp: '2026-03-01T09:30:00.000Z',
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ task: { id: 't', contextId: 'c', status: status('WORKING') } }));
      for (let i = 0; i < EVENTS; i += 1) {
        const artifact = { artifactId: `a-${i % 7}`, parts: [{ text: `piece ${i} `.repeat(8) }] };
        const more = response.write(event({ artifactUpdate: { taskId: 't', contextId: 'c', artifact } }));
        if (!more) await new Promise((resolve) => response.once('drain', resolve));
      }
      response.end(event({ statusUpdate: { taskId: 't', contextId: 'c', status: status('COMPLETED') } }));
    });
    const agent = await bench.guard().agent(cardAt(`${server.origin}/a2a`));
    let seen = 0;
    let most = 0;
    collect();
    const before = process.memoryUsage().heapUsed;
    for await (const _ of agent.sendStreamingMessage(say('go'))) {
      seen += 1;
      if (seen % 20_000 !== 0) continue;
      collect();
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }
    expect(seen).toBe(EVENTS + 2);
    expect(most / MIB).toBeLessThan(32);
    expect(bench.tickets).toEqual([]);
    await server.close();
  }, 60_000);

  it('holds the sender back while nobody reads', async () => {
    let written = 0;
    const server = await startServer(async ({ body }, response) => {
      const { id } = JSON.parse(body) as { id: number };
      const result = {
        task: {
          id: 't',
          contextId: 'c',
          status: { state: 'TASK_STATE_WORKING' },
          metadata: { filler: 'x'.repeat(64 * 1024) },
        },
      };
      const event = `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.on('error', () => {});
      while (!response.destroyed && written < 2000) {
        written += 1;
        if (!response.write(event))
          await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
      }
    });
    const agent = await bench.guard().agent(cardAt(`${server.origin}/a2a`));
    const events = agent.sendStreamingMessage(say('go'));
    await events.next();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const held = written;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(written).toBe(held);
    expect(held).toBeLessThan(500);
    await events.return(undefined);
    await server.close();
  });

  it('that its reader leaves is closed', async () => {
    let closed = (): void => {};
    const left = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = await startServer(({ body }, response) => {
      const { id } = JSON.parse(body) as { id: number };
      response.on('close', closed);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const result = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } };
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    });
    const agent = await bench.guard().agent(cardAt(`${server.origin}/a2a`));
    for await (const _ of agent.sendStreamingMessage(say('go'))) break;
    await left;
    expect(bench.tickets).toEqual([]);
    await server.close();
  });

  it('with an event beyond limits.eventBytes is refused at the limit', async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.on('error', () => {});
      response.write('data: ');
      const timer = setInterval(() => response.write('x'.repeat(1024)), 1);
      response.on('close', () => clearInterval(timer));
    });
    const agent = await bench.guard({ limits: { eventBytes: 10_000 } }).agent(cardAt(`${server.origin}/a2a`));
    const ticket = await bench.ticketOf(agent.sendStreamingMessage(say('go')).next());
    expect(ticket.findings[0]?.id).toBe('wire-size');
    await server.close();
  });
});
