import { type Client, ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import {
  ContentTypeNotSupportedError,
  InvalidAgentResponseError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
} from '@a2a-js/sdk/errors';
import { describe, expect, it } from 'vitest';
import { findTicket, type GuardOptions } from '../src/index.ts';
import { guardedOptions } from '../src/sdk.ts';
import { type Behaviour, type BindingName, type Reply, startCrookedAgent } from './support/crooked-agent.ts';
import { useBench } from './support/sdk-agent.ts';
import { collect, say, sayWithoutId, thrown } from './support/sdk-client.ts';

const bench = useBench();
const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const;
const WORKING = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } };
const EMPTY = { task: {} };

/** Calls an agent that behaves so, and gives what the SDK's client throws. */
async function failure(
  binding: BindingName,
  behave: Behaviour,
  options: GuardOptions,
  call: (client: Client) => Promise<unknown> = (client) => client.sendMessage(say('hello')),
): Promise<unknown> {
  const server = await startCrookedAgent(binding, behave);
  try {
    const guard = bench.guard({ speaks: [{ binding, versions: ['1.0'] }], ...options });
    return await thrown(call(await new ClientFactory(guardedOptions(guard)).createFromUrl(server.origin)));
  } finally {
    await server.close();
  }
}

const stream = (client: Client): Promise<unknown> => collect(client.sendMessageStream(say('hello')));
const halfGood = ({ events, response }: Reply): void => {
  events(WORKING, EMPTY);
  response.end();
};

/** The ticket id that an error of the SDK carries: in its details, or in the headers that it keeps. */
function carriedTicketId(error: unknown): string | undefined {
  const { data, metadata, headers, cause } = error as {
    data?: readonly { metadata?: { ticketId?: string } }[];
    metadata?: { ticketId?: string };
    headers?: Record<string, string>;
    cause?: { data?: readonly { metadata?: { ticketId?: string } }[] };
  };
  const details = data ?? cause?.data;
  return details?.[0]?.metadata?.ticketId ?? metadata?.ticketId ?? headers?.['x-a2a-guard-ticket'];
}

describe.each(BINDINGS)('with refuse: "throw" the ticket is found in what the SDK throws over %s', (binding) => {
  it.each<[string, string, Behaviour, ((client: Client) => Promise<unknown>)?]>([
    ['a unary answer that does not hold', 'InvalidAgentResponseError', ({ result }) => result(EMPTY)],
    ['a unary answer that is a page', 'InvalidAgentResponseError', ({ html }) => html()],
    ['a stream that is refused before it starts', 'InvalidAgentResponseError', ({ html }) => html(), stream],
    ['a stream with a bad event in the middle', 'InvalidAgentResponseError', halfGood, stream],
    [
      'a stream that stops in the middle',
      'TransportError',
      ({ events, response }) => {
        events(WORKING);
        response.end();
      },
      stream,
    ],
    [
      'a stream whose connection breaks',
      'TransportError',
      ({ events, response }) => {
        events(WORKING);
        setTimeout(() => response.destroy(), 20);
      },
      stream,
    ],
    [
      'a media type that the card does not take',
      'ContentTypeNotSupportedError',
      ({ result }) => result(WORKING),
      (client) => client.sendMessage(say('# hello', 'text/markdown')),
    ],
    [
      'params that do not hold',
      'InvalidParamsError',
      ({ result }) => result(WORKING),
      (client) => client.sendMessage(sayWithoutId()),
    ],
  ])('%s', async (_, code, behave, call) => {
    const error = await failure(binding, behave, { refuse: 'throw' }, call);
    expect(findTicket(error)).toMatchObject({ code });
    expect(bench.tickets).toEqual([findTicket(error)]);
  });
});

describe.each(BINDINGS)('with refuse: "answer" the SDK throws its own class over %s', (binding) => {
  const answered = { refuse: 'answer' } as const;

  it('for a unary answer that does not hold', async () => {
    const error = await failure(binding, ({ result }) => result(EMPTY), answered);
    expect(error).toBeInstanceOf(InvalidAgentResponseError);
    expect(carriedTicketId(error)).toBe(bench.tickets[0]?.id);
  });

  it('for a stream that is refused before it starts', async () => {
    const error = await failure(binding, ({ html }) => html(), answered, stream);
    expect(error).toBeInstanceOf(InvalidAgentResponseError);
    expect(carriedTicketId(error)).toBe(bench.tickets[0]?.id);
  });

  it('for what must not be sent', async () => {
    const call = (client: Client): Promise<unknown> => client.sendMessage(say('# hello', 'text/markdown'));
    const error = await failure(binding, ({ result }) => result(WORKING), answered, call);
    expect(error).toBeInstanceOf(ContentTypeNotSupportedError);
    expect(carriedTicketId(error)).toBe(bench.tickets[0]?.id);
  });

  it('for params that do not hold', async () => {
    const call = (client: Client): Promise<unknown> => client.sendMessage(sayWithoutId());
    const error = await failure(binding, ({ result }) => result(WORKING), answered, call);
    expect(error).toBeInstanceOf(RequestMalformedError);
    expect(carriedTicketId(error)).toBe(bench.tickets[0]?.id);
  });

  it('but not for a red card, and not for a stream whose connection breaks: these are GuardErrors', async () => {
    const breaking: Behaviour = ({ events, response }) => {
      events(WORKING);
      setTimeout(() => response.destroy(), 20);
    };
    expect(findTicket(await failure(binding, breaking, answered, stream))?.layer).toBe('transport');
    const red = await bench.start({ card: { skills: [] } });
    const factory = new ClientFactory(guardedOptions(bench.guard(answered)));
    expect(findTicket(await thrown(factory.createFromUrl(red.origin)))?.layer).toBe('spec');
  });
});

describe('with refuse: "answer" a bad event in the middle of a stream ends it', () => {
  it('with an error whose cause is the class, over JSON-RPC', async () => {
    const error = await failure('JSONRPC', halfGood, { refuse: 'answer' }, stream);
    expect((error as Error).cause).toBeInstanceOf(InvalidAgentResponseError);
    expect(carriedTicketId(error)).toBe(bench.tickets[0]?.id);
  });

  // The client of the SDK takes an event for an error only when it is named so.
  it('with the class, over HTTP+JSON', async () => {
    const error = await failure('HTTP+JSON', halfGood, { refuse: 'answer' }, stream);
    expect(error).toBeInstanceOf(InvalidAgentResponseError);
    expect(carriedTicketId(error)).toBe(bench.tickets[0]?.id);
  });
});

describe('what the SDK keeps to itself, or reads by itself', () => {
  it.each(BINDINGS)('an HTTP error is its own error over %s; the ticket comes by onTicket only', async (binding) => {
    const error = await failure(binding, ({ html }) => html(502), {});
    expect(findTicket(error)).toBeUndefined();
    expect(bench.tickets).toMatchObject([{ layer: 'transport', code: 'TransportError', httpStatus: 502 }]);
  });

  it('push configurations of an agent that has none are refused by the SDK itself, without a ticket', async () => {
    const server = await bench.start({ card: { capabilities: {} } });
    const client = await new ClientFactory(guardedOptions(bench.guard())).createFromUrl(server.origin);
    const config = { id: 'p', taskId: 't', tenant: '', url: 'https://hooks.example', token: '' };
    const calls: (() => unknown)[] = [
      () => client.createTaskPushNotificationConfig({ ...config, authentication: undefined }),
      () => client.getTaskPushNotificationConfig({ id: 'p', taskId: 't', tenant: '' }),
      () => client.listTaskPushNotificationConfig({ taskId: 't', tenant: '', pageSize: 0, pageToken: '' }),
    ];
    for (const call of calls) expect(call).toThrow(PushNotificationNotSupportedError);
    expect(bench.tickets).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('a transport of the caller that does not use guard.fetch is asked for after the card is admitted, and not seen', async () => {
    const server = await startCrookedAgent('JSONRPC', ({ result }) => result(WORKING));
    const options = guardedOptions(bench.guard(), { transports: [new JsonRpcTransportFactory()] });
    const client = await new ClientFactory(options).createFromUrl(server.origin);
    await client.sendMessage(say('# hello', 'text/markdown'));
    expect(bench.tickets).toEqual([]);
    await server.close();
  });
});
