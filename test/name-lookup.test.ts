import type { LookupAddress } from 'node:dns';
import { FlattenedSign, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { createUndiciClient } from '../src/client/undici.ts';
import { canonicalCard, createGuard, findTicket, type GuardOptions, type NetworkOptions } from '../src/index.ts';
import { sampleCard } from './support/sdk-agent.ts';
import { answer, startServer } from './support/server.ts';

const CLOSED = { allowLoopback: false, allowPrivate: false, allowInsecure: true };

type Addresses = readonly string[] | Readonly<Record<string, readonly string[]>>;

/** A guard for whom every name, or each of these names, leads to these addresses. */
function guardWhere(where: Addresses, network: NetworkOptions = {}, options: GuardOptions = {}) {
  const asked: string[] = [];
  const policy = { ...CLOSED, ...network };
  const client = createUndiciClient({
    connectMs: 2000,
    network: policy,
    resolve: (hostname, _options, done) => {
      asked.push(hostname);
      const addresses = Array.isArray(where) ? where : ((where as Readonly<Record<string, string[]>>)[hostname] ?? []);
      const family = (address: string): number => (address.includes(':') ? 6 : 4);
      done(
        null,
        addresses.map((address: string): LookupAddress => ({ address, family: family(address) })),
      );
    },
  });
  return { guard: createGuard({ ...options, network: policy, client }), asked };
}

const refusal = async (promise: Promise<unknown>): Promise<ReturnType<typeof findTicket>> =>
  findTicket(
    await promise.then(
      () => expect.fail('it was reached'),
      (error: unknown) => error,
    ),
  );

describe('a name is judged by the address that it leads to', () => {
  it.each([
    ['loopback', ['127.0.0.1']],
    ['loopback of IPv6', ['::1']],
    ['loopback as a mapped address', ['::ffff:127.0.0.1']],
    ['the private network', ['10.1.2.3']],
    ['the address of cloud metadata', ['169.254.169.254']],
    ['a unique local address', ['fd00::1']],
    ['nowhere', ['0.0.0.0']],
    ['two forbidden places', ['192.168.0.1', '127.0.0.1']],
  ])('%s is not reached', async (_, addresses) => {
    const server = await startServer((_request, response) => answer(response, {}));
    const { port } = new URL(server.origin);
    const { guard, asked } = guardWhere(addresses);
    const ticket = await refusal(guard.discover(`http://agents.example.com:${port}`));
    expect(ticket).toMatchObject({ layer: 'trust', code: 'UntrustedCardError', blocked: true, outcome: 'not-sent' });
    expect(ticket?.findings[0]?.id).toBe('network-address');
    expect(asked).toEqual(['agents.example.com']);
    expect(server.seen).toEqual([]);
    await guard.close();
    await server.close();
  });

  it('what policy allows is reached, and of several addresses only that', async () => {
    const server = await startServer((_request, response) => answer(response, 'no card', 404));
    const { port } = new URL(server.origin);
    const { guard } = guardWhere(['10.9.9.9', '127.0.0.1'], { allowLoopback: true });
    const ticket = await refusal(guard.discover(`http://agents.example.com:${port}`));
    expect(ticket).toMatchObject({ layer: 'discovery', httpStatus: 404 });
    expect(server.seen).toHaveLength(2);
    await guard.close();
    await server.close();
  });

  it('a redirect to a name is judged by where that name leads', async () => {
    const inner = await startServer((_request, response) => answer(response, {}));
    const { port } = new URL(inner.origin);
    const server = await startServer((_request, response) =>
      answer(response, '', 302, { location: `http://inside.example.com:${port}/card` }),
    );
    const names = { 'agents.example.com': ['127.0.0.1'], 'inside.example.com': ['10.0.0.1', '169.254.169.254'] };
    const { guard, asked } = guardWhere(names, { allowLoopback: true });
    const ticket = await refusal(guard.discover(`http://agents.example.com:${new URL(server.origin).port}`));
    expect(ticket).toMatchObject({ layer: 'trust', blocked: true, findings: [{ id: 'network-address' }] });
    expect(asked).toEqual(['agents.example.com', 'inside.example.com']);
    expect(inner.seen).toEqual([]);
    await guard.close();
    for (const each of [server, inner]) await each.close();
  });

  it('a trusted jku whose name leads inside gives no key', async () => {
    const inner = await startServer((_request, response) => answer(response, { keys: [] }));
    const { port } = new URL(inner.origin);
    const origin = `https://keys.example.com:${port}`;
    const { guard, asked } = guardWhere(['127.0.0.1'], {}, { signatures: { policy: 'require', jkuOrigins: [origin] } });
    const card = sampleCard('https://agents.example.com/a2a');
    const sign = new FlattenedSign(new TextEncoder().encode(canonicalCard(card)));
    const { privateKey } = await generateKeyPair('ES256');
    const header = { alg: 'ES256', kid: 'k', jku: `${origin}/keys.json` };
    const { protected: text, signature } = await sign.setProtectedHeader(header).sign(privateKey);
    const ticket = await refusal(guard.agent({ ...card, signatures: [{ protected: text, signature }] }));
    expect(ticket).toMatchObject({ layer: 'trust', findings: [{ id: 'signature-verified' }] });
    expect(asked).toContain('keys.example.com');
    expect(inner.seen).toEqual([]);
    await guard.close();
    await inner.close();
  });

  it('a call to an interface is judged in the same way, and the send is certain not to have happened', async () => {
    const { guard } = guardWhere(['127.0.0.1']);
    const agent = await guard.agent({
      ...sampleCard('https://agents.example.com/a2a'),
      capabilities: {},
    });
    expect(await refusal(agent.getTask({ id: 't' }))).toMatchObject({
      layer: 'trust',
      blocked: true,
      outcome: 'not-sent',
      retryable: false,
    });
    await guard.close();
  });
});
