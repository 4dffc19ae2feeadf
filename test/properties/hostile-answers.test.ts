import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuard, type GuardOptions, type Ticket } from '../../src/index.ts';
import { answersTo, openCard, operationsOf, paramsOf, WAYS, type Way } from '../support/answers.ts';
import { anyCardBytes, expectCleanPrototypes, settled } from '../support/hostile-values.ts';
import { runs } from '../support/runs.ts';
import { type ServingClient, serve } from '../support/serving-client.ts';

afterEach(expectCleanPrototypes);

/** The first request of an agent has this id. */
const ID = 1;

async function meet({ binding, version }: Way, client: ServingClient, options: GuardOptions = {}) {
  const tickets: Ticket[] = [];
  const guard = createGuard({
    speaks: [{ binding, versions: [version] }],
    // Waiting for another attempt shows nothing here.
    retry: false,
    client,
    onTicket: (ticket) => void tickets.push(ticket),
    limits: { afterTerminalMs: 50 },
    ...options,
  });
  return { tickets, agent: await guard.agent(openCard({ binding, version })) };
}

async function drain(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

describe('whatever the agent answers', () => {
  it.each(WAYS)('$binding $version: is a value or a GuardError with its ticket', async (way) => {
    const ended = { value: 0, error: 0 };
    const exchange = fc.oneof(
      ...operationsOf(way).map((operation) => fc.tuple(fc.constant(operation), answersTo(operation, way, ID))),
    );
    const options = fc.constantFrom<GuardOptions>({}, { preset: 'interop' }, { mode: 'observe' });
    await fc.assert(
      fc.asyncProperty(exchange, options, async ([operation, answer], more) => {
        const client = serve(() => answer);
        const { agent, tickets } = await meet(way, client, more);
        const value = await settled(async () => {
          const called = agent.call(operation.name, paramsOf(operation, way));
          return { of: called instanceof Promise ? await called : await drain(called) };
        });
        expect(client.asked).toHaveLength(1);
        if (value === undefined) expect(tickets.some(({ severity }) => severity === 'error')).toBe(true);
        ended[value === undefined ? 'error' : 'value'] += 1;
      }),
      runs(120),
    );
    expect(ended.value).toBeGreaterThan(10);
    expect(ended.error).toBeGreaterThan(10);
  });
});

describe('whatever is served for a card', () => {
  it('is an agent or a GuardError', async () => {
    const status = fc.constantFrom(200, 200, 200, 200, 204, 301, 403, 404, 500);
    const type = fc.constantFrom('application/json', 'text/html', '', 'x/y');
    const ended = { agent: 0, error: 0 };
    await fc.assert(
      fc.asyncProperty(anyCardBytes, status, type, async (bytes, code, contentType) => {
        const client = serve(() => ({ status: code, headers: { 'content-type': contentType }, pieces: [bytes] }));
        const agent = await settled(() => createGuard({ retry: false, client }).discover('https://agents.example.com'));
        ended[agent === undefined ? 'error' : 'agent'] += 1;
      }),
      runs(300),
    );
    expect(ended.agent).toBeGreaterThan(0);
    expect(ended.error).toBeGreaterThan(0);
  });
});
