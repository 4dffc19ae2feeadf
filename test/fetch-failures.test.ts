import { AgentCard as SdkCard } from '@a2a-js/sdk';
import { ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuard, findTicket, type GuardOptions } from '../src/index.ts';
import { guardedOptions } from '../src/sdk.ts';
import { type Behaviour, startCrookedAgent } from './support/crooked-agent.ts';
import { sampleCard, useBench } from './support/sdk-agent.ts';
import { thrown } from './support/sdk-client.ts';
import { answer, startServer } from './support/server.ts';

const bench = useBench();
const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
const rpc = (method: string, params: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'A2A-Version': '1.0' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
});
const platform = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = platform;
});

async function crooked(behave: Behaviour, options: GuardOptions = {}) {
  const server = await startCrookedAgent('JSONRPC', behave);
  const guard = bench.guard(options);
  await guard.fetch(`${server.origin}/.well-known/agent-card.json`);
  return { server, guard, url: `${server.origin}/x` };
}

describe('the fetch that carries', () => {
  it('is called without a this, as browsers and workers demand', async () => {
    let self: unknown = 'not called';
    globalThis.fetch = async function (this: unknown) {
      self = this;
      return new Response('x');
    };
    await createGuard().fetch('https://a.example.com/');
    expect(self === undefined || self === globalThis).toBe(true);
  });
});

describe('an exchange that fails in guard.fetch has a ticket', () => {
  it.each<[string, Behaviour, GuardOptions]>([
    ['no answer', ({ response }) => void response.destroy(), {}],
    [
      'half an answer',
      ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{');
        setTimeout(() => response.destroy(), 20);
      },
      {},
    ],
    [
      'an answer over the limit',
      ({ result }) => result({ task: { id: 'x'.repeat(2000) } }),
      { limits: { responseBytes: 1000 } },
    ],
  ])('%s', async (_, behave, options) => {
    const { server, guard, url } = await crooked(behave, options);
    await thrown(guard.fetch(url, rpc('SendMessage', { message: MESSAGE })));
    expect(bench.tickets).toHaveLength(1);
    await server.close();
  });

  it('a card over the limit', async () => {
    const server = await bench.start();
    const guard = bench.guard({ limits: { cardBytes: 100 } });
    const error = await thrown(guard.fetch(`${server.origin}/.well-known/agent-card.json`));
    expect(findTicket(error)?.layer).toBe('discovery');
  });
});

describe('options of our own client do not stand for what guard.fetch does not send', () => {
  it('credentials', async () => {
    const card = {
      securitySchemes: { k: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      securityRequirements: [{ schemes: { k: { list: [] } } }],
    };
    const server = await bench.start({ card, serveCard: SdkCard.toJSON });
    const guard = bench.guard({ credentials: { k: 's3cret' } });
    await guard.discover(server.origin);
    await guard.fetch(server.url, rpc('GetTask', { id: 't' })).catch(() => {});
    // either refused, or sent with the credential
    expect(server.requests.map(({ headers }) => headers.authorization)).not.toContain(undefined);
  });

  it('extensions', async () => {
    const uri = 'https://ext.example/x';
    const card = { capabilities: { extensions: [{ uri, required: true }] } };
    const server = await bench.start({ card, serveCard: SdkCard.toJSON });
    const guard = bench.guard({ extensions: [uri] });
    await guard.discover(server.origin);
    await guard.fetch(server.url, rpc('GetTask', { id: 't' })).catch(() => {});
    expect(server.requests.map(({ headers }) => headers['a2a-extensions'])).not.toContain(undefined);
  });
});

describe('mode: "observe" blocks nothing in guard.fetch', () => {
  it.each<[string, string, string, RequestInit]>([
    ['a URL that no card declares', 'result', '/other', rpc('GetTask', { id: 't' })],
    ['a method of another version', 'result', '', rpc('message/send', { message: MESSAGE })],
    ['a page', 'html', '', rpc('SendMessage', { message: MESSAGE })],
    ['a page for a stream', 'html', '', rpc('SendStreamingMessage', { message: MESSAGE })],
    ['another id', 'id', '', rpc('SendMessage', { message: MESSAGE })],
  ])('%s', async (_, kind, path, init) => {
    const behave: Behaviour = ({ result, html, response }) => {
      if (kind === 'html') html();
      else if (kind === 'id') answer(response, { jsonrpc: '2.0', id: 99, result: {} });
      else result({});
    };
    const { server, guard, url } = await crooked(behave, { mode: 'observe' });
    expect((await guard.fetch(`${url}${path}`, init)).status).toBe(200);
    expect(bench.tickets.length).toBeGreaterThan(0);
    await server.close();
  });
});

describe('refuse: "answer" answers every call', () => {
  it.each([
    ['to a URL that the card does not declare', '/other', rpc('GetTask', { id: 't' })],
    ['in the words of another version', '', rpc('message/send', { message: MESSAGE })],
  ])('%s', async (_, path, init) => {
    const { server, guard, url } = await crooked(({ result }) => result({}), { refuse: 'answer' });
    const response = await guard.fetch(`${url}${path}`, init);
    expect(await response.json()).toHaveProperty('error.code');
    await server.close();
  });
});

describe('agents of 0.3', () => {
  it('a call to a declared interface of a version that nobody judges is not refused as undeclared', async () => {
    const server = await startServer((request, response) => {
      const supportedInterfaces = [
        { url: `${server.origin}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '0.2' },
      ];
      answer(response, request.method === 'GET' ? { ...sampleCard(''), supportedInterfaces } : {});
    });
    const guard = bench.guard();
    await guard.fetch(`${server.origin}/.well-known/agent-card.json`);
    expect((await guard.fetch(`${server.origin}/rest/v1/message:send`, { method: 'POST', body: '{}' })).ok).toBe(true);
    await server.close();
  });

  it('legacyCards gives the SDK the card in the form of 1.0', async () => {
    const server = await startServer((_, response) => {
      const { supportedInterfaces: __, ...card } = sampleCard('');
      const security = { securitySchemes: { k: { type: 'http', scheme: 'bearer' } }, security: [{ k: [] }] };
      answer(response, { ...card, ...security, protocolVersion: '0.3.0', url: `${server.origin}/a2a` });
    });
    const guard = bench.guard({ legacyCards: true, speaks: [{ binding: 'JSONRPC', versions: ['0.3'] }] });
    const old = new JsonRpcTransportFactory({ fetchImpl: guard.fetch, legacyCompat: { enabled: true } });
    const options = guardedOptions(guard, { transports: [old] });
    await new ClientFactory(options).createFromUrl(server.origin);
    const card = await options.cardResolver?.resolve(server.origin);
    expect(card?.supportedInterfaces).toMatchObject([{ url: `${server.origin}/a2a`, protocolVersion: '0.3' }]);
    expect(card?.securitySchemes.k?.scheme?.$case).toBe('httpAuthSecurityScheme');
    await server.close();
  });
});

describe('time limits of guard.fetch', () => {
  it('a call whose headers do not come in time is stopped, with a ticket', async () => {
    const { server, guard, url } = await crooked(() => {}, { limits: { headersMs: 100 } });
    const error = await thrown(guard.fetch(url, rpc('GetTask', { id: 't' })));
    expect(findTicket(error)).toMatchObject({ findings: [{ id: 'wire-timeout' }], outcome: 'unknown' });
    await server.close();
  });

  it('a body that never ends is left after the total time', async () => {
    const drip: Behaviour = ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    };
    const { server, guard, url } = await crooked(drip, { limits: { totalMs: 200 } });
    const error = await thrown(guard.fetch(url, rpc('GetTask', { id: 't' })));
    expect(findTicket(error)?.findings[0]?.id).toBe('wire-timeout');
    await server.close();
  });

  it('a client that stops its call gets its own reason, and there is a ticket', async () => {
    const { server, guard, url } = await crooked(() => {});
    const reason = new Error('enough');
    const error = await thrown(
      guard.fetch(url, { ...rpc('GetTask', { id: 't' }), signal: AbortSignal.any([stopAfter(50, reason)]) }),
    );
    expect(error).toBe(reason);
    expect(bench.tickets[0]?.findings[0]?.id).toBe('wire-aborted');
    await server.close();
  });
});

function stopAfter(ms: number, reason: unknown): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms);
  return controller.signal;
}

describe('streams of guard.fetch', () => {
  const WORKING = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } };
  const stream = rpc('SendStreamingMessage', { message: MESSAGE });

  it('pass whole in observe mode, and the bad event has its ticket', async () => {
    const behave: Behaviour = ({ events, response }) => {
      events(WORKING, { task: {} }, WORKING);
      response.end();
    };
    const { server, guard, url } = await crooked(behave, { mode: 'observe' });
    const text = await (await guard.fetch(url, stream)).text();
    expect(text.match(/^data:/gm)).toHaveLength(3);
    await expect.poll(() => bench.tickets.map(({ layer }) => layer)).toContain('traffic');
    await server.close();
  });

  it.each(['the reader leaves', 'an event is bad'])('end the connection when %s', async (how) => {
    let closed = false;
    const behave: Behaviour = ({ events, response }) => {
      response.on('close', () => {
        closed = true;
      });
      events(...(how === 'an event is bad' ? [WORKING, { task: {} }] : [WORKING]));
    };
    const { server, guard, url } = await crooked(behave);
    const reader = (await guard.fetch(url, stream)).body?.getReader();
    await reader?.read();
    if (how === 'an event is bad') await expect(reader?.read()).rejects.toThrow();
    else await reader?.cancel();
    await expect.poll(() => closed).toBe(true);
    await server.close();
  });
});
