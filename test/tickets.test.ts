import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createGuard, findTicket, GuardError, isGuardError, LAYERS, type Ticket } from '../src/index.ts';
import { createTicket, type Finding, type TicketFacts } from '../src/ticket.ts';
import { soundCard, soundInterface } from './support/cards.ts';
import { answer, startServer } from './support/server.ts';

const finding = (overrides: Partial<Finding> = {}): Finding => ({
  id: 'required-name',
  layer: 'spec',
  severity: 'error',
  path: '/name',
  keyword: 'required',
  message: 'The card has no name.',
  ...overrides,
});

const FACTS: TicketFacts = { layer: 'spec', code: 'CardSpecError', findings: [finding()] };

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

describe('a ticket', () => {
  it('has the facts that it was given and the rest by default', () => {
    expect(createTicket(FACTS)).toEqual({
      kind: 'a2a-failure-ticket',
      v: 1,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      layer: 'spec',
      code: 'CardSpecError',
      severity: 'error',
      blocked: false,
      message: 'The card has no name.',
      findings: [finding()],
      retryable: false,
      next: 'fix-card',
    });
  });

  it('has an id of its own', () => {
    expect(createTicket(FACTS).id).not.toBe(createTicket(FACTS).id);
  });

  it('is plain JSON', () => {
    const ticket = createTicket({ ...FACTS, agent: { name: 'Parcel Desk' }, rpcId: 1, taskId: 't-1', attempts: 2 });
    expect(JSON.parse(JSON.stringify(ticket))).toEqual(ticket);
    expect(Object.values(ticket)).not.toContain(undefined);
  });

  it('is frozen to its leaves, whatever was frozen before', () => {
    const agent = Object.freeze({ name: 'Parcel Desk' });
    expect(isDeeplyFrozen(createTicket({ ...FACTS, agent, findings: Object.freeze([finding()]) }))).toBe(true);
  });

  it('carries at most 20 findings, and errors are kept before warnings, in their order', () => {
    const warnings = Array.from({ length: 30 }, (_, i) => finding({ severity: 'warn', path: `/w${i}` }));
    const errors = Array.from({ length: 3 }, (_, i) => finding({ path: `/e${i}` }));
    const { findings, message } = createTicket({ ...FACTS, findings: [...warnings, ...errors] });
    expect(findings).toHaveLength(20);
    expect(findings.slice(-3).map(({ path }) => path)).toEqual(['/e0', '/e1', '/e2']);
    expect(findings.slice(0, 17).map(({ path }) => path)).toEqual(warnings.slice(0, 17).map(({ path }) => path));
    expect(message).toBe(errors[0]?.message);
  });

  it('carries the first 20 of many errors', () => {
    const errors = Array.from({ length: 50 }, (_, i) => finding({ path: `/e${i}` }));
    expect(createTicket({ ...FACTS, findings: errors }).findings).toEqual(errors.slice(0, 20));
  });

  it('has the JSON-RPC code of an A2A error, and none for a code of the guard', () => {
    expect(createTicket({ layer: 'capability', code: 'UnsupportedOperationError' }).jsonRpcCode).toBe(-32004);
    expect(createTicket({ layer: 'traffic', code: 'InvalidAgentResponseError' }).jsonRpcCode).toBe(-32006);
    expect(createTicket({ layer: 'capability', code: 'CredentialsMissingError' })).not.toHaveProperty('jsonRpcCode');
    expect(createTicket({ layer: 'agent', code: 'JsonRpcError', jsonRpcCode: -32050 }).jsonRpcCode).toBe(-32050);
  });

  it('says whose move it is, for every layer', () => {
    const moves = Object.fromEntries(
      LAYERS.map((layer) => [layer, createTicket({ layer, code: 'JsonRpcError' }).next]),
    );
    expect(moves).toEqual({
      discovery: 'check-network',
      parse: 'fix-card',
      schema: 'fix-card',
      spec: 'fix-card',
      trust: 'fix-card',
      interface: 'choose-agent',
      capability: 'fix-request',
      traffic: 'fix-response',
      transport: 'check-network',
      agent: 'none',
    });
    expect(createTicket({ layer: 'traffic', code: 'InvalidParamsError', direction: 'outgoing' }).next).toBe(
      'fix-request',
    );
  });
});

describe('GuardError', () => {
  const ticket = createTicket(FACTS);
  const error = new GuardError(ticket);

  it('says layer, code and sentence', () => {
    expect(error.message).toBe('[spec/CardSpecError] The card has no name.');
    expect(String(error)).toBe('GuardError: [spec/CardSpecError] The card has no name.');
    expect(error).toMatchObject({ name: 'GuardError', layer: 'spec', code: 'CardSpecError', ticket });
    expect(error).toBeInstanceOf(Error);
  });

  it('has a cause only when there is one', () => {
    expect('cause' in error).toBe(false);
    const cause = new Error('socket');
    expect(new GuardError(ticket, cause).cause).toBe(cause);
  });

  it('is known by its brand in another copy of the module, though its class is another', async () => {
    vi.resetModules();
    const other = await import('../src/ticket.ts');
    expect(other.GuardError).not.toBe(GuardError);
    const foreign = new other.GuardError(ticket);
    expect(foreign).not.toBeInstanceOf(GuardError);
    expect(isGuardError(foreign)).toBe(true);
    expect(other.isGuardError(error)).toBe(true);
    expect(findTicket(new Error('outer', { cause: foreign }))).toBe(ticket);
  });

  it.each([null, undefined, 'GuardError', new Error('x'), { name: 'GuardError', ticket: {} }, [], () => ({})])(
    'nothing else is one: %s',
    (value) => expect(isGuardError(value)).toBe(false),
  );
});

describe('findTicket', () => {
  const ticket = createTicket(FACTS);
  const wrap = (cause: unknown): Error => new Error('outer', { cause });

  it('finds the ticket of the error itself', () => expect(findTicket(new GuardError(ticket))).toBe(ticket));

  it('finds it behind errors of other libraries', () => {
    expect(findTicket(wrap(wrap(wrap(new GuardError(ticket)))))).toBe(ticket);
    expect(findTicket({ cause: new GuardError(ticket) })).toBe(ticket);
  });

  it('takes the nearest of several', () => {
    const outer = createTicket({ layer: 'transport', code: 'TransportError' });
    expect(findTicket(wrap(new GuardError(outer, new GuardError(ticket))))).toBe(outer);
  });

  it('ends at a cycle', () => {
    const a = new Error('a');
    const b = new Error('b', { cause: a });
    a.cause = b;
    expect(findTicket(a)).toBeUndefined();
    const self: { cause?: unknown } = {};
    self.cause = self;
    expect(findTicket(self)).toBeUndefined();
  });

  it.each([undefined, null, 'text', 5, new Error('plain'), wrap('text'), wrap(null)])('finds none in %s', (value) => {
    expect(findTicket(value)).toBeUndefined();
  });
});

describe('no ticket shows a secret of a URL', () => {
  const SECRET = 'hunter2-hunter2';
  const fixture = readFileSync(new URL('fixtures/articles/green-card.json', import.meta.url), 'utf8');
  let body: unknown = fixture;
  let status = 200;
  let location: string | undefined;
  const server = startServer((_request, response) => {
    answer(response, body, status, {
      'content-type': 'application/json',
      ...(location !== undefined && { location }),
    });
  });
  afterAll(async () => (await server).close());

  async function ticketsOf(
    act: (guard: ReturnType<typeof createGuard>, origin: string) => Promise<unknown>,
  ): Promise<Ticket[]> {
    const tickets: Ticket[] = [];
    const guard = createGuard({ network: { allowLoopback: true }, onTicket: (ticket) => tickets.push(ticket) });
    const error: unknown = await act(guard, (await server).origin).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    await guard.close();
    expect(isGuardError(error), String(error)).toBe(true);
    expect(String(error)).not.toContain(SECRET);
    return tickets;
  }

  const clean = (tickets: readonly Ticket[]): void => {
    expect(tickets).not.toEqual([]);
    expect(JSON.stringify(tickets)).not.toContain(SECRET);
  };

  it('the query of a card URL that does not answer', async () => {
    clean(await ticketsOf((guard) => guard.discover(`http://127.0.0.1:1/card.json?token=${SECRET}#${SECRET}`)));
  });

  it('the query of a card URL whose card is red', async () => {
    body = {};
    clean(await ticketsOf((guard, origin) => guard.discover(`${origin}/card.json?token=${SECRET}`)));
  });

  it('the target of a redirect', async () => {
    [status, location] = [302, `https://user:${SECRET}@other.example.com/card.json?token=${SECRET}`];
    clean(await ticketsOf((guard, origin) => guard.discover(`${origin}/card.json`)));
    [status, location] = [200, undefined];
  });

  it('the query of a card URL that was configured', async () => {
    const cardUrl = `https://parcels.example.com/card.json?token=${SECRET}`;
    clean(await ticketsOf((guard) => guard.agent(soundCard({ name: '' }), { cardUrl })));
  });

  it('the user name of a card URL that was configured', async () => {
    const cardUrl = `https://${SECRET}:${SECRET}@parcels.example.com/card.json`;
    clean(await ticketsOf((guard) => guard.agent(soundCard({ name: '' }), { cardUrl })));
  });

  it('the user name of an interface', async () => {
    const url = `https://${SECRET}:${SECRET}@parcels.example.com/a2a`;
    clean(await ticketsOf((guard) => guard.agent(soundCard({ supportedInterfaces: [soundInterface({ url })] }))));
  });

  it('the query of an interface', async () => {
    const url = `https://parcels.example.com/a2a?key=${SECRET}`;
    const card = soundCard({ supportedInterfaces: [soundInterface({ url })] });
    clean(await ticketsOf(async (guard) => (await guard.agent(card)).sendMessage({} as never)));
  });

  it('the query of a required extension', async () => {
    const uri = `https://user:${SECRET}@parcels.example.com/x?key=${SECRET}`;
    const card = soundCard({ capabilities: { extensions: [{ uri, required: true }] } });
    const guard = createGuard({ rules: { 'no-secret': 'off' } });
    const verdict = (await guard.agent(card)).admit('GetTask', { id: 't-1' });
    expect(verdict.ticket?.code).toBe('ExtensionSupportRequiredError');
    clean([verdict.ticket as Ticket]);
  });

  it('the text of a message', async () => {
    const card = soundCard({ defaultInputModes: ['image/png'] });
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: SECRET }], metadata: { [SECRET]: SECRET } };
    clean(await ticketsOf(async (guard) => (await guard.agent(card)).sendMessage({ message } as never)));
  });

  it('a credential', async () => {
    const card = soundCard({
      supportedInterfaces: [soundInterface({ url: 'http://127.0.0.1:1/a2a' })],
      securitySchemes: { key: { apiKeySecurityScheme: { location: 'query', name: 'key' } } },
      securityRequirements: [{ schemes: { key: {} } }],
    });
    const tickets: Ticket[] = [];
    const guard = createGuard({
      network: { allowLoopback: true },
      credentials: { key: SECRET },
      onTicket: (ticket) => tickets.push(ticket),
    });
    const error: unknown = await (await guard.agent(card)).getTask({ id: 't-1' }).catch((reason: unknown) => reason);
    await guard.close();
    expect(isGuardError(error)).toBe(true);
    expect(String(error)).not.toContain(SECRET);
    clean(tickets);
  });
});
