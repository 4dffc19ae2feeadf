import { describe, expect, it } from 'vitest';
import type { GuardOptions } from '../src/index.ts';
import { type CardChanges, sampleCard, say, useBench } from './support/sdk-agent.ts';
import { answer, startServer } from './support/server.ts';

const bench = useBench();
const bearer: CardChanges = {
  securitySchemes: { token: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
  securityRequirements: [{ schemes: { token: { list: [] } } }],
};
const HELLO = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };

/** While it is on, an answer of 401 has a body that never ends. */
const stall = { on: false };

/** An agent that asks for a token, and has an extended card for those who have one. */
async function serve(extended: CardChanges = {}, card: CardChanges = {}, options: GuardOptions = {}) {
  const state = { refuses: false };
  const server = await startServer(({ headers, body, path }, response) => {
    const open = { ...sampleCard(`${server.origin}/a2a`), ...bearer, ...card };
    if (path.includes('well-known')) return answer(response, open);
    if (stall.on) return void response.writeHead(401, { 'content-type': 'text/plain' }).write('no');
    if (state.refuses || headers.authorization !== 'Bearer mine') {
      return answer(response, '', 401, { 'www-authenticate': 'Bearer realm="parcels"' });
    }
    const { id, method } = JSON.parse(body) as { id: unknown; method: string };
    const result = method === 'GetExtendedAgentCard' ? { ...open, ...extended } : { task: HELLO };
    answer(response, { jsonrpc: '2.0', id, result });
  });
  return { server, state, agent: await bench.guard(options).discover(server.origin) };
}

const methods = (seen: readonly { body: string }[]): unknown[] =>
  seen.filter(({ body }) => body !== '').map(({ body }) => (JSON.parse(body) as { method: unknown }).method);

describe('a session', () => {
  it('has the extended card, whose flags and modes count in it and nowhere else', async () => {
    const { server, agent } = await serve({ name: 'Parcel Desk for Staff', capabilities: { extendedAgentCard: true } });
    const session = await agent.session({ credentials: { token: async () => 'mine' } });
    expect([agent.card.name, session.card.name]).toEqual(['Parcel Desk', 'Parcel Desk for Staff']);
    expect(session.admit('SendStreamingMessage', say('x')).findings[0]?.id).toBe('capability-streaming');
    expect(agent.admit('SendStreamingMessage', say('x')).findings.map(({ id }) => id)).toEqual([
      'capability-credentials',
    ]);
    expect(await session.sendMessage(say('hello'))).toEqual({ task: HELLO });
    expect(methods(server.seen)).toEqual(['GetExtendedAgentCard', 'SendMessage']);
    expect(bench.tickets).toEqual([]);
    await server.close();
  });

  it('does not ask for an extended card that is not declared', async () => {
    const { server, agent } = await serve({}, { capabilities: {} });
    const session = await agent.session({ credentials: { token: 'mine' } });
    expect(session.card).toEqual(agent.card);
    expect(methods(server.seen)).toEqual([]);
    await session.sendMessage(say('hello'));
    expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer mine');
    await server.close();
  });

  it('is not opened on an extended card that is red', async () => {
    const { server, agent } = await serve({ name: '' });
    const ticket = await bench.ticketOf(agent.session({ credentials: { token: 'mine' } }));
    expect(ticket).toMatchObject({ layer: 'spec', operation: 'GetExtendedAgentCard' });
    await server.close();
  });

  it('ends with an answer of 401: nothing is sent in it any more', async () => {
    const { server, state, agent } = await serve({}, { capabilities: {} });
    const [session, other] = [
      await agent.session({ credentials: { token: 'mine' } }),
      await agent.session({ credentials: { token: 'mine' } }),
    ];
    state.refuses = true;
    expect(await bench.ticketOf(session.sendMessage(say('hello')))).toMatchObject({ httpStatus: 401 });
    bench.tickets.splice(0);
    state.refuses = false;
    const before = server.seen.length;
    const ticket = await bench.ticketOf(session.sendMessage(say('hello')));
    expect(ticket).toMatchObject({ layer: 'capability', code: 'CredentialsMissingError', blocked: true });
    expect(ticket).toMatchObject({ next: 'authenticate' });
    expect(server.seen).toHaveLength(before);
    await other.sendMessage(say('hello'));
    await server.close();
  });

  it('keeps what an agent showed in it to itself', async () => {
    const { server, agent } = await serve({}, { capabilities: {} });
    const session = await agent.session({ credentials: { token: 'mine' } });
    await session.sendMessage(say('hello'));
    const toIt = { ...say('again'), message: { ...say('again').message, taskId: 't' } };
    expect(session.admit('SendMessage', toIt).findings.map(({ id }) => id)).toEqual(['task-terminal']);
    expect(agent.admit('SendMessage', toIt).findings.map(({ id }) => id)).toEqual(['capability-credentials']);
    await server.close();
  });

  it.each([
    ['no options', undefined],
    ['no credentials', {}],
    ['an unknown option', { credentials: {}, user: 'x' }],
    ['a credential that is none', { credentials: { token: 5 } }],
  ])('is not opened with %s', async (_, options) => {
    const { server, agent } = await serve();
    await expect(agent.session(options as never)).rejects.toThrow(TypeError);
    await server.close();
  });
});

describe('a session is not led astray', () => {
  const evil = 'https://evil.example.net/a2a';

  it('by an extended card that names another host: it gets no credentials', async () => {
    const { server, agent: known } = await serve({ supportedInterfaces: sampleCard(evil).supportedInterfaces });
    const agent = await bench.guard().agent(known.card as object);
    const session = await agent.session({ credentials: { token: 'mine' } });
    expect(session.report.findings.map(({ id }) => id)).toContain('interface-origin');
    expect(session.admit('GetTask', { id: 't' }).findings[0]).toMatchObject({ id: 'capability-credentials' });
    await server.close();
  });

  it('by an unsigned extended card where a signature is required', async () => {
    const { server, agent: known } = await serve();
    const options: GuardOptions = { signatures: 'require', mode: 'observe', credentials: { token: 'mine' } };
    const agent = await bench.guard(options).agent(known.card as object);
    bench.tickets.splice(0);
    await agent.getExtendedAgentCard();
    expect(bench.tickets).toMatchObject([{ layer: 'trust', findings: [{ id: 'signature-verified' }] }]);
    await server.close();
  });

  it('by a 401 whose body never ends', async () => {
    const { server, agent } = await serve({}, { capabilities: {} }, { limits: { idleMs: 100 } });
    const session = await agent.session({ credentials: { token: 'other' } });
    stall.on = true;
    const ticket = await bench.ticketOf(session.sendMessage(say('hello')));
    stall.on = false;
    expect(ticket).toMatchObject({ httpStatus: 401 });
    expect(session.admit('SendMessage', say('x')).ok).toBe(false);
    await server.close();
  });

  it('by a rule: what ended has ended', async () => {
    const { server, agent } = await serve({}, { capabilities: {} }, { rules: { 'capability-credentials': 'warn' } });
    const session = await agent.session({ credentials: { token: 'other' } });
    await expect(session.sendMessage(say('hello'))).rejects.toMatchObject({ ticket: { httpStatus: 401 } });
    expect(session.admit('SendMessage', say('x')).ok).toBe(false);
    await server.close();
  });
});

describe('an interface on another host than the card', () => {
  const elsewhere = 'https://calls.example.net/a2a';
  const card = { ...sampleCard(elsewhere), ...bearer };
  const cardUrl = 'https://agents.example.com/.well-known/agent-card.json';
  const credentials = { token: 'mine' };

  it('gets no credentials', async () => {
    const agent = await bench.guard({ credentials }).agent(card, { cardUrl });
    const [finding] = agent.admit('GetTask', { id: 't' }).findings;
    expect(finding).toMatchObject({ id: 'capability-credentials', message: expect.stringContaining('allowOrigins') });
  });

  it.each([
    ['that network.allowOrigins lists', { network: { allowOrigins: ['https://calls.example.net'] } }, cardUrl],
    ['of a card that came from nowhere', {}, undefined],
  ])('gets them %s', async (_, options, from) => {
    const agent = await bench
      .guard({ credentials, ...options })
      .agent(card, from === undefined ? {} : { cardUrl: from });
    expect(agent.admit('GetTask', { id: 't' })).toMatchObject({ ok: true });
  });
});
