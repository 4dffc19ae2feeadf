import { describe, expect, it } from 'vitest';
import { nextHop } from '../src/discovery/redirects.ts';
import type { GuardOptions } from '../src/index.ts';
import { sampleCard, useBench } from './support/sdk-agent.ts';
import { answer, type SeenRequest, startServer } from './support/server.ts';

const bench = useBench();
const PATH = '/.well-known/agent-card.json';

/** A server that redirects by a table of paths, and serves a card at /card. */
async function serve(table: Readonly<Record<string, readonly [number, string]>>) {
  const server = await startServer(({ path }, response) => {
    const [status, location] = table[path] ?? [];
    if (status !== undefined && location !== undefined) return answer(response, '', status, { location });
    answer(response, sampleCard(`${server.origin}/a2a`));
  });
  return server;
}

const paths = (seen: readonly SeenRequest[]): string[] => seen.map(({ path }) => path);

describe('a redirect to a card', () => {
  it.each([301, 302, 303, 307, 308])('of HTTP %i is followed, relative to where it was met', async (status) => {
    const server = await serve({ [PATH]: [status, '../card'] });
    const agent = await bench.guard().discover(server.origin);
    expect(agent.report.target).toBe(`${server.origin}/card`);
    expect(paths(server.seen)).toEqual([PATH, '/card']);
    expect(agent.report.findings.filter(({ layer }) => layer === 'discovery')).toEqual([]);
    await server.close();
  });

  it('three in a row are followed, a fourth is not', async () => {
    const chain = { [PATH]: [302, '/1'], '/1': [302, '/2'], '/2': [302, '/card'] } as const;
    const server = await serve(chain);
    await bench.guard().discover(server.origin);
    const longer = await serve({ ...chain, '/2': [302, '/3'], '/3': [302, '/card'] });
    const ticket = await bench.ticketOf(bench.guard().discover(longer.origin));
    expect(ticket).toMatchObject({ layer: 'discovery', code: 'CardUnreachableError', httpStatus: 302 });
    expect(ticket.findings).toMatchObject([{ id: 'discovery-redirect' }]);
    expect(paths(longer.seen)).toEqual([PATH, '/1', '/2', '/3']);
    await server.close();
    await longer.close();
  });

  it('a loop ends', async () => {
    const server = await serve({ [PATH]: [302, PATH] });
    expect((await bench.ticketOf(bench.guard().discover(server.origin))).findings[0]?.id).toBe('discovery-redirect');
    expect(server.seen).toHaveLength(4);
    await server.close();
  });

  it('none is followed when limits.redirects is 0', async () => {
    const server = await serve({ [PATH]: [302, '/card'] });
    const guard = bench.guard({ limits: { redirects: 0 } });
    expect((await bench.ticketOf(guard.discover(server.origin))).findings[0]?.id).toBe('discovery-redirect');
    expect(server.seen).toHaveLength(1);
    await server.close();
  });

  it('another origin is said, and is where the card is judged to be', async () => {
    const target = await serve({});
    const server = await serve({ [PATH]: [302, `${target.origin}/card?token=secret`] });
    const agent = await bench.guard().discover(server.origin);
    expect(agent.report.findings).toContainEqual(
      expect.objectContaining({ id: 'discovery-redirect', severity: 'warn', layer: 'discovery' }),
    );
    expect(JSON.stringify(agent.report)).not.toContain('secret');
    await server.close();
    await target.close();
  });

  it.each([
    ['a private address', 'http://10.0.0.1/card', 'network-address', 'trust'],
    ['the address of cloud metadata', 'http://169.254.169.254/latest', 'network-address', 'trust'],
    ['the same in an odd spelling', 'http://0xA9FEA9FE/', 'network-address', 'trust'],
    ['a mapped address', 'http://[::ffff:10.0.0.1]/', 'network-address', 'trust'],
    ['http elsewhere', 'http://agents.example.com/card', 'network-address', 'trust'],
    ['another scheme', 'file:///etc/passwd', 'network-address', 'trust'],
    ['a user name', 'http://me:pw@127.0.0.1/card', 'discovery-redirect', 'discovery'],
    ['nowhere', 'http://[', 'discovery-redirect', 'discovery'],
  ])('to %s is refused', async (_, location, id, layer) => {
    const server = await serve({ [PATH]: [302, location] });
    const ticket = await bench.ticketOf(bench.guard().discover(server.origin));
    expect(ticket).toMatchObject({ layer, httpStatus: 302, blocked: layer === 'trust' });
    expect(ticket.outcome).toBeUndefined();
    expect(ticket.findings).toMatchObject([{ id }]);
    expect(JSON.stringify(ticket)).not.toContain('pw');
    expect(server.seen).toHaveLength(1);
    await server.close();
  });
});

describe('a redirect from https', () => {
  const policy = { network: { allowLoopback: true, allowPrivate: false, allowInsecure: true }, redirects: 3 };
  const hop = (from: string, location: string) =>
    nextHop(new URL(from), { status: 302, header: () => location }, 0, policy);

  it.each([
    ['https://agents.example.com/card', 'http://agents.example.com/card'],
    ['https://127.0.0.1/card', 'http://127.0.0.1/card'],
  ])('never leads to http, whatever policy allows: %s', (from, to) => {
    expect(hop(from, to)).toMatchObject({ kind: 'refused', fault: { id: 'discovery-redirect' } });
  });

  it('leads to https, and from http to http', () => {
    expect(hop('https://agents.example.com/card', 'https://b.example.com/')).toMatchObject({ kind: 'follow' });
    expect(hop('http://agents.example.com/card', 'http://b.example.com/')).toMatchObject({ kind: 'follow' });
  });
});

describe('guard.fetch and redirects of cards', () => {
  const follow = async (init: RequestInit = {}, options: GuardOptions = {}) => {
    const target = await serve({});
    const server = await serve({ [PATH]: [302, `${target.origin}/card`] });
    const response = await bench.guard(options).fetch(`${server.origin}${PATH}`, init);
    await server.close();
    await target.close();
    return { response, server, target };
  };

  it('follows as far as the platform would, without credentials to another origin', async () => {
    const { response, server, target } = await follow({
      headers: { authorization: 'Bearer s', 'x-session': 's', 'if-none-match': '"v"', 'accept-language': 'de' },
    });
    expect(await response.json()).toMatchObject({ name: 'Parcel Desk' });
    expect(server.seen[0]?.headers).toMatchObject({ authorization: 'Bearer s', 'x-session': 's' });
    const sent = target.seen[0]?.headers ?? {};
    expect(sent['accept-language']).toBe('de');
    for (const name of ['authorization', 'x-session', 'if-none-match']) expect(sent[name], name).toBeUndefined();
  });

  it('leaves a redirect to the client that wants to see it', async () => {
    const { response, target } = await follow({ redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(target.seen).toEqual([]);
  });

  it('reports a redirect that is not followed as discover does', async () => {
    const server = await serve({ [PATH]: [302, PATH] });
    const ticket = await bench.ticketOf(bench.guard().fetch(`${server.origin}${PATH}`));
    expect(ticket).toMatchObject({ layer: 'discovery', blocked: false, httpStatus: 302 });
    await server.close();
  });

  it('refuses what policy does not allow', async () => {
    const server = await serve({ [PATH]: [302, 'http://10.0.0.1/card'] });
    const ticket = await bench.ticketOf(bench.guard().fetch(`${server.origin}${PATH}`));
    expect(ticket).toMatchObject({ layer: 'trust', blocked: true });
    await server.close();
  });
});
