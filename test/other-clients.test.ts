/** Clients that nobody here wrote, each with its own way of sending and its own way of taking a failure. */
import { createRequire } from 'node:module';
import { A2AAgent } from '@ag-ui/a2a';
import { a2a } from 'a2a-ai-provider';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findTicket, type GuardOptions } from '../src/index.ts';
import { sampleCard, useBench } from './support/sdk-agent.ts';
import { thrown } from './support/sdk-client.ts';
import { answer, startServer, type TestServer } from './support/server.ts';

const bench = useBench();
const platform = globalThis.fetch;
// a2a-ai-provider tells every step to the console.
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));
afterEach(() => {
  globalThis.fetch = platform;
});

/** A settled task as 0.3 has it. */
const TASK = {
  kind: 'task',
  id: 't',
  contextId: 'c',
  status: { state: 'completed' },
  artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'Parcel 42 is in Turin.' }] }],
};

/** A 0.x agent that answers every call with this in the context of the call, seen through a guarded global fetch. */
async function startOldAgent(options: GuardOptions, result: object): Promise<TestServer> {
  const server: TestServer = await startServer((request, response) => {
    if (request.method !== 'GET') {
      const { id, params } = JSON.parse(request.body) as { id: unknown; params: { message: { contextId?: string } } };
      const { contextId } = params.message;
      return answer(response, { jsonrpc: '2.0', id, result: { ...result, ...(contextId && { contextId }) } });
    }
    const { supportedInterfaces: _, ...card } = sampleCard('');
    answer(response, { ...card, capabilities: {}, protocolVersion: '0.3.0', url: `${server.origin}/a2a` });
  });
  globalThis.fetch = bench.guard(options).fetch;
  return server;
}

const calls = (server: TestServer): number => server.seen.filter(({ method }) => method === 'POST').length;

describe('a2a-ai-provider, which calls the global fetch and speaks 0.3', () => {
  async function meet(options: GuardOptions, result: object = TASK) {
    const server = await startOldAgent(options, result);
    const model = a2a(`${server.origin}/.well-known/agent-card.json`);
    return {
      server,
      ask: (content: Content = TEXT) => model.doGenerate({ prompt: [{ role: 'user', content }] } as never),
    };
  }
  type Content = readonly Readonly<Record<string, unknown>>[];
  const TEXT: Content = [{ type: 'text', text: 'hello' }];
  const IMAGE: Content = [{ type: 'file', mediaType: 'image/png', data: new Uint8Array([1]) }];

  it('is given no 0.x card until legacyCards says so', async () => {
    const { server, ask } = await meet({});
    expect(findTicket(await thrown(ask()))?.findings[0]?.id).toBe('legacy-card');
    expect(calls(server)).toBe(0);
    await server.close();
  });

  it('gets its answer with legacyCards, judged as 0.3', async () => {
    const { server, ask } = await meet({ legacyCards: true });
    expect((await ask()).content).toEqual([{ type: 'text', text: 'Parcel 42 is in Turin.' }]);
    expect(bench.tickets.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(findTicket(await thrown(ask(IMAGE)))?.code).toBe('ContentTypeNotSupportedError');
    expect(calls(server)).toBe(1);
    await server.close();
  });

  it('is given no rubbish', async () => {
    const { server, ask } = await meet({ legacyCards: true }, { kind: 'task' });
    expect(findTicket(await thrown(ask()))?.code).toBe('InvalidAgentResponseError');
    await server.close();
  });
});

describe('the A2AAgent of @ag-ui/a2a, which calls the global fetch and speaks 0.3', () => {
  // It takes the client of the SDK that it was built with.
  const own = createRequire(createRequire(import.meta.url).resolve('@ag-ui/a2a'));
  const { A2AClient } = own('@a2a-js/sdk/client') as { A2AClient: new (url: string) => never };

  async function meet(options: GuardOptions, result: object) {
    const server = await startOldAgent(options, result);
    const agent = new A2AAgent({
      a2aClient: new A2AClient(server.origin),
      initialMessages: [{ id: 'u-1', role: 'user', content: 'Where is parcel 42?' }],
    });
    return { server, agent };
  }

  it('gets its answer with legacyCards, judged as 0.3', async () => {
    const result = { kind: 'message', messageId: 'a', role: 'agent', parts: [{ kind: 'text', text: 'In Turin.' }] };
    const { server, agent } = await meet({ legacyCards: true }, result);
    const { newMessages } = await agent.runAgent();
    expect(newMessages).toMatchObject([{ role: 'assistant', content: 'In Turin.' }]);
    expect(calls(server)).toBe(1);
    await server.close();
  });

  it('is given no rubbish', async () => {
    const { server, agent } = await meet({ legacyCards: true }, { kind: 'task' });
    expect(findTicket(await thrown(agent.runAgent()))?.code).toBe('InvalidAgentResponseError');
    expect(calls(server)).toBe(1);
    await server.close();
  });
});
