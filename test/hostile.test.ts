import { describe, expect, it } from 'vitest';
import { RemoteError } from '../src/index.ts';
import { soundCard, withInterface, withScheme } from './support/cards.ts';
import { type BindingName, startCrookedAgent } from './support/crooked-agent.ts';
import { useBench } from './support/sdk-agent.ts';
import { thrown } from './support/sdk-client.ts';
import { answer, startServer } from './support/server.ts';

const bench = useBench();
const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER' as const, parts: [{ text: 'hello' }] };
const BEARER = { httpAuthSecurityScheme: { scheme: 'bearer' } };

/** An agent that answers each call with this, and what was sent to it. */
async function meetServer(
  reply: (id: unknown) => unknown,
  { card = {}, status = 200, type = 'application/json', binding = 'JSONRPC' as BindingName, options = {} } = {},
) {
  const bodies: string[] = [];
  const server = await startServer(({ body }, response) => {
    bodies.push(body);
    const id = binding === 'JSONRPC' ? (JSON.parse(body) as { id: unknown }).id : undefined;
    answer(response, reply(id), status, { 'content-type': type });
  });
  const supportedInterfaces = [{ url: `${server.origin}/x`, protocolBinding: binding, protocolVersion: '1.0' }];
  const guard = bench.guard({ speaks: [{ binding, versions: ['1.0'] }], ...options });
  return { server, bodies, agent: await guard.agent(soundCard({ supportedInterfaces, ...card })) };
}

const echo = (id: unknown): object => ({ jsonrpc: '2.0', id, result: { message: { ...MESSAGE, role: 'ROLE_AGENT' } } });

describe('params of the caller', () => {
  it('are taken once: what is judged is what is sent', async () => {
    const { server, bodies, agent } = await meetServer(echo);
    let reads = 0;
    const message = {
      ...MESSAGE,
      get messageId() {
        reads += 1;
        return reads === 1 ? 'first' : '';
      },
    };
    await agent.sendMessage({ message });
    expect(bodies[0]).toContain('"messageId":"first"');
    await server.close();
  });

  it.each([
    ['a bigint', { message: { ...MESSAGE, metadata: { n: 1n } } }],
    ['a circle', { message: { ...MESSAGE, metadata: circle() } }],
  ])('that have no form in JSON are refused before they are sent: %s', async (_, params) => {
    const { server, bodies, agent } = await meetServer(echo);
    const ticket = await bench.ticketOf(agent.sendMessage(params as never));
    expect(ticket).toMatchObject({ code: 'InvalidParamsError', blocked: true, outcome: 'not-sent' });
    expect(bodies).toEqual([]);
    await server.close();
  });

  it.each(['.', '..', 'half a pair \ud800'])('cannot lead to another path over HTTP+JSON: %s', async (id) => {
    const { server, bodies, agent } = await meetServer(() => ({}), { binding: 'HTTP+JSON' });
    const ticket = await bench.ticketOf(agent.getTask({ id }));
    expect(ticket).toMatchObject({ code: 'InvalidParamsError', blocked: true, findings: [{ path: '/id' }] });
    expect(bodies).toEqual([]);
    await server.close();
  });
});

function circle(): object {
  const one: Record<string, unknown> = {};
  one.self = one;
  return one;
}

describe('credentials', () => {
  const card = { securitySchemes: { k: BEARER }, securityRequirements: [{ schemes: { k: { list: [] } } }] };

  it('that never come end with the time of the call; nothing is sent', async () => {
    const credentials = { k: () => new Promise<string>(() => {}) };
    const { server, bodies, agent } = await meetServer(echo, { card, options: { credentials } });
    const ticket = await bench.ticketOf(agent.sendMessage({ message: MESSAGE }, { timeoutMs: 50 }));
    expect(ticket).toMatchObject({ outcome: 'not-sent', findings: [{ id: 'wire-timeout' }] });
    expect(bodies).toEqual([]);
    await server.close();
  });

  it.each([
    ['an error page', 500, 'text/plain'],
    ['what is no JSON', 200, 'application/json'],
  ])('that an agent echoes in %s stay out of the ticket', async (_, status, type) => {
    const options = { credentials: { k: 's3cret-value' } };
    const { server, agent } = await meetServer(() => 'no access with s3cret-value', { card, status, type, options });
    const ticket = await bench.ticketOf(agent.sendMessage({ message: MESSAGE }));
    expect(JSON.stringify(ticket)).toContain('no access with [secret]');
    expect(JSON.stringify(ticket)).not.toContain('s3cret-value');
    await server.close();
  });

  const key = (location: string, name: string): object => ({ apiKeySecurityScheme: { location, name } });
  it.each([
    ['a header that the exchange owns', key('header', 'Content-Length')],
    ['a header of another line', key('header', 'a\r\nb')],
    ['a cookie of another line', key('cookie', 'a=b\r\nc: d\r\ne')],
    ['a scheme of another line', { httpAuthSecurityScheme: { scheme: 'Basic\r\na: b' } }],
  ])('do not go into %s, whatever the card says', async (_, scheme) => {
    const options = { credentials: { k: '5' } };
    const own = { ...card, securitySchemes: { k: scheme } };
    const { server, bodies, agent } = await meetServer(echo, { card: own, options });
    expect(agent.admit('SendMessage', { message: MESSAGE }).ticket?.code).toBe('CredentialsMissingError');
    const ticket = await bench.ticketOf(agent.sendMessage({ message: MESSAGE }));
    expect(ticket).toMatchObject({ code: 'CredentialsMissingError', outcome: 'not-sent' });
    expect(bodies).toEqual([]);
    await server.close();
  });
});

describe('answers', () => {
  it.each([
    ['nothing', undefined],
    ['a text', 'x'],
    ['no body', { status: 200, header: () => undefined }],
  ])('of a client that gives %s are a failure of the exchange', async (_, value) => {
    const client = { request: async () => value as never, stream: async () => value as never };
    const agent = await bench.guard({ client }).agent(soundCard({ capabilities: { streaming: true } }));
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }));
    expect(ticket).toMatchObject({ layer: 'transport', outcome: 'unknown' });
    bench.tickets.splice(0);
    const events = agent.sendStreamingMessage({ message: MESSAGE });
    expect((await bench.ticketOf(events.next())).layer).toBe('transport');
  });

  it('whose error has details without a bottom keep the error and lose the details', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const server = await startServer(({ body }, response) => {
      const { id } = JSON.parse(body) as { id: number };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32001,"message":"gone","data":${deep}}}`);
    });
    const supportedInterfaces = [{ url: `${server.origin}/x`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
    const agent = await bench.guard().agent(soundCard({ supportedInterfaces }));
    const error = (await thrown(agent.getTask({ id: 't' }))) as Error;
    expect(error).toMatchObject({ code: 'TaskNotFoundError' });
    expect(error.cause).toBeInstanceOf(RemoteError);
    expect((error.cause as RemoteError).data).toBeUndefined();
    await server.close();
  });

  it('that never end in place of a stream are left after the total time', async () => {
    const server = await startCrookedAgent('JSONRPC', ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    });
    const agent = await bench.guard({ limits: { totalMs: 200 } }).discover(server.origin);
    const ticket = await bench.ticketOf(agent.sendStreamingMessage({ message: MESSAGE }).next());
    expect(ticket.findings[0]?.id).toBe('wire-timeout');
    await server.close();
  });

  it('whose event grows past its limit after a settled task are refused, not taken for a good end', async () => {
    const server = await startCrookedAgent('JSONRPC', ({ events, response }) => {
      events({ task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } });
      response.write(`data: ${'x'.repeat(5000)}`);
    });
    const agent = await bench.guard({ limits: { eventBytes: 2000 } }).discover(server.origin);
    const error = await thrown(drain(agent.sendStreamingMessage({ message: MESSAGE })));
    expect(error).toMatchObject({ ticket: { findings: [{ id: 'wire-size' }] } });
    await server.close();
  });
});

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

describe('cards', () => {
  const idsOf = (card: object): string[] =>
    bench
      .guard()
      .checkCard(card)
      .findings.filter(({ severity }) => severity === 'error')
      .map(({ id }) => id);

  it.each([
    ['a version with a word in it', withInterface({ protocolVersion: '1.0.x' }), 'interface-version'],
    ['an empty user name', withInterface({ url: 'https://@parcels.example.com/a2a' }), 'interface-url'],
  ])('%s is an error', (_, card, id) => {
    expect(idsOf(card)).toContain(id);
  });

  it('null stays unset below a very long name', () => {
    const name = 'k'.repeat(200);
    const card = withScheme(BEARER);
    const schemes = { [name]: { httpAuthSecurityScheme: { scheme: 'bearer', description: null } } };
    const requirements = [{ schemes: { [name]: { list: [] } } }];
    expect(idsOf({ ...card, securitySchemes: schemes, securityRequirements: requirements })).toEqual([]);
  });
});

describe('options of discover', () => {
  it.each([
    [{ exact: 'yes' }, 'exact: expected true or false'],
    [{ signal: {} }, 'signal: expected an AbortSignal'],
    [null, 'discover: expected an object of options'],
  ])('%j is refused', async (options, message) => {
    await expect(bench.guard().discover('https://a.example', options as never)).rejects.toThrow(message);
  });
});
