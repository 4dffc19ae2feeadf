import { AgentCard as SdkCard } from '@a2a-js/sdk';
import { createAuthenticatingFetchWithRetry } from '@a2a-js/sdk/client';
import { Agent as Pool, request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuard, findTicket } from '../src/index.ts';
import { type CardChanges, type SampleAgent, sampleCard, useBench } from './support/sdk-agent.ts';
import { thrown } from './support/sdk-client.ts';
import { answer, startServer } from './support/server.ts';

const bench = useBench();
const QUIET: CardChanges = { capabilities: {} };
const SECURED: CardChanges = {
  securitySchemes: { desk: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
  securityRequirements: [{ schemes: { desk: { list: [] } } }],
};

const subscription = (headers: Record<string, string> = {}): RequestInit & { body: string } => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: 't' } }),
});
const VERSION = { 'A2A-Version': '1.0' };

const platform = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = platform;
});

describe('guard.fetch in the place of the global fetch', () => {
  it('guards code that was never told of it, and does not call itself', async () => {
    const server = await bench.start({ card: QUIET });
    const guard = bench.guard();
    globalThis.fetch = guard.fetch;
    expect(findTicket(await thrown(fetch(server.url, subscription(VERSION))))?.layer).toBe('capability');
    expect((await fetch(`${server.origin}/.well-known/agent-card.json`)).ok).toBe(true);
    expect(server.requests).toEqual([]);
    expect(bench.tickets).toHaveLength(1);
  });

  it('carries with the fetch that was there when the guard was made', async () => {
    const carried: string[] = [];
    globalThis.fetch = async (input) => {
      carried.push(String(input));
      return new Response('x');
    };
    const guard = createGuard();
    globalThis.fetch = () => expect.fail('a later fetch was called');
    await guard.fetch('https://a.example.com/page');
    expect(carried).toEqual(['https://a.example.com/page']);
  });
});

describe('a body that cannot be read twice', () => {
  const asRequest = (url: string, headers = {}): Parameters<typeof fetch> => [new Request(url, subscription(headers))];
  const asBlob = (url: string, headers = {}): Parameters<typeof fetch> => {
    const init = subscription(headers);
    return [url, { ...init, body: new Blob([init.body]) }];
  };
  const asStream = (url: string, headers = {}): Parameters<typeof fetch> => {
    const init = subscription(headers);
    return [url, { ...init, body: new Blob([init.body]).stream(), duplex: 'half' } as RequestInit];
  };
  const rows = [
    ['a Request', asRequest],
    ['a Blob', asBlob],
    ['a stream', asStream],
  ] as const;

  it.each(rows)('is looked into at a known origin: %s', async (_, make) => {
    const server = await bench.start({ card: QUIET });
    const guard = bench.guard();
    await guard.discover(server.origin);
    expect(findTicket(await thrown(guard.fetch(...make(server.url))))?.layer).toBe('capability');
    expect(server.requests).toEqual([]);
  });

  it.each(rows)('is looked into at an unknown origin when there is an A2A-Version header: %s', async (_, make) => {
    const server = await bench.start({ card: QUIET });
    expect(findTicket(await thrown(bench.guard().fetch(...make(server.url, VERSION))))?.layer).toBe('capability');
    expect(server.requests).toEqual([]);
  });

  it.each(rows)('passes unseen at an unknown origin without that header: %s', async (_, make) => {
    const server = await bench.start({ card: QUIET });
    expect((await bench.guard().fetch(...make(server.url))).ok).toBe(true);
    expect(server.requests).toHaveLength(1);
    expect(bench.tickets).toEqual([]);
  });
});

describe('an agent that guard.fetch does not know', () => {
  const get = (server: SampleAgent): Promise<Response> =>
    bench.guard().fetch(`${server.restUrl}/tasks/t`, { headers: VERSION });

  it('is not recognised by a path that other APIs have too', async () => {
    const server = await bench.start({ card: QUIET });
    await get(server);
    expect(server.requests).toHaveLength(1);
    expect(bench.tickets).toEqual([]);
  });

  it('is looked for at the root of its origin; a card below a path has to be met first', async () => {
    const server = await startServer((request, response) => {
      const card = { ...sampleCard(`${server.origin}/desk/a2a`), ...QUIET };
      if (request.path === '/desk/.well-known/agent-card.json') answer(response, card);
      else answer(response, 'no', 404);
    });
    const guard = bench.guard();
    const call = (): Promise<Response> => guard.fetch(`${server.origin}/desk/a2a`, subscription(VERSION));
    expect(findTicket(await thrown(call()))?.layer).toBe('discovery');
    await guard.discover(`${server.origin}/desk`);
    expect(findTicket(await thrown(call()))?.layer).toBe('capability');
    await server.close();
  });
});

describe('credentials', () => {
  const ask = {
    ...subscription(VERSION),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' } }),
  };
  const handler = {
    headers: async () => ({ Authorization: 'Bearer s3cret' }),
    shouldRetryWithHeaders: async () => undefined,
  };
  const served = (): Promise<SampleAgent> => bench.start({ card: SECURED, serveCard: SdkCard.toJSON });

  it('are seen when they are added above guard.fetch', async () => {
    const server = await served();
    const response = await createAuthenticatingFetchWithRetry(bench.guard().fetch, handler)(server.url, ask);
    expect(response.ok).toBe(true);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer s3cret');
  });

  it('are not seen when the fetch below adds them', async () => {
    const server = await served();
    globalThis.fetch = createAuthenticatingFetchWithRetry(platform, handler);
    const guard = bench.guard();
    expect(findTicket(await thrown(guard.fetch(server.url, ask)))?.code).toBe('CredentialsMissingError');
    expect(server.requests).toEqual([]);
  });
});

describe('undici', () => {
  it('dispatcher carries discovery and the calls of our own client, and stays open', async () => {
    const paths: string[] = [];
    const pool = new Pool();
    const dispatcher = pool.compose((dispatch) => (options, handlers) => {
      paths.push(options.path);
      return dispatch(options, handlers);
    });
    const server = await bench.start();
    const guard = createGuard({ network: { allowLoopback: true }, dispatcher });
    await (await guard.discover(server.origin)).getTask({ id: 't' }).catch(() => {});
    expect(paths).toEqual(['/.well-known/agent-card.json', '/a2a']);
    await guard.close();
    expect((await request(server.origin, { dispatcher: pool })).statusCode).toBe(404);
    await pool.close();
  });

  it('dispatcher does not carry guard.fetch, but the discovery that it makes', async () => {
    const paths: string[] = [];
    const pool = new Pool();
    const dispatcher = pool.compose((dispatch) => (options, handlers) => {
      paths.push(options.path);
      return dispatch(options, handlers);
    });
    const server = await bench.start({ card: { capabilities: { streaming: true } } });
    const response = await bench.guard({ dispatcher }).fetch(server.url, subscription(VERSION));
    await response.body?.cancel();
    expect(paths).toEqual(['/.well-known/agent-card.json']);
    expect(server.requests).toHaveLength(1);
    await pool.close();
  });

  it('request() goes past the guard', async () => {
    const server = await bench.start({ card: QUIET });
    globalThis.fetch = bench.guard().fetch;
    const { body, headers } = subscription(VERSION);
    const sent = await request(server.url, { method: 'POST', body, headers: headers as Record<string, string> });
    await sent.body.dump();
    expect(server.requests).toHaveLength(1);
    expect(bench.tickets).toEqual([]);
  });
});
