import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shapesOfOperation } from '../../src/call/operations.ts';
import { assembleGuard } from '../../src/guard.ts';
import { createGuard, type GuardOptions, type Ticket } from '../../src/index.ts';
import { openCard, operationsOf, paramsOf, soundResult, WAYS, type Way } from '../support/answers.ts';
import { type Json, soundCard, soundInterface } from '../support/cards.ts';
import { settled } from '../support/hostile-values.ts';
import { changed, holdersOf } from '../support/mutate.ts';
import { sound } from '../support/payloads.ts';
import { runs } from '../support/runs.ts';
import { type Served, serve, toResponse } from '../support/serving-client.ts';

/** What stands in the content, and must stand in no ticket. */
const MARK = 'mark4711';

/** The same in bytes. */
const RAW = Buffer.from(MARK).toString('base64');

/** Members whose text is content, and those whose names are too. Of a card, no name of a member is. */
const TEXTS = /^(?:text|url|uri|bytes|filename|name|description|token|credentials|message)$/;
const STRUCTS = /^(?:data|metadata|details)$/;

function markAll(value: unknown): unknown {
  if (typeof value === 'string') return `${MARK} ${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return [...value.map(markAll), MARK];
  return Object.fromEntries(
    [...Object.entries(value), ['x', MARK]].map(([key, item]) => [`${MARK}${key}`, markAll(item)]),
  );
}

/** The value with the mark in all its content: texts, data, metadata with its keys, files, URLs, tokens. */
function marked(value: unknown, isCard = false): unknown {
  const copy = structuredClone(value);
  for (const holder of holdersOf(copy)) {
    if (Array.isArray(holder)) continue;
    for (const [key, item] of Object.entries(holder)) {
      if ((STRUCTS.test(key) && !isCard) || (TEXTS.test(key) && typeof item === 'string')) holder[key] = markAll(item);
      else if (key === 'raw') holder[key] = RAW;
    }
  }
  return copy;
}

function clean(tickets: readonly unknown[]): void {
  const text = JSON.stringify(tickets);
  expect(text.toLowerCase()).not.toContain(MARK);
  expect(text).not.toContain(RAW.replace(/=+$/, ''));
}

const json = (value: unknown): Served => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer' },
  pieces: [Buffer.from(JSON.stringify(value))],
});

const stream = (values: readonly unknown[]): Served => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  pieces: [Buffer.from(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''))],
});

/** An answer with the mark in it: a result, or the agent's error. */
function answersTo(operation: ReturnType<typeof operationsOf>[number], way: Way): fc.Arbitrary<Served> {
  const frame = way.binding === 'JSONRPC' ? { jsonrpc: '2.0', id: 1 } : {};
  const said = soundResult(operation, way).map((value) => marked(value, operation.result === 'AgentCard'));
  const result = fc.oneof(changed(said), said);
  const error = { code: -32001, message: MARK, data: [{ '@type': MARK, reason: MARK, metadata: { [MARK]: MARK } }] };
  const body = fc.oneof(
    { weight: 5, arbitrary: result.map((value) => (way.binding === 'JSONRPC' ? { ...frame, result: value } : value)) },
    { weight: 1, arbitrary: changed(fc.constant<unknown>({ ...frame, error })) },
  );
  return operation.streams ? fc.array(body, { minLength: 1, maxLength: 4 }).map(stream) : body.map(json);
}

function listen(): { readonly tickets: Ticket[]; readonly options: GuardOptions } {
  const tickets: Ticket[] = [];
  return { tickets, options: { onTicket: (ticket) => void tickets.push(ticket) } };
}

describe.each(WAYS)('$binding $version: no ticket has a word of', (way) => {
  const speaks = [{ binding: way.binding, versions: [way.version] }];

  it('what the agent says', async () => {
    let seen = 0;
    const exchange = fc.oneof(
      ...operationsOf(way).map((operation) => fc.tuple(fc.constant(operation), answersTo(operation, way))),
    );
    await fc.assert(
      fc.asyncProperty(exchange, async ([operation, answer]) => {
        const { tickets, options } = listen();
        const agent = await createGuard({ ...options, speaks, client: serve(() => answer) }).agent(openCard(way));
        const called = agent.call(operation.name, paramsOf(operation, way));
        await settled(async () => {
          if (called instanceof Promise) return called;
          for await (const _ of called);
        });
        seen += tickets.length;
        clean(tickets);
      }),
      runs(150),
    );
    expect(seen).toBeGreaterThan(20);
  });

  it('what the caller says', async () => {
    let seen = 0;
    const call = fc.oneof(
      ...operationsOf(way).flatMap((operation) => {
        const { params } = shapesOfOperation(operation, way.version);
        if (params === undefined) return [];
        const value = fc.oneof(sound(params, way.version), fc.constant(paramsOf(operation, way)));
        return [fc.tuple(fc.constant(operation), changed(value.map((given) => marked(given))))];
      }),
    );
    await fc.assert(
      fc.asyncProperty(call, async ([operation, params]) => {
        const { tickets, options } = listen();
        const client = serve(() => json({}));
        const agent = await createGuard({ ...options, speaks, client }).agent(openCard(way));
        const called = agent.call(operation.name, params);
        await settled(() => (called instanceof Promise ? called : called.next()));
        seen += tickets.length;
        clean([...tickets, agent.admit(operation.name, params)]);
      }),
      runs(150),
    );
    expect(seen).toBeGreaterThan(20);
  });
});

const SECRET_URL = `https://user:${MARK}@agents.example.com/a2a?key=${MARK}#${MARK}`;
const QUERY_URL = `https://agents.example.com/a2a?key=${MARK}`;

describe('no ticket has', () => {
  it('user, password, query or fragment of a URL in a card', async () => {
    const url = fc.constantFrom(SECRET_URL, QUERY_URL, 'https://parcels.example.com/a2a');
    const card: fc.Arbitrary<Json> = fc.record({ one: url, two: url, three: url }).map(({ one, two, three }) =>
      soundCard({
        supportedInterfaces: [soundInterface({ url: one }), soundInterface({ url: two, protocolVersion: '2.0' })],
        provider: { organization: 'Parcel Desk Ltd', url: three },
        documentationUrl: two,
        iconUrl: one,
        capabilities: { extensions: [{ uri: three, required: true }] },
        securitySchemes: {
          k: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: two, scopes: {} } } } },
        },
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(card, changed(card)), url, async (given, cardUrl) => {
        const { tickets, options } = listen();
        const guard = createGuard({ ...options, client: serve(() => json({})), preset: 'interop' });
        await settled(async () => {
          const agent = await guard.agent(given, { cardUrl });
          await agent.getTask({ id: 't-1' });
        });
        clean(tickets);
      }),
      runs(200),
    );
  });

  it.each([200, 302, 401, 404, 500])(
    'those of the URL that is discovered, or redirected to: HTTP %i',
    async (status) => {
      const { tickets, options } = listen();
      const headers = { location: SECRET_URL, 'content-type': 'text/html' };
      const client = serve(() => ({ status, headers, pieces: [] }));
      const guard = createGuard({ ...options, client });
      for (const exact of [true, false]) await settled(() => guard.discover(`${QUERY_URL}#${MARK}`, { exact }));
      await expect(guard.discover(SECRET_URL)).rejects.toThrow(/^(?!.*mark4711).*leave user name and password out/);
      expect(tickets.length).toBeGreaterThan(0);
      clean(tickets);
    },
  );

  it('those of a URL that goes through fetch', async () => {
    const { tickets, options } = listen();
    const client = serve(() => ({ status: 404, headers: {}, pieces: [] }));
    const guard = assembleGuard({ ...options, client }, { fetch: () => async () => toResponse(json({})) });
    await guard.agent(soundCard({ supportedInterfaces: [soundInterface({ url: 'https://agents.example.com/b' })] }));
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: { text: MARK } } });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${MARK}` };
    for (const url of [QUERY_URL, `https://other.example.com/?${MARK}`]) {
      await settled(() => guard.fetch(url, { method: 'POST', body, headers }));
    }
    expect(tickets).toHaveLength(2);
    clean(tickets);
  });

  it('a credential that the agent shows again, wherever it does', async () => {
    const place = fc.constantFrom<Json>(
      { httpAuthSecurityScheme: { scheme: 'bearer' } },
      { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
      { apiKeySecurityScheme: { location: 'query', name: 'key' } },
      { apiKeySecurityScheme: { location: 'cookie', name: 'key' } },
    );
    const text = fc.tuple(fc.string({ maxLength: 120 }), fc.string()).map(([before, after]) => before + MARK + after);
    const shown = fc.record<Served>({
      status: fc.constantFrom(200, 401, 500),
      headers: fc.constantFrom('text/plain', 'application/json', 'text/html').map((type) => ({ 'content-type': type })),
      pieces: text.map((body) => [Buffer.from(body)]),
    });
    await fc.assert(
      fc.asyncProperty(place, shown, fc.boolean(), async (scheme, answer, byCaller) => {
        const { tickets, options } = listen();
        const card = { securitySchemes: { k: scheme }, securityRequirements: [{ schemes: { k: { list: [] } } }] };
        const guard = createGuard({ ...options, client: serve(() => answer), credentials: { k: MARK } });
        const agent = await guard.agent(soundCard(card));
        const headers = byCaller ? { authorization: `Bearer ${MARK}`, 'x-api-key': MARK } : {};
        await settled(() => agent.getTask({ id: 't-1' }, { headers }));
        expect(tickets.length).toBeGreaterThan(0);
        clean(tickets);
      }),
      runs(200),
    );
  });
});
