import { TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { describe, expect, it } from 'vitest';
import { findTicket, type GuardOptions, isGuardError } from '../src/index.ts';
import { guardedOptions } from '../src/sdk.ts';
import { type AgentOptions, type CardChanges, type SampleAgent, useBench } from './support/sdk-agent.ts';
import { collect, say, sayWithoutId, thrown } from './support/sdk-client.ts';

const bench = useBench();
const SPEAKS = [
  { binding: 'HTTP+JSON', versions: ['1.0'] },
  { binding: 'JSONRPC', versions: ['1.0'] },
];
const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const;
type BindingName = (typeof BINDINGS)[number];

const only =
  (binding: BindingName, more: CardChanges = {}) =>
  (url: string): CardChanges => ({
    ...more,
    supportedInterfaces: [
      {
        url: binding === 'JSONRPC' ? url : url.replace('/a2a', '/rest'),
        protocolBinding: binding,
        protocolVersion: '1.0',
      },
    ],
  });

async function connect(
  agent: AgentOptions,
  options: GuardOptions = {},
): Promise<{ server: SampleAgent; client: Client }> {
  const server = await bench.start(agent);
  const guard = bench.guard({ speaks: SPEAKS, ...options });
  return { server, client: await new ClientFactory(guardedOptions(guard)).createFromUrl(server.origin) };
}

describe.each(BINDINGS)('a guarded client of the official SDK over %s', (binding) => {
  it('gets the same results as an unguarded one on legal calls', async () => {
    const { server, client } = await connect({ card: only(binding) });
    const plain = await new ClientFactory().createFromUrl(server.origin);
    for (const each of [client, plain]) {
      const sent = await each.sendMessage(say('hello'));
      const task = 'status' in sent ? sent : expect.fail('a message');
      expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      expect((await each.getTask({ id: task.id, tenant: '', historyLength: undefined })).id).toBe(task.id);
      const events = await collect(each.sendMessageStream(say('hello')));
      expect(events.map(({ payload }) => payload?.$case)).toContain('statusUpdate');
    }
    expect(bench.tickets).toEqual([]);
  });

  it('gets the error of the agent in the class of the SDK', async () => {
    const { client } = await connect({ card: only(binding) });
    const error = await thrown(client.getTask({ id: 'nobody', tenant: '', historyLength: undefined }));
    expect(error).toBeInstanceOf(TaskNotFoundError);
    expect(bench.tickets.map(({ layer }) => layer)).toEqual(['agent']);
  });

  const illegal: [string, CardChanges, (client: Client) => Promise<unknown>, string][] = [
    [
      'an undeclared stream, which the SDK alone turns into a plain send',
      { capabilities: {} },
      (client) => collect(client.sendMessageStream(say('hello'))),
      'UnsupportedOperationError',
    ],
    [
      'an undeclared subscription',
      { capabilities: {} },
      (client) => collect(client.resubscribeTask({ id: 't', tenant: '' })),
      'UnsupportedOperationError',
    ],
    [
      'a deletion of an undeclared push configuration',
      { capabilities: {} },
      (client) => client.deleteTaskPushNotificationConfig({ id: 'p', taskId: 't', tenant: '' }),
      'PushNotificationNotSupportedError',
    ],
    [
      'a media type that the card does not take',
      {},
      (client) => client.sendMessage(say('# hello', 'text/markdown')),
      'ContentTypeNotSupportedError',
    ],
    ['a message without an id', {}, (client) => client.sendMessage(sayWithoutId()), 'InvalidParamsError'],
  ];

  it.each(illegal)('is refused %s', async (_, card, call, code) => {
    const { server, client } = await connect({ card: only(binding, card) });
    const error = await thrown(call(client));
    expect(findTicket(error)?.code, String(error)).toBe(code);
    expect(server.requests).toEqual([]);
    expect(bench.tickets).toHaveLength(1);
  });

  it('gets the classes of the SDK with refuse: "answer"', async () => {
    const { server, client } = await connect({ card: only(binding, { capabilities: {} }) }, { refuse: 'answer' });
    const error = await thrown(collect(client.sendMessageStream(say('hello'))));
    expect(error).toBeInstanceOf(UnsupportedOperationError);
    expect(findTicket(error)?.layer).toBe('capability');
    expect(server.requests).toEqual([]);
  });
});

describe('what the SDK is given', () => {
  it('is the first interface in card order that the guard speaks, not the last', async () => {
    const server = await bench.start({
      card: (url) => ({
        supportedInterfaces: [
          { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: `${url}/never`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        ],
      }),
    });
    const client = await new ClientFactory(guardedOptions(bench.guard())).createFromUrl(server.origin);
    await client.sendMessage(say('hello'));
    expect(server.requests).toHaveLength(1);
  });

  it('is no red card: it rejects, from a URL and from an object', async () => {
    const server = await bench.start({ card: { skills: [] } });
    const factory = new ClientFactory(guardedOptions(bench.guard()));
    expect(findTicket(await thrown(factory.createFromUrl(server.origin)))?.layer).toBe('spec');
    const card = await new DefaultAgentCardResolver().resolve(server.origin);
    expect(findTicket(await thrown(factory.createFromAgentCard(card)))?.layer).toBe('spec');
  });

  it('is a client for a card that is there already', async () => {
    const server = await bench.start();
    const card = await new DefaultAgentCardResolver().resolve(server.origin);
    const client = await new ClientFactory(guardedOptions(bench.guard())).createFromAgentCard(card);
    await client.sendMessage(say('hello'));
    expect(bench.tickets).toEqual([]);
  });

  it('is refused with NoMutualInterfaceError when there is no interface in common', async () => {
    const server = await bench.start({ card: only('HTTP+JSON') });
    const error = await thrown(new ClientFactory(guardedOptions(bench.guard())).createFromUrl(server.origin));
    expect(isGuardError(error) && error.code).toBe('NoMutualInterfaceError');
  });

  it('has the tenant of the interface in every request', async () => {
    const server = await bench.start({
      card: (url) => ({
        supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'north' }],
      }),
    });
    const client = await new ClientFactory(guardedOptions(bench.guard())).createFromUrl(server.origin);
    await client.sendMessage(say('hello'));
    expect(server.requests[0]?.params).toMatchObject({ tenant: 'north' });
    expect(bench.tickets).toEqual([]);
  });

  it('is a base URL whose path is kept without a trailing slash', async () => {
    const error = await thrown(
      new ClientFactory(guardedOptions(bench.guard())).createFromUrl(`${(await bench.start()).origin}/agents/x`),
    );
    expect(findTicket(error)?.agent?.cardUrl).toContain('/agents/x/.well-known/agent-card.json');
  });

  it('may be overridden in part: interceptors of the caller run as well', async () => {
    const server = await bench.start();
    const seen: string[] = [];
    const options = guardedOptions(bench.guard(), {
      clientConfig: {
        interceptors: [{ before: async ({ input }) => void seen.push(String(input?.method)), after: async () => {} }],
      },
    });
    await (await new ClientFactory(options).createFromUrl(server.origin)).sendMessage(say('hello'));
    expect(seen).toEqual(['sendMessage']);
  });

  it('needs a guard', () => {
    expect(() => guardedOptions({} as never)).toThrow(/createGuard/);
  });
});
