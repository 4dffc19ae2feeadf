import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { assembleGuard, type Guard } from '../../src/guard.ts';
import { createGuard, type GuardOptions, type HttpRequest } from '../../src/index.ts';
import { answersTo, openCard, operationsOf, paramsOf, WAYS, type Way } from '../support/answers.ts';
import { CARD_URL } from '../support/cards.ts';
import { anyCardBytes, expectCleanPrototypes, settled } from '../support/hostile-values.ts';
import { brokenBytes } from '../support/json-text.ts';
import { changed } from '../support/mutate.ts';
import { runs } from '../support/runs.ts';
import { type Served, serve, toResponse } from '../support/serving-client.ts';

afterEach(expectCleanPrototypes);

const SPEAKS: GuardOptions = { speaks: WAYS.map(({ binding, version }) => ({ binding, versions: [version] })) };
/** What a platform's fetch breaks with. */
const BROKEN = new TypeError('terminated');

/** A guard whose fetch is carried by a platform that answers with this. */
function guardOver(answer: Served, options: GuardOptions): { guard: Guard; seen: (string | URL | Request)[] } {
  const seen: (string | URL | Request)[] = [];
  const broken = answer.breaks === undefined ? answer : { ...answer, breaks: BROKEN };
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    seen.push(input);
    return toResponse(broken);
  };
  const client = serve(() => answer);
  return { guard: assembleGuard({ ...SPEAKS, client, ...options }, { fetch: () => fetch }), seen };
}

/** The request that our own client would send for each operation, for another client to send. */
async function requestsOf(way: Way): Promise<readonly HttpRequest[]> {
  const client = serve(() => ({ status: 500, headers: {}, pieces: [] }));
  const agent = await createGuard({ ...SPEAKS, client }).agent(openCard(way));
  for (const operation of operationsOf(way)) {
    const called = agent.call(operation.name, paramsOf(operation, way));
    await settled(() => (called instanceof Promise ? called : called.next()));
  }
  return client.asked;
}

const send = (guard: Guard, { url, method, headers, body }: HttpRequest, other = body): Promise<Response> =>
  guard.fetch(url, { method, headers, ...(other !== undefined && { body: other }) });

const isBroken = (error: unknown): boolean => error === BROKEN;

const options = fc.record<GuardOptions>(
  {
    preset: fc.constantFrom('strict', 'interop'),
    mode: fc.constantFrom('enforce', 'observe'),
    refuse: fc.constantFrom('throw', 'answer'),
  },
  { requiredKeys: [] },
);

describe.each(WAYS)('$binding $version through fetch', (way) => {
  it('whatever the agent answers is a response or a GuardError', async () => {
    const requests = await requestsOf(way);
    const exchange = fc.oneof(
      ...operationsOf(way).map((operation, index) => {
        const request = requests[index] as HttpRequest;
        const { id = 0 } = request.body === undefined ? {} : (JSON.parse(request.body) as { id?: number });
        return fc.tuple(fc.constant(request), answersTo(operation, way, id));
      }),
    );
    const ended = { response: 0, error: 0 };
    await fc.assert(
      fc.asyncProperty(exchange, options, async ([request, answer], more) => {
        const { guard, seen } = guardOver(answer, more);
        await guard.agent(openCard(way));
        const body = await settled(async () => {
          const response = await send(guard, request);
          return response.arrayBuffer();
        }, isBroken);
        expect(seen).toHaveLength(1);
        ended[body === undefined ? 'error' : 'response'] += 1;
      }),
      runs(80),
    );
    expect(ended.response).toBeGreaterThan(10);
    expect(ended.error).toBeGreaterThan(10);
  });

  it('whatever the client sends is a response or a GuardError', async () => {
    const requests = await requestsOf(way);
    const bodies = requests.map(({ body }): unknown => (body === undefined ? {} : JSON.parse(body)));
    const sent = fc.nat({ max: requests.length - 1 }).chain((index) => {
      const value = changed(fc.constant(bodies[index]));
      const body = fc.oneof(
        value.map((given) => JSON.stringify(given)),
        brokenBytes(value),
        fc.string(),
      );
      return fc.tuple(fc.constant(requests[index] as HttpRequest), body);
    });
    const answer: Served = { status: 200, headers: { 'content-type': 'application/json' }, pieces: [] };
    const ended = { response: 0, error: 0 };
    await fc.assert(
      fc.asyncProperty(sent, options, async ([request, body], more) => {
        const { guard } = guardOver(answer, more);
        await guard.agent(openCard(way));
        const given = request.method === 'POST' ? (body as string) : undefined;
        const text = await settled(async () => (await send(guard, request, given)).text(), isBroken);
        ended[text === undefined ? 'error' : 'response'] += 1;
      }),
      runs(80),
    );
    expect(ended.response).toBeGreaterThan(10);
    expect(ended.error).toBeGreaterThan(10);
  });
});

it('whatever is served for a card is a response or a GuardError', async () => {
  await fc.assert(
    fc.asyncProperty(anyCardBytes, options, async (bytes, more) => {
      const { guard } = guardOver({ status: 200, headers: {}, pieces: [bytes] }, more);
      const body = await settled(async () => new Uint8Array(await (await guard.fetch(CARD_URL)).arrayBuffer()));
      if (body !== undefined) expect(body).toEqual(new Uint8Array(bytes));
    }),
    runs(80),
  );
});
