import { describe, expect, it } from 'vitest';
import { type CardReport, createGuard, type GuardOptions, type Plan } from '../../src/index.ts';
import { CARD_URL, type Json, soundCard, withInterface } from '../support/cards.ts';

const BEARER = { httpAuthSecurityScheme: { scheme: 'Bearer' } };
const asking = soundCard({ securitySchemes: { key: BEARER }, securityRequirements: [{ schemes: { key: {} } }] });
const foreign = withInterface({ protocolBinding: 'HTTP+JSON' });
const withLegacySecurity = (security: unknown): Json => soundCard({ securitySchemes: { key: BEARER }, security });
const LENIENT: GuardOptions = { preset: 'interop' };

interface Row {
  readonly name: string;
  readonly input: object;
  readonly options?: GuardOptions;
  readonly plan?: Plan;
  readonly want: Pick<CardReport, 'ok' | 'next'>;
}

const ROWS: readonly Row[] = [
  { name: 'a sound card: delegate', input: soundCard(), want: { ok: true, next: 'delegate' } },
  { name: 'a red card: fix the card', input: soundCard({ name: '' }), want: { ok: false, next: 'fix-card' } },
  {
    name: 'a red card that also asks for credentials: the card comes first',
    input: { ...asking, name: '' },
    want: { ok: false, next: 'fix-card' },
  },
  {
    name: 'a sound card without an interface in common: choose another agent',
    input: foreign,
    want: { ok: true, next: 'choose-agent' },
  },
  {
    name: 'no interface of a version in common: choose another agent',
    input: withInterface({ protocolVersion: '0.3' }),
    want: { ok: true, next: 'choose-agent' },
  },
  {
    name: 'a binding in the wrong letters is not spoken',
    input: withInterface({ protocolBinding: 'jsonrpc' }),
    options: LENIENT,
    want: { ok: true, next: 'choose-agent' },
  },
  {
    name: 'a binding that the client lists twice is spoken in all its versions',
    input: withInterface({ protocolVersion: '0.3' }),
    options: {
      speaks: [
        { binding: 'JSONRPC', versions: ['1.0'] },
        { binding: 'JSONRPC', versions: ['0.3'] },
      ],
    },
    want: { ok: true, next: 'delegate' },
  },
  {
    name: 'no interface in common comes before the plan',
    input: foreign,
    plan: { pushNotifications: true },
    want: { ok: true, next: 'choose-agent' },
  },
  {
    name: 'a plan that needs a flag that is absent: fix the request',
    input: soundCard(),
    plan: { pushNotifications: true },
    want: { ok: true, next: 'fix-request' },
  },
  {
    name: 'a plan that needs a flag that is false: fix the request',
    input: soundCard({ capabilities: { streaming: false } }),
    plan: { streaming: true },
    want: { ok: true, next: 'fix-request' },
  },
  {
    name: 'a plan that needs the extended card: fix the request',
    input: soundCard(),
    plan: { extendedAgentCard: true },
    want: { ok: true, next: 'fix-request' },
  },
  {
    name: 'the plan comes before the credentials',
    input: asking,
    plan: { pushNotifications: true },
    want: { ok: true, next: 'fix-request' },
  },
  {
    name: 'a plan that the card meets: delegate',
    input: soundCard(),
    plan: { streaming: true, pushNotifications: false },
    want: { ok: true, next: 'delegate' },
  },
  { name: 'a card that asks for credentials: authenticate', input: asking, want: { ok: true, next: 'authenticate' } },
  {
    name: 'credentials for the scheme: delegate',
    input: asking,
    options: { credentials: { key: 'text' } },
    want: { ok: true, next: 'delegate' },
  },
  {
    name: 'credentials for another scheme: authenticate',
    input: asking,
    options: { credentials: { other: 'text' } },
    want: { ok: true, next: 'authenticate' },
  },
  {
    name: 'any one requirement is enough',
    input: {
      ...asking,
      securitySchemes: { key: BEARER, cert: { mtlsSecurityScheme: {} } },
      securityRequirements: [{ schemes: { cert: {} } }, { schemes: { key: {} } }],
    },
    options: { credentials: { key: 'text' } },
    want: { ok: true, next: 'delegate' },
  },
  {
    name: 'all schemes of one requirement are needed',
    input: {
      ...asking,
      securitySchemes: { key: BEARER, cert: { mtlsSecurityScheme: {} } },
      securityRequirements: [{ schemes: { cert: {}, key: {} } }],
    },
    options: { credentials: { key: 'text' } },
    want: { ok: true, next: 'authenticate' },
  },
  {
    name: 'security of 0.3 is never read as public',
    input: withLegacySecurity([{ key: [] }]),
    options: LENIENT,
    want: { ok: true, next: 'authenticate' },
  },
  {
    name: 'security of an odd shape is never read as public',
    input: withLegacySecurity('bearer'),
    options: LENIENT,
    want: { ok: true, next: 'authenticate' },
  },
  {
    name: 'security that is empty asks for nothing',
    input: withLegacySecurity([]),
    options: LENIENT,
    want: { ok: true, next: 'delegate' },
  },
  {
    name: 'security that is null asks for nothing',
    input: withLegacySecurity(null),
    options: LENIENT,
    want: { ok: true, next: 'delegate' },
  },
  {
    name: 'requirements under their proto name are read',
    input: soundCard({ security_schemes: { key: BEARER }, security_requirements: [{ schemes: { key: {} } }] }),
    options: LENIENT,
    want: { ok: true, next: 'authenticate' },
  },
];

describe('next says whose move it is', () => {
  it.each(ROWS.map((row) => [row.name, row] as const))('%s', (_name, { input, options, plan, want }) => {
    const report = createGuard(options).checkCard(input, { cardUrl: CARD_URL, ...(plan !== undefined && { plan }) });
    expect({ ok: report.ok, next: report.next }).toEqual(want);
  });

  it('every move has a row', () => {
    const moves = ['authenticate', 'choose-agent', 'delegate', 'fix-card', 'fix-request'];
    expect([...new Set(ROWS.map((row) => row.want.next))].sort()).toEqual(moves);
  });
});

describe('what the client plans is an answer of its own', () => {
  const capability = (input: object, plan: Plan) => createGuard().checkCard(input, { plan }).capability;

  it('a flag is reported as the card has it, and the plan beside it', () => {
    expect(
      capability(soundCard({ capabilities: { streaming: true, pushNotifications: false } }), {
        pushNotifications: true,
      }),
    ).toEqual({
      streaming: true,
      clientWillStream: false,
      pushNotifications: false,
      clientWillPush: true,
      extendedAgentCard: false,
      clientWillExtend: false,
      ok: false,
    });
  });

  it('a flag under its proto name counts', () => {
    expect(capability(soundCard({ capabilities: { push_notifications: true } }), { pushNotifications: true }).ok).toBe(
      true,
    );
  });

  it('a flag in quotes is not set', () => {
    expect(capability(soundCard({ capabilities: { streaming: 'true' } }), { streaming: true }).ok).toBe(false);
  });

  it('a red card still answers it', () => {
    const report = createGuard().checkCard(soundCard({ name: '' }), { plan: { streaming: true } });
    expect({ ok: report.ok, capability: report.capability.ok }).toEqual({ ok: false, capability: true });
  });
});
