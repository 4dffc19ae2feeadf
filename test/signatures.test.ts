import {
  canonicalizeAgentCard,
  generateAgentCardSignature,
  AgentCard as SdkCard,
  verifyAgentCardSignature,
} from '@a2a-js/sdk';
import { type CryptoKey, exportJWK, FlattenedSign, generateKeyPair, type JWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { internalsOf } from '../src/client/internals.ts';
import {
  type AgentCard,
  canonicalCard,
  type GuardOptions,
  type NetworkOptions,
  type SignatureOptions,
} from '../src/index.ts';
import { guardedOptions } from '../src/sdk.ts';
import { sampleCard, useBench } from './support/sdk-agent.ts';
import { answer, startServer } from './support/server.ts';

const bench = useBench();

interface Pair {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

const pairs: Record<string, Pair> = {};

async function makePair(kid: string, alg: string): Promise<void> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  pairs[kid] = { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

beforeAll(async () => {
  await makePair('ours', 'ES256');
  await makePair('theirs', 'ES256');
  await makePair('rsa', 'PS256');
  await makePair('edwards', 'EdDSA');
});

const pairOf = (kid: string): Pair => pairs[kid] ?? expect.fail(`no key ${kid}`);
const jwks = (...kids: string[]) => ({ keys: kids.map((kid) => pairOf(kid).jwk as object) });

const card: AgentCard = sampleCard('https://agents.example.com/a2a');

type Signed = AgentCard & { signatures: NonNullable<AgentCard['signatures']> };

/** The card with signatures by these keys, as an agent would make them. */
async function signed(
  headers: readonly { kid: string; alg?: string; by?: string; [member: string]: unknown }[],
): Promise<Signed> {
  const payload = new TextEncoder().encode(canonicalCard(card));
  const signatures = headers.map(async ({ by, kid, alg = 'ES256', ...rest }) => {
    const sign = new FlattenedSign(payload).setProtectedHeader({ alg, kid, typ: 'JOSE', ...rest });
    const { protected: header = '', signature } = await sign.sign(pairOf(by ?? kid).privateKey);
    return { protected: header, signature };
  });
  return { ...card, signatures: await Promise.all(signatures) };
}

const guardWith = (signatures: GuardOptions['signatures']) => bench.guard({ signatures: signatures ?? 'shape' });
const require = (more: Omit<SignatureOptions, 'policy'>): SignatureOptions => ({ policy: 'require', ...more });

describe('a signed card', () => {
  it.each([
    ['ours', 'ES256'],
    ['rsa', 'PS256'],
    ['edwards', 'EdDSA'],
  ])('is let through when its signature is true (%s, %s)', async (kid, alg) => {
    const agent = await guardWith(require({ jwks: jwks(kid) })).agent(await signed([{ kid, alg }]));
    expect(agent.report.signatures).toMatchObject([{ index: 0, kid, alg, state: 'verified' }]);
    expect(agent.report.ok).toBe(true);
    expect(bench.tickets).toEqual([]);
  });

  it.each([
    ['whose content changed', async () => ({ ...(await signed([{ kid: 'ours' }])), name: 'Parcel Bank' }), 'invalid'],
    ['by another key of the same name', () => signed([{ kid: 'ours', by: 'theirs' }]), 'invalid'],
    ['by a key that nobody gave', () => signed([{ kid: 'theirs' }]), 'unverifiable'],
  ])('%s is refused', async (_, make, state) => {
    for (const policy of ['require', 'verify-if-present'] as const) {
      const guard = guardWith({ policy, jwks: jwks('ours') });
      const ticket = await bench.ticketOf(guard.agent(await make()));
      expect(ticket).toMatchObject({ layer: 'trust', code: 'UntrustedCardError', blocked: true });
      expect(ticket.findings).toMatchObject([{ id: 'signature-verified', path: '/signatures/0', severity: 'error' }]);
      expect(ticket.message).toContain(state);
      bench.tickets.splice(0);
    }
  });

  it('needs one good signature; the state of each is in the report, and a false one is a warning', async () => {
    const many = await signed([{ kid: 'theirs' }, { kid: 'ours', by: 'theirs' }, { kid: 'ours' }]);
    const { report } = await guardWith(require({ jwks: jwks('ours') })).agent(many);
    expect(report.signatures?.map(({ state }) => state)).toEqual(['unverifiable', 'invalid', 'verified']);
    expect(report.findings).toMatchObject([{ id: 'signature-verified', severity: 'warn', path: '/signatures/1' }]);
  });

  it('one of two keys of one name suffices, and a wrong one hides no right one', async () => {
    const theirs = { ...pairOf('theirs').jwk, kid: 'ours' };
    const keys = { keys: [theirs, pairOf('ours').jwk] as object[] };
    await guardWith(require({ jwks: keys })).agent(await signed([{ kid: 'ours' }]));
    const resolveKey = (): JWK => pairOf('ours').jwk;
    await guardWith(require({ jwks: { keys: [theirs] }, resolveKey })).agent(await signed([{ kid: 'ours' }]));
    expect(bench.tickets).toEqual([]);
  });

  it('may have a long key id', async () => {
    const kid = 'k'.repeat(1000);
    await makePair(kid, 'ES256');
    const agent = await guardWith(require({ jwks: jwks(kid) })).agent(await signed([{ kid }]));
    expect(agent.report.signatures?.[0]?.kid).toHaveLength(128);
  });

  it('with a number that JSON cannot hold is invalid', async () => {
    const text = JSON.stringify(await signed([{ kid: 'ours' }]));
    const params = text.replace(
      '"streaming":true',
      '"streaming":true,"extensions":[{"uri":"urn:x","params":{"a":1e999}}]',
    );
    const ticket = await bench.ticketOf(guardWith(require({ jwks: jwks('ours') })).agent(params));
    expect(ticket.message).toContain('no canonical form');
  });

  it.each([
    ['extensions that must be understood', { kid: 'ours', crit: ['b64'], b64: true }],
    ['a blank key id', { kid: ' ' }],
  ])('with %s is invalid, whatever the rules', async (_, header) => {
    const guard = bench.guard({
      signatures: require({ resolveKey: () => pairOf('ours').jwk }),
      rules: { 'signatures-shape': 'off' },
    });
    const run = guard.agent(await signed([{ ...header, by: 'ours' }]));
    expect((await bench.ticketOf(run)).message).toContain('invalid');
  });

  it('is judged whatever the order of its members', async () => {
    const shuffled = Object.fromEntries(Object.entries(await signed([{ kid: 'ours' }])).reverse());
    await guardWith(require({ jwks: jwks('ours') })).agent(JSON.stringify(shuffled, null, 4));
  });

  it('is refused in its shape before its truth is asked for', async () => {
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid: 'ours' })).toString('base64url');
    const shared = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'ours' })).toString('base64url');
    for (const header of [none, shared]) {
      const guard = guardWith(require({ jwks: jwks('ours') }));
      const run = guard.agent({ ...card, signatures: [{ protected: header, signature: 'AAAA' }] });
      await expect(run).rejects.toMatchObject({ layer: 'spec', code: 'CardSpecError' });
    }
  });
});

describe('rules and odd places', () => {
  it('nothing is said of signatures that nobody asked about', async () => {
    const { admit } = internalsOf(guardWith('shape'));
    expect(admit(await signed([{ kid: 'ours' }])).report.signatures).toBeUndefined();
  });

  it('signatures that are no list are not taken for none', async () => {
    const [one] = (await signed([{ kid: 'ours' }])).signatures;
    const guard = bench.guard({
      signatures: { policy: 'verify-if-present', jwks: jwks('ours') },
      rules: { 'schema-type': 'off' },
    });
    const run = guard.agent({ ...card, signatures: { protected: one?.protected } });
    expect((await bench.ticketOf(run)).findings).toMatchObject([{ id: 'signature-verified', severity: 'error' }]);
  });

  it('a rule decides what follows, as for every check', async () => {
    const guard = bench.guard({ signatures: 'require', rules: { 'signature-verified': 'warn' } });
    const { report } = await guard.agent(card);
    expect(report).toMatchObject({ ok: true, findings: [{ id: 'signature-verified', severity: 'warn' }] });
  });
});

describe('a card without signatures', () => {
  it('is refused where one is required', async () => {
    const ticket = await bench.ticketOf(guardWith('require').agent(card));
    expect(ticket).toMatchObject({ layer: 'trust', findings: [{ id: 'signature-verified', path: '' }] });
  });

  it.each(['shape', 'verify-if-present'] as const)('is fine with %s', async (policy) => {
    expect((await guardWith(policy).agent(card)).report.signatures).toBeUndefined();
  });
});

describe('where keys come from', () => {
  async function serveKeys(keys: () => object, status = 200) {
    return startServer((_, response) => answer(response, keys(), status));
  }

  it('not a secret key', async () => {
    const secret = { ...pairOf('ours').jwk, d: 'AAAA' };
    for (const key of [secret, { kty: 'oct', k: 'AAAA', kid: 'ours' }])
      expect(() => guardWith(require({ jwks: { keys: [key] } }))).toThrow(/signatures\.jwks.*secret/);
  });

  it('a function of the options', async () => {
    const asked: unknown[] = [];
    const resolveKey = async (header: object): Promise<JWK> => {
      asked.push(header);
      return pairOf('ours').jwk;
    };
    await guardWith(require({ resolveKey })).agent(await signed([{ kid: 'ours', jku: 'https://keys.example/k' }]));
    expect(asked).toEqual([{ alg: 'ES256', kid: 'ours', jku: 'https://keys.example/k' }]);
  });

  it('a function that fails makes the signature unverifiable', async () => {
    const resolveKey = (): never => {
      throw new Error('down');
    };
    const run = guardWith(require({ resolveKey })).agent(await signed([{ kid: 'ours' }]));
    expect((await bench.ticketOf(run)).message).toContain('unverifiable');
  });

  it('a function that never answers ends with the time of an exchange', async () => {
    const signatures = require({ resolveKey: () => new Promise(() => {}) });
    const run = bench.guard({ signatures, limits: { totalMs: 50 } }).agent(await signed([{ kid: 'ours' }]));
    expect((await bench.ticketOf(run)).message).toContain('unverifiable');
  });

  it('the jku of a trusted origin, once for many cards', async () => {
    const server = await serveKeys(() => jwks('ours'));
    const guard = guardWith(require({ jkuOrigins: [server.origin] }));
    const one = await signed([{ kid: 'ours', jku: `${server.origin}/keys.json` }]);
    await guard.agent(one);
    await guard.agent(one);
    expect(server.seen).toMatchObject([{ path: '/keys.json' }]);
    await server.close();
  });

  it('no other jku is asked', async () => {
    const server = await serveKeys(() => jwks('ours'));
    const guard = guardWith(require({ jkuOrigins: ['https://keys.example'] }));
    const run = guard.agent(await signed([{ kid: 'ours', jku: `${server.origin}/keys.json` }]));
    expect((await bench.ticketOf(run)).message).toContain('unverifiable');
    expect(server.seen).toEqual([]);
    await server.close();
  });

  it.each([
    ['not at a private address', 'https://10.0.0.1'],
    ['not over http', 'http://keys.example.com'],
    ['not over http, even where http may be called', 'http://keys.example.com', { allowInsecure: true }],
  ])('%s, trusted or not', async (_, origin, network: NetworkOptions = {}) => {
    const requests: string[] = [];
    const client = { request: (request: { url: string }) => requests.push(request.url), stream: () => {} };
    const options = { signatures: require({ jkuOrigins: [origin] }), client, network } as never;
    const run = bench.guard(options).agent(await signed([{ kid: 'ours', jku: `${origin}/keys.json` }]));
    expect((await bench.ticketOf(run)).message).toContain('unverifiable');
    expect(requests).toEqual([]);
  });

  it.each([
    ['a redirect', 302, () => jwks('ours')],
    ['an error', 500, () => jwks('ours')],
    ['no key set', 200, () => ({ key: 1 })],
  ])('%s is no key', async (_, status, body) => {
    const server = await serveKeys(body, status);
    const run = guardWith(require({ jkuOrigins: [server.origin] })).agent(
      await signed([{ kid: 'ours', jku: `${server.origin}/keys.json` }]),
    );
    expect((await bench.ticketOf(run)).message).toContain('unverifiable');
    await server.close();
  });
});

describe('together with the official SDK', () => {
  it('what it signs is verified here', async () => {
    const sign = generateAgentCardSignature(pairOf('ours').privateKey, { alg: 'ES256', kid: 'ours', typ: 'JOSE' });
    const wire = SdkCard.toJSON(await sign(SdkCard.fromJSON(card))) as object;
    const agent = await guardWith(require({ jwks: jwks('ours') })).agent(wire);
    expect(agent.report.signatures).toMatchObject([{ state: 'verified' }]);
  });

  it('what is signed over our text is verified there', async () => {
    const verify = verifyAgentCardSignature(async (kid) => pairOf(kid).jwk);
    await verify(SdkCard.fromJSON(await signed([{ kid: 'ours' }])));
    expect(canonicalizeAgentCard(SdkCard.fromJSON(card))).toBe(canonicalCard(card));
  });
});

describe('every door', () => {
  it('one that cannot wait for a key refuses what would have to be verified', async () => {
    const toSdk = (value: AgentCard): object => SdkCard.toJSON(SdkCard.fromJSON(value)) as object;
    const normalize = (policy: GuardOptions['signatures'], value: object) => () =>
      guardedOptions(guardWith(policy)).cardResolver?.normalizeAgentCard?.(value);
    const wire = toSdk(await signed([{ kid: 'ours' }]));
    expect(normalize({ policy: 'verify-if-present', jwks: jwks('ours') }, wire)).toThrow(/unverifiable/);
    expect(normalize('require', toSdk(card))).toThrow(/not signed/);
    expect(normalize('verify-if-present', toSdk(card))()).toMatchObject({ name: card.name });
  });

  it('discover and guard.fetch verify what they fetch', async () => {
    const good = await signed([{ kid: 'ours' }]);
    const bad = { ...good, version: '9.9.9' };
    const server = await startServer(({ path }, response) => answer(response, path.startsWith('/bad') ? bad : good));
    const guard = bench.guard({
      signatures: require({ jwks: jwks('ours') }),
      network: { allowLoopback: true, allowPrivate: true },
      rules: { 'interface-private': 'off' },
    });
    const cardOf = (path: string): string => `${server.origin}${path}/.well-known/agent-card.json`;
    await guard.discover(`${server.origin}/good`);
    expect((await guard.fetch(cardOf('/good'))).ok).toBe(true);
    expect(await bench.ticketOf(guard.discover(`${server.origin}/bad`))).toMatchObject({ layer: 'trust' });
    bench.tickets.splice(0);
    expect(await bench.ticketOf(guard.fetch(cardOf('/bad')))).toMatchObject({ layer: 'trust' });
    await server.close();
  });
});
