import { describe, expect, it } from 'vitest';
import { createGuard, findTicket, type GuardOptions, isGuardError } from '../src/index.ts';
import { type CardChanges, sampleCard, useBench } from './support/sdk-agent.ts';
import { answer, startServer, type TestServer } from './support/server.ts';

const bench = useBench();
const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] };

const rpc = (method: string, params: unknown, id: unknown = 7): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'A2A-Version': '1.0' },
  body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
});

const both = (url: string): CardChanges => ({
  supportedInterfaces: [
    { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: url.replace('/a2a', '/rest'), protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ],
});

async function known(card: CardChanges | ((url: string) => CardChanges) = both, options: GuardOptions = {}) {
  const server = await bench.start({ card });
  const guard = bench.guard(options);
  const seen = await guard.fetch(`${server.origin}/.well-known/agent-card.json`);
  expect(seen.status).toBe(200);
  return { server, guard };
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it went through'),
    (error: unknown) => error,
  );

describe('a legal call passes through guard.fetch', () => {
  it('over JSON-RPC, as the agent answered it', async () => {
    const { server, guard } = await known();
    const response = await guard.fetch(server.url, rpc('SendMessage', { message: MESSAGE }));
    const body = (await response.json()) as { id: number; result: { task: { status: { state: string } } } };
    expect({ ok: response.ok, url: response.url, id: body.id, state: body.result.task.status.state }).toEqual({
      ok: true,
      url: server.url,
      id: 7,
      state: 'TASK_STATE_COMPLETED',
    });
    expect(response.headers.get('content-length')).toBeNull();
    expect(bench.tickets).toEqual([]);
  });

  it.each([
    ['a string', (url: string) => [url] as const],
    ['a URL', (url: string) => [new URL(url)] as const],
  ])('with the address as %s', async (_, address) => {
    const { server, guard } = await known();
    const response = await guard.fetch(address(server.url)[0], rpc('GetTask', { id: 'nobody' }));
    expect(((await response.json()) as { error: { code: number } }).error.code).toBe(-32001);
  });

  it('as a Request, whose body is read from a copy', async () => {
    const { server, guard } = await known();
    const response = await guard.fetch(new Request(server.url, rpc('SendMessage', { message: MESSAGE })));
    expect(response.ok).toBe(true);
    expect(server.requests).toHaveLength(1);
    expect(bench.tickets).toEqual([]);
  });

  it.each([
    ['an object', { 'content-type': 'application/json', 'a2a-version': '1.0' }],
    [
      'pairs',
      [
        ['content-type', 'application/json'],
        ['A2A-Version', '1.0'],
      ],
    ],
    ['Headers', new Headers({ 'content-type': 'application/json', 'A2A-Version': '1.0' })],
  ])('with the headers as %s', async (_, headers) => {
    const { server, guard } = await known();
    const init = { ...rpc('SendMessage', { message: MESSAGE }), headers: headers as HeadersInit };
    expect((await guard.fetch(server.url, init)).ok).toBe(true);
    expect(bench.tickets).toEqual([]);
  });

  it('over HTTP+JSON', async () => {
    const { server, guard } = await known();
    const headers = { 'content-type': 'application/a2a+json', 'A2A-Version': '1.0' };
    const sent = await guard.fetch(`${server.restUrl}/message:send`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ message: MESSAGE }),
    });
    const { task } = (await sent.json()) as { task: { id: string } };
    const got = await guard.fetch(`${server.restUrl}/tasks/${task.id}?historyLength=1`, { headers });
    expect(((await got.json()) as { id: string }).id).toBe(task.id);
    expect(bench.tickets).toEqual([]);
  });

  it('event by event on a stream', async () => {
    const { server, guard } = await known();
    const response = await guard.fetch(server.url, rpc('SendStreamingMessage', { message: MESSAGE }));
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const text = await response.text();
    expect(text.match(/^data: /gm)?.length).toBeGreaterThan(1);
    expect(text).toContain('TASK_STATE_COMPLETED');
    expect(bench.tickets).toEqual([]);
  });

  it('hands the error of the agent on, and reports it', async () => {
    const { server, guard } = await known();
    const response = await guard.fetch(server.url, rpc('GetTask', { id: 'nobody' }));
    expect(((await response.json()) as { error: { code: number } }).error.code).toBe(-32001);
    expect(bench.tickets.map(({ layer, code }) => [layer, code])).toEqual([['agent', 'TaskNotFoundError']]);
  });
});

describe('an illegal call is refused before the agent sees it', () => {
  const quiet = (url: string): CardChanges => ({ ...both(url), capabilities: {} });
  const rows: [string, (at: { url: string; rest: string }) => [string, RequestInit], string, string][] = [
    [
      'an undeclared stream',
      ({ url }) => [url, rpc('SendStreamingMessage', { message: MESSAGE })],
      'capability',
      'UnsupportedOperationError',
    ],
    [
      'an undeclared subscription',
      ({ url }) => [url, rpc('SubscribeToTask', { id: 't' })],
      'capability',
      'UnsupportedOperationError',
    ],
    [
      'a deletion of an undeclared push configuration',
      ({ url }) => [url, rpc('DeleteTaskPushNotificationConfig', { taskId: 't', id: 'p' })],
      'capability',
      'PushNotificationNotSupportedError',
    ],
    [
      'a push configuration inside a send',
      ({ url }) => [
        url,
        rpc('SendMessage', {
          message: MESSAGE,
          configuration: { taskPushNotificationConfig: { url: 'https://hooks.example/in' } },
        }),
      ],
      'capability',
      'PushNotificationNotSupportedError',
    ],
    [
      'an undeclared extended card',
      ({ url }) => [url, rpc('GetExtendedAgentCard', {})],
      'capability',
      'UnsupportedOperationError',
    ],
    [
      'an image',
      ({ url }) => [
        url,
        rpc('SendMessage', { message: { ...MESSAGE, parts: [{ raw: 'AA==', mediaType: 'image/png' }] } }),
      ],
      'traffic',
      'ContentTypeNotSupportedError',
    ],
    ['params that are no params', ({ url }) => [url, rpc('GetTask', {})], 'traffic', 'InvalidParamsError'],
    [
      'another tenant',
      ({ url }) => [url, rpc('GetTask', { id: 't', tenant: 'north' })],
      'traffic',
      'InvalidParamsError',
    ],
    [
      'another version',
      ({ url }) => [url, { ...rpc('GetTask', { id: 't' }), headers: { 'a2a-version': '0.3' } }],
      'traffic',
      'InvalidParamsError',
    ],
    ['a request without an id', ({ url }) => [url, rpc('GetTask', { id: 't' }, null)], 'traffic', 'InvalidParamsError'],
    ['a batch', ({ url }) => [url, { method: 'POST', body: '[]' }], 'traffic', 'InvalidParamsError'],
    [
      'a method of 0.3',
      ({ url }) => [url, rpc('message/send', { message: MESSAGE })],
      'interface',
      'MethodNotFoundError',
    ],
    [
      'a URL that the card does not declare',
      ({ url }) => [`${url}/v2`, rpc('GetTask', { id: 't' })],
      'interface',
      'NoMutualInterfaceError',
    ],
    [
      'a stream over HTTP+JSON',
      ({ rest }) => [
        `${rest}/message:stream`,
        { method: 'POST', body: JSON.stringify({ message: MESSAGE }), headers: { 'a2a-version': '1.0' } },
      ],
      'capability',
      'UnsupportedOperationError',
    ],
    [
      'a subscription over HTTP+JSON',
      ({ rest }) => [`${rest}/tasks/t:subscribe`, { headers: { 'a2a-version': '1.0' } }],
      'capability',
      'UnsupportedOperationError',
    ],
    [
      'a tenant in the path',
      ({ rest }) => [`${rest}/north/tasks/t`, { headers: { 'a2a-version': '1.0' } }],
      'traffic',
      'InvalidParamsError',
    ],
  ];

  it.each(rows)('%s', async (_, request, layer, code) => {
    const { server, guard } = await known(quiet);
    const [url, init] = request({ url: server.url, rest: server.restUrl });
    const error = await rejection(guard.fetch(url, init));
    expect(isGuardError(error) && [error.layer, error.code], String(error)).toEqual([layer, code]);
    expect(server.requests).toEqual([]);
    expect(bench.tickets).toHaveLength(1);
  });

  it('refuse: "answer" answers in the place of the agent, over JSON-RPC', async () => {
    const { server, guard } = await known(quiet, { refuse: 'answer' });
    const response = await guard.fetch(server.url, rpc('SendStreamingMessage', { message: MESSAGE }));
    const body = (await response.json()) as {
      id: number;
      error: { code: number; data: { reason: string; metadata: { ticketId: string } }[] };
    };
    expect([response.status, body.id, body.error.code, body.error.data[0]?.reason]).toEqual([
      200,
      7,
      -32004,
      'UNSUPPORTED_OPERATION',
    ]);
    expect(body.error.data[0]?.metadata.ticketId).toBe(bench.tickets[0]?.id);
    expect(server.requests).toEqual([]);
  });

  it('refuse: "answer" answers in the place of the agent, over HTTP+JSON', async () => {
    const { server, guard } = await known(quiet, { refuse: 'answer' });
    const init = { method: 'POST', body: JSON.stringify({ message: MESSAGE }), headers: { 'a2a-version': '1.0' } };
    const response = await guard.fetch(`${server.restUrl}/message:stream`, init);
    const body = (await response.json()) as { error: { code: number; status: string; details: { reason: string }[] } };
    expect([response.status, body.error.code, body.error.details[0]?.reason]).toEqual([
      400,
      400,
      'UNSUPPORTED_OPERATION',
    ]);
  });

  it('an address that the network option does not allow', async () => {
    const guard = createGuard();
    const error = await rejection(guard.fetch('http://127.0.0.1:9/.well-known/agent-card.json'));
    expect(findTicket(error)?.layer).toBe('trust');
  });

  it('a request without a version header is sent, and reported', async () => {
    const { server, guard } = await known(quiet);
    const { body } = rpc('GetTask', { id: 't' });
    await guard.fetch(server.url, {
      method: 'POST',
      body: body as string,
      headers: { 'content-type': 'application/json' },
    });
    expect(server.requests).toHaveLength(1);
    expect(bench.tickets[0]?.findings[0]?.id).toBe('version-header');
  });
});

describe('an answer that does not hold is not handed on', () => {
  async function rubbish(handler: Parameters<typeof startServer>[0], options: GuardOptions = {}) {
    const server: TestServer = await startServer(async (request, response) => {
      if (request.method !== 'GET') return handler(request, response);
      const card = {
        ...sampleCard(`${server.origin}/a2a`),
        capabilities: { streaming: true },
      };
      answer(response, card);
    });
    const guard = bench.guard(options);
    await guard.fetch(`${server.origin}/.well-known/agent-card.json`);
    return { server, guard, url: `${server.origin}/a2a` };
  }
  const empty = (id: unknown): object => ({ jsonrpc: '2.0', id, result: { task: {} } });

  it('a unary one rejects', async () => {
    const { server, guard, url } = await rubbish((_, response) => answer(response, empty(7)));
    const error = await rejection(guard.fetch(url, rpc('SendMessage', { message: MESSAGE })));
    expect(findTicket(error)).toMatchObject({ layer: 'traffic', code: 'InvalidAgentResponseError', blocked: false });
    await server.close();
  });

  it('a unary one becomes InvalidAgentResponseError with refuse: "answer"', async () => {
    const { server, guard, url } = await rubbish((_, response) => answer(response, empty(7)), { refuse: 'answer' });
    const response = await guard.fetch(url, rpc('SendMessage', { message: MESSAGE }));
    expect(((await response.json()) as { error: { code: number } }).error.code).toBe(-32006);
    await server.close();
  });

  const halfGood = (_: unknown, response: import('node:http').ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const task = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } };
    response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 7, result: task })}\n\n`);
    response.end(`data: ${JSON.stringify(empty(7))}\n\n`);
  };

  it('a bad event ends the stream after the good ones before it', async () => {
    const { server, guard, url } = await rubbish(halfGood);
    const response = await guard.fetch(url, rpc('SendStreamingMessage', { message: MESSAGE }));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    expect(first).toContain('TASK_STATE_WORKING');
    expect(findTicket(await rejection(reader.read()))?.layer).toBe('traffic');
    await server.close();
  });

  it('with refuse: "answer" the stream ends with the error as an event', async () => {
    const { server, guard, url } = await rubbish(halfGood, { refuse: 'answer' });
    const response = await guard.fetch(url, rpc('SendStreamingMessage', { message: MESSAGE }));
    const events = (await response.text()).split('\n\n').filter((event) => event !== '');
    expect(events).toHaveLength(2);
    expect(JSON.parse(events[1]?.slice(6) ?? '')).toMatchObject({ id: 7, error: { code: -32006 } });
    await server.close();
  });

  it('a redirect of a call is not followed', async () => {
    const { server, guard, url } = await rubbish((_, response) =>
      answer(response, '', 307, { location: '/elsewhere' }),
    );
    const response = await guard.fetch(url, rpc('SendMessage', { message: MESSAGE }));
    expect(response.status).toBe(307);
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(bench.tickets.at(-1)).toMatchObject({ layer: 'transport', httpStatus: 307 });
    await server.close();
  });

  it('a redirect is not followed when the client asks to follow', async () => {
    const { server, guard, url } = await rubbish((_, response) =>
      answer(response, '', 307, { location: '/elsewhere' }),
    );
    const response = await guard.fetch(url, { ...rpc('SendMessage', { message: MESSAGE }), redirect: 'follow' });
    expect(response.status).toBe(307);
    await server.close();
  });

  it('a call that its client stops, stops', async () => {
    const { server, guard, url } = await rubbish(() => {});
    const controller = new AbortController();
    const pending = guard.fetch(url, { ...rpc('SendMessage', { message: MESSAGE }), signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect(await rejection(pending)).toMatchObject({ name: 'AbortError' });
    await server.close();
  });
});

describe('an interface that speaks 0.3', () => {
  const card = (url: string, version: string): object => ({
    ...sampleCard(''),
    capabilities: {},
    supportedInterfaces: [version, '1.0'].map((each) => ({ url, protocolBinding: 'JSONRPC', protocolVersion: each })),
  });
  const old = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };

  async function twoDialects(version: string, result: object) {
    const server: TestServer = await startServer(({ method, body }, response) => {
      if (method === 'GET') return answer(response, card(`${server.origin}/a2a`, version));
      return answer(response, { jsonrpc: '2.0', id: (JSON.parse(body) as { id: unknown }).id, result });
    });
    const guard = bench.guard();
    await guard.fetch(`${server.origin}/.well-known/agent-card.json`);
    return { server, call: (init: RequestInit) => guard.fetch(`${server.origin}/a2a`, init) };
  }
  const posts = (server: TestServer): number => server.seen.filter(({ method }) => method === 'POST').length;
  const task = { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } };

  it('is guarded in its own dialect, on the URL that speaks both', async () => {
    const { server, call } = await twoDialects('0.3', task);
    const { headers: _, ...init } = rpc('message/send', { message: old });
    expect((await call(init)).ok).toBe(true);
    expect(bench.tickets).toEqual([]);
    expect(findTicket(await rejection(call(rpc('message/stream', { message: old }))))?.layer).toBe('capability');
    expect(findTicket(await rejection(call(rpc('message/send', { message: MESSAGE }))))?.layer).toBe('traffic');
    expect(posts(server)).toBe(1);
    await server.close();
  });

  it('gives no answer in the other dialect', async () => {
    const { server, call } = await twoDialects('0.3', { task: { id: 't', status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(findTicket(await rejection(call(rpc('message/send', { message: old }))))).toMatchObject({
      layer: 'traffic',
      code: 'InvalidParamsError',
    });
    const { headers: _, ...init } = rpc('message/send', { message: old });
    expect(findTicket(await rejection(call(init)))).toMatchObject({
      layer: 'traffic',
      code: 'InvalidAgentResponseError',
    });
    await server.close();
  });

  it('of a version before that is left alone', async () => {
    const { server, call } = await twoDialects('0.2', {});
    const error = await rejection(call(rpc('message/stream', { message: old })));
    expect(findTicket(error)?.findings[0]?.id).toBe('interface-dialect');
    expect(posts(server)).toBe(0);
    await server.close();
  });
});

describe('an agent whose card is not known yet', () => {
  it('is discovered and checked first', async () => {
    const server = await bench.start();
    const response = await bench.guard().fetch(server.url, rpc('SendMessage', { message: MESSAGE }));
    expect(response.ok).toBe(true);
    expect(bench.tickets).toEqual([]);
  });

  it('is discovered once for all calls that wait', async () => {
    let cards = 0;
    const server: TestServer = await startServer(({ method, body }, response) => {
      if (method === 'GET') cards += 1;
      if (method === 'GET') return answer(response, 'no', 404);
      return answer(response, body);
    });
    const guard = bench.guard();
    const calls = Array.from({ length: 50 }, () =>
      rejection(guard.fetch(`${server.origin}/a2a`, rpc('GetTask', { id: 't' }))),
    );
    for (const error of await Promise.all(calls)) expect(findTicket(error)?.layer).toBe('discovery');
    expect(cards).toBe(2);
    await server.close();
  });

  it('is discovered and refused when its card does not allow the call', async () => {
    const server = await bench.start({ card: { capabilities: {} } });
    const error = await rejection(bench.guard().fetch(server.url, rpc('SubscribeToTask', { id: 't' })));
    expect(findTicket(error)?.layer).toBe('capability');
    expect(server.requests).toEqual([]);
  });

  it('is refused with unknownAgent: "refuse"', async () => {
    const server = await bench.start();
    const error = await rejection(
      bench.guard({ unknownAgent: 'refuse' }).fetch(server.url, rpc('SendMessage', { message: MESSAGE })),
    );
    expect(findTicket(error)?.findings[0]?.id).toBe('interface-undeclared');
    expect(server.requests).toEqual([]);
  });

  it('passes with unknownAgent: "pass"', async () => {
    const server = await bench.start({ card: { capabilities: {} } });
    const response = await bench.guard({ unknownAgent: 'pass' }).fetch(server.url, rpc('GetTask', { id: 't' }));
    expect(response.ok).toBe(true);
  });

  it('allow() names a card at a path of its own', async () => {
    const server = await startServer((_, response) => answer(response, { name: 'x', skills: [] }));
    const guard = bench.guard();
    expect((await guard.fetch(`${server.origin}/cards/7`)).status).toBe(200);
    guard.allow(`${server.origin}/cards/7`);
    expect(findTicket(await rejection(guard.fetch(`${server.origin}/cards/7`)))?.layer).toBe('spec');
    await server.close();
  });
});

describe('everything else passes untouched', () => {
  it.each([
    ['a page', '/page', {}],
    ['an API call with JSON', '/api', { method: 'POST', body: '{"a":1}' }],
    [
      'a JSON-RPC call of another protocol',
      '/mcp',
      { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
    ],
    [
      'a method that MCP has as well',
      '/mcp',
      { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tasks/get"}' },
    ],
  ])('%s', async (_, path, init) => {
    const server = await startServer((_request, response) => answer(response, { ok: true }));
    const response = await bench.guard().fetch(`${server.origin}${path}`, init);
    expect(await response.json()).toEqual({ ok: true });
    expect(server.seen.map((request) => request.path)).toEqual([path]);
    await server.close();
  });

  it('the very same response comes back', async () => {
    const given = new Response('x');
    const carrier = globalThis.fetch;
    const seen: unknown[] = [];
    globalThis.fetch = async (...args) => {
      seen.push(...args);
      return given;
    };
    const guard = createGuard();
    globalThis.fetch = carrier;
    const init = { headers: new Headers({ a: 'b' }) };
    expect(await guard.fetch('https://a.example.com/x', init)).toBe(given);
    expect(seen[1]).toBe(init);
  });
});
