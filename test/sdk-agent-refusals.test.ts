import { AgentCard as SdkCard } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import type { Agent, Part, Preset, SendMessageRequest } from '../src/index.ts';
import { type CardChanges, read, sampleCard, say, taskOf, useBench } from './support/sdk-agent.ts';

const HOOK = 'https://hooks.example.com/a2a';
const { tickets, start, guard, meet, ticketOf } = useBench();

type Flag = 'streaming' | 'pushNotifications' | 'extendedAgentCard';
const UNSUPPORTED = { code: 'UnsupportedOperationError', jsonRpcCode: -32004 };
const NO_PUSH = { code: 'PushNotificationNotSupportedError', jsonRpcCode: -32003 };

const INLINE_PUSH = 'SendMessage with a push configuration in it';

/** Every call that needs a flag of the card, and the error that the specification has for its absence. */
// biome-ignore format: a table reads as a table
const NEEDS_A_FLAG: readonly { name: string; flag: Flag; want: object; call: (agent: Agent) => Promise<unknown> }[] = [
  { name: 'SendStreamingMessage', flag: 'streaming', want: UNSUPPORTED, call: (agent) => read(agent.sendStreamingMessage(say('hello'))) },
  { name: 'SubscribeToTask', flag: 'streaming', want: UNSUPPORTED, call: (agent) => read(agent.subscribeToTask({ id: 'any' })) },
  { name: 'CreateTaskPushNotificationConfig', flag: 'pushNotifications', want: NO_PUSH, call: (agent) => agent.createTaskPushNotificationConfig({ taskId: 'any', url: HOOK }) },
  { name: 'GetTaskPushNotificationConfig', flag: 'pushNotifications', want: NO_PUSH, call: (agent) => agent.getTaskPushNotificationConfig({ taskId: 'any', id: 'any' }) },
  { name: 'ListTaskPushNotificationConfigs', flag: 'pushNotifications', want: NO_PUSH, call: (agent) => agent.listTaskPushNotificationConfigs({ taskId: 'any' }) },
  { name: 'DeleteTaskPushNotificationConfig', flag: 'pushNotifications', want: NO_PUSH, call: (agent) => agent.deleteTaskPushNotificationConfig({ taskId: 'any', id: 'any' }) },
  { name: INLINE_PUSH, flag: 'pushNotifications', want: NO_PUSH, call: (agent) => agent.sendMessage({ ...say('hello'), configuration: { taskPushNotificationConfig: { url: HOOK } } }) },
  { name: 'GetExtendedAgentCard', flag: 'extendedAgentCard', want: UNSUPPORTED, call: (agent) => agent.getExtendedAgentCard() },
];

const FLAGS = [
  { state: 'absent', capabilities: {} },
  { state: 'false', capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false } },
];

for (const { state, capabilities } of FLAGS) {
  describe(`what the card does not declare is refused before a byte leaves (flags ${state})`, () => {
    for (const { name, flag, want, call } of NEEDS_A_FLAG) {
      it(`${name} needs ${flag}`, async () => {
        const { server, agent } = await meet({ card: { capabilities } });
        const ticket = await ticketOf(call(agent));
        const facts = { layer: 'capability', blocked: true, outcome: 'not-sent', next: 'fix-request' };
        expect(ticket).toMatchObject({ ...want, ...facts });
        expect(ticket.message).toContain(`capabilities.${flag}; in this card it is ${state}`);
        expect(server.requests).toEqual([]);
      });
    }

    it('SendMessage needs no flag', async () => {
      const { server, agent } = await meet({ card: { capabilities } });
      await agent.sendMessage(say('hello'));
      expect(server.requests.map(({ method }) => method)).toEqual(['SendMessage']);
      expect(tickets).toEqual([]);
    });
  });
}

describe('in observe mode the same calls go out, and the agent answers what the guard said', () => {
  for (const { name, want, call } of NEEDS_A_FLAG.filter(({ name }) => name !== INLINE_PUSH)) {
    it(name, async () => {
      const { server, agent } = await meet({ card: { capabilities: {} } }, { mode: 'observe' });
      await expect(call(agent)).rejects.toMatchObject({ layer: 'agent' });
      expect(tickets).toMatchObject([
        { ...want, layer: 'capability', blocked: false },
        { ...want, layer: 'agent', outcome: 'answered' },
      ]);
      expect(server.requests).toHaveLength(1);
    });
  }

  it(`${INLINE_PUSH} is dropped by the agent without a word; only the guard tells`, async () => {
    const { agent } = await meet({ card: { capabilities: {} } }, { mode: 'observe' });
    await taskOf(agent, 'hello', { taskPushNotificationConfig: { url: HOOK } });
    expect(tickets).toMatchObject([{ ...NO_PUSH, layer: 'capability', blocked: false }]);
  });
});

describe('a streaming call that the card forbids', () => {
  it('is refused by admit() without a ticket for the sink, and when its first event is asked for', async () => {
    const { server, agent } = await meet({ card: { capabilities: {} } });
    const verdict = agent.admit('SubscribeToTask', { id: 'any' });
    expect(verdict).toMatchObject({ ok: false, ticket: { ...UNSUPPORTED, layer: 'capability' } });
    const events = agent.subscribeToTask({ id: 'any' });
    expect(tickets).toEqual([]);
    await ticketOf(events.next());
    expect(server.requests).toEqual([]);
  });
});

describe('media types are those of the card', () => {
  const image: Part = { raw: 'iVBORw0KGgo=', mediaType: 'image/png' };
  const withParts = (...parts: Part[]): SendMessageRequest => say('', { parts });
  const WRONG_TYPE = { code: 'ContentTypeNotSupportedError', jsonRpcCode: -32005, blocked: true };
  const REFUSED: readonly { name: string; parts: Part[]; path: string }[] = [
    { name: 'an image', parts: [image], path: '/message/parts/0/mediaType' },
    { name: 'an image behind a text', parts: [{ text: 'look' }, image], path: '/message/parts/1/mediaType' },
    { name: 'data, which is application/json,', parts: [{ data: { parcel: 42 } }], path: '/message/parts/0' },
    { name: 'markdown', parts: [{ text: '# 42', mediaType: 'text/markdown' }], path: '/message/parts/0/mediaType' },
  ];

  for (const { name, parts, path } of REFUSED) {
    it(`${name} is refused by a card that takes text/plain`, async () => {
      const { server, agent } = await meet();
      const ticket = await ticketOf(agent.sendMessage(withParts(...parts)));
      expect(ticket).toMatchObject({ ...WRONG_TYPE, layer: 'traffic', direction: 'outgoing' });
      expect(ticket.findings).toMatchObject([{ id: 'media-type', path }]);
      expect(server.requests).toEqual([]);
    });
  }

  it('an image goes to the skill that takes images, and to no other', async () => {
    const { skills } = sampleCard('');
    const damage = { id: 'damage', name: 'Report damage', description: 'Reads photos.', tags: ['photo'] };
    const { agent } = await meet({ card: { skills: [...skills, { ...damage, inputModes: ['image/*'] }] } });
    expect(await agent.sendMessage(withParts(image), { skillId: 'damage' })).toHaveProperty('task');
    expect(tickets).toEqual([]);
    expect(await ticketOf(agent.sendMessage(withParts(image), { skillId: 'track' }))).toMatchObject(WRONG_TYPE);
  });

  it('an answer with an undeclared media type is delivered, with a warning', async () => {
    const { agent } = await meet();
    expect((await taskOf(agent, 'odd')).artifacts?.[0]?.parts[0]).toHaveProperty('raw');
    const findings = [{ id: 'accepted-output-modes' }];
    expect(tickets).toMatchObject([{ layer: 'traffic', direction: 'incoming', severity: 'warn', findings }]);
  });
});

describe('what the card requires is sent or the call is refused', () => {
  const uri = 'https://extensions.example.com/priority/v1';
  const secured: CardChanges = {
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  };

  it('a required extension is refused unless it is listed, and sent when it is', async () => {
    const { server, agent } = await meet({ card: { capabilities: { extensions: [{ uri, required: true }] } } });
    const want = { layer: 'capability', code: 'ExtensionSupportRequiredError', jsonRpcCode: -32008, blocked: true };
    expect(await ticketOf(agent.sendMessage(say('hello')))).toMatchObject(want);
    expect(server.requests).toEqual([]);
    await agent.sendMessage(say('hello'), { extensions: [uri, uri] });
    expect(server.requests[0]?.headers['a2a-extensions']).toBe(uri);
  });

  it('without the credentials nothing is sent; with them they go where the card asks for them', async () => {
    const { server, agent } = await meet({ card: secured, serveCard: SdkCard.toJSON });
    const want = { layer: 'capability', code: 'CredentialsMissingError', blocked: true, next: 'authenticate' };
    expect(await ticketOf(agent.sendMessage(say('hello')))).toMatchObject(want);
    expect(server.requests).toEqual([]);
    const trusted = await guard({ credentials: { bearer: 'open-sesame' } }).discover(server.origin);
    await trusted.sendMessage(say('hello'));
    expect(server.requests[0]?.headers.authorization).toBe('Bearer open-sesame');
  });

  // The SDK's card handler writes its own objects where JSON names belong: {"bearer":{"scheme":{"$case":…}}}.
  for (const preset of ['strict', 'interop'] satisfies Preset[]) {
    it(`a security scheme that cannot be read is never taken for "no authentication" (${preset})`, async () => {
      const server = await start({ card: secured });
      const { findings } = await ticketOf(guard({ preset }).discover(server.origin));
      const errors = findings.filter(({ severity }) => severity === 'error').map(({ id }) => id);
      expect(errors).toContain('security-scheme-shape');
      expect(server.requests).toEqual([]);
    });
  }
});
