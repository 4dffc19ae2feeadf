import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type Operation, shapesOfOperation } from '../../src/call/operations.ts';
import { createGuard, findTicket, type GuardOptions, type Verdict } from '../../src/index.ts';
import { openCard, operationsOf, paramsOf, WAYS, type Way } from '../support/answers.ts';
import type { Json } from '../support/cards.ts';
import { expectCleanPrototypes, settled } from '../support/hostile-values.ts';
import { changed } from '../support/mutate.ts';
import { mutated, sound } from '../support/payloads.ts';
import { runs } from '../support/runs.ts';
import { serve } from '../support/serving-client.ts';

afterEach(expectCleanPrototypes);

const EXTENSION = 'https://parcels.example.com/extensions/tracking';

const headerNames = ['X-API-Key', 'Authorization', 'Content-Length', 'A2A-Version', 'Host', 'two words', 'a\r\nb', ''];
const apiKey = fc.record({
  location: fc.constantFrom('header', 'query', 'cookie'),
  name: fc.constantFrom(...headerNames),
});
const http = fc.record({ scheme: fc.constantFrom('bearer', 'Basic', 'digest', 'x y', 'a\r\nb: c') });
const scheme: fc.Arbitrary<Json> = fc.oneof(
  apiKey.map((apiKeySecurityScheme) => ({ apiKeySecurityScheme })),
  http.map((httpAuthSecurityScheme) => ({ httpAuthSecurityScheme })),
  fc.constant({ mtlsSecurityScheme: {} }),
);

const requirement = fc
  .subarray(['one', 'two'], { minLength: 1 })
  .map((names) => ({ schemes: Object.fromEntries(names.map((name) => [name, { list: [] }])) }));

/** What a card may ask of its callers. */
const demands: fc.Arbitrary<Json> = fc.record(
  {
    securitySchemes: fc.record({ one: scheme, two: scheme }),
    securityRequirements: fc.array(requirement, { maxLength: 2 }),
    defaultInputModes: fc.constantFrom(['text/plain'], ['image/png'], ['text'], ['*/*']),
    defaultOutputModes: fc.constantFrom(['text/plain'], ['application/json']),
    capabilities: fc.record(
      {
        streaming: fc.boolean(),
        pushNotifications: fc.boolean(),
        extendedAgentCard: fc.boolean(),
        extensions: fc.array(fc.record({ uri: fc.constant(EXTENSION), required: fc.boolean() }), { maxLength: 1 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const secret = fc.constantFrom('s3cret', ' ', 'line\nend', 'h\u00e9', '\u20ac');
const options: fc.Arbitrary<GuardOptions> = fc.record(
  {
    preset: fc.constantFrom('strict', 'interop'),
    extensions: fc.subarray([EXTENSION]),
    credentials: fc.record({ one: secret, two: secret, other: secret }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

function paramsFor(operation: Operation, way: Way): fc.Arbitrary<unknown> {
  const { params } = shapesOfOperation(operation, way.version);
  const right = fc.constant<unknown>(paramsOf(operation, way));
  if (params === undefined) return right;
  return fc.oneof(
    { weight: 4, arbitrary: right },
    { weight: 2, arbitrary: sound(params, way.version) },
    { weight: 2, arbitrary: mutated(params, way.version) },
    { weight: 2, arbitrary: changed(right) },
    { weight: 1, arbitrary: fc.anything({ maxDepth: 2, withBigInt: true }) },
  );
}

const reasonsOf = ({ findings }: Pick<Verdict, 'findings'>): string[] =>
  findings.map(({ severity, id, path }) => `${severity} ${id} ${path}`);

describe('what may be called is called, and nothing else', () => {
  it.each(WAYS)('$binding $version: a call is refused for the reason that admit gives', async (way) => {
    const call = fc.oneof(
      ...operationsOf(way).map((operation) => fc.tuple(fc.constant(operation), paramsFor(operation, way))),
    );
    const skill = fc.constantFrom(undefined, undefined, undefined, 'track', 'none');
    const ended = { sent: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(demands, options, call, skill, async (asks, more, [operation, params], skillId) => {
        const client = serve(() => ({ status: 500, headers: {}, pieces: [] }));
        const guard = createGuard({ speaks: [{ binding: way.binding, versions: [way.version] }], client, ...more });
        const card = { ...openCard(way), ...asks };
        if (!guard.checkCard(card).ok) return;
        const agent = await guard.agent(card);
        const skilled = skillId === undefined ? {} : { skillId };
        const verdict = agent.admit(operation.name, params, skilled);
        const called = agent.call(operation.name, params, skilled);
        const error: unknown = await (called instanceof Promise ? called : called.next()).then(
          () => expect.fail('an answer of 500 is no value'),
          (reason: unknown) => reason,
        );
        const ticket = findTicket(error) ?? expect.fail(`no ticket: ${String(error)}`);
        expect({
          ok: verdict.ok,
          refused: ticket.blocked,
          asked: client.asked.length,
          because: ticket.message,
        }).toEqual({
          ok: verdict.ok,
          refused: !verdict.ok,
          asked: verdict.ok ? 1 : 0,
          because: verdict.ticket?.message ?? ticket.message,
        });
        if (verdict.ticket !== undefined) {
          expect([ticket.layer, ticket.code]).toEqual([verdict.ticket.layer, verdict.ticket.code]);
          expect(reasonsOf(ticket)).toEqual(reasonsOf(verdict.ticket));
        }
        for (const text of Object.values(client.asked[0]?.headers ?? {})) expect(text).not.toMatch(/[\r\n\0]/);
        ended[verdict.ok ? 'sent' : 'refused'] += 1;
      }),
      runs(200),
    );
    expect(ended.sent).toBeGreaterThan(20);
    expect(ended.refused).toBeGreaterThan(20);
  });

  it.each(WAYS)('$binding $version: in observe mode nothing holds a call back but what cannot be sent', async (way) => {
    const call = fc.oneof(
      ...operationsOf(way).map((operation) => fc.tuple(fc.constant(operation), paramsFor(operation, way))),
    );
    await fc.assert(
      fc.asyncProperty(call, async ([operation, params]) => {
        const client = serve(() => ({ status: 500, headers: {}, pieces: [] }));
        const speaks = [{ binding: way.binding, versions: [way.version] }];
        const agent = await createGuard({ speaks, client, mode: 'observe' }).agent(openCard(way));
        const called = agent.call(operation.name, params);
        expect(await settled(() => (called instanceof Promise ? called : called.next()))).toBeUndefined();
        expect(client.asked).toHaveLength(1);
      }),
      runs(100),
    );
  });

  it('an object that rides in a query is written as JSON', async () => {
    const way: Way = { binding: 'HTTP+JSON', version: '0.3' };
    const client = serve(() => ({ status: 500, headers: {}, pieces: [] }));
    const guard = createGuard({ speaks: [{ binding: 'HTTP+JSON', versions: ['0.3'] }], client });
    const agent = await guard.agent(openCard(way));
    const metadata = { toString: 'x' };
    await settled(() => agent.call('GetTask', { id: 't-1', metadata }) as Promise<unknown>);
    expect(new URL(client.asked[0]?.url ?? '').searchParams.get('metadata')).toBe(JSON.stringify(metadata));
  });
});
