import { describe, expect, it } from 'vitest';
import type { GuardOptions } from '../src/index.ts';
import { type CardChanges, sampleCard, useBench } from './support/sdk-agent.ts';
import { answer, startServer } from './support/server.ts';

const bench = useBench();
const NO_RETRY: GuardOptions = { retry: false };

/** A server of one card, whose card, status and headers the test changes on the way. */
async function serve(headers: Record<string, string> = {}) {
  const state = { card: {} as CardChanges, status: 200, headers, reversed: false, bare: false };
  const server = await startServer(({ headers: asked }, response) => {
    const all = { 'content-type': 'application/json', ...state.headers };
    const { etag, 'last-modified': modified } = state.headers;
    const same = etag === undefined ? asked['if-modified-since'] === modified : asked['if-none-match'] === etag;
    if (state.status === 200 && same && (etag ?? modified) !== undefined)
      return answer(response, '', 304, state.bare ? {} : all);
    const members = Object.entries({ ...sampleCard(`${server.origin}/a2a`), ...state.card } satisfies CardChanges);
    answer(response, Object.fromEntries(state.reversed ? members.reverse() : members), state.status, all);
  });
  return { server, state };
}

describe('a card is kept', () => {
  it('as long as its answer says', async () => {
    const { server } = await serve({ 'cache-control': 'max-age=60' });
    const guard = bench.guard();
    const agent = await guard.discover(server.origin);
    expect(await guard.discover(server.origin)).toBe(agent);
    expect(server.seen).toHaveLength(1);
    await server.close();
  });

  it('for cache.ttlMs when its answer says nothing', async () => {
    const { server } = await serve();
    const [kept, forgotten] = [bench.guard(), bench.guard({ cache: { ttlMs: 0 } })];
    for (const guard of [kept, kept, forgotten, forgotten]) await guard.discover(server.origin);
    expect(server.seen).toHaveLength(3);
    await server.close();
  });

  it.each([
    ['no-store', { 'cache-control': 'no-store' }, {}],
    ['cache: false', { 'cache-control': 'max-age=60' }, { cache: false } as GuardOptions],
  ])('not with %s', async (_, headers, options) => {
    const { server } = await serve(headers);
    const guard = bench.guard(options);
    expect(await guard.discover(server.origin)).not.toBe(await guard.discover(server.origin));
    expect(server.seen).toHaveLength(2);
    await server.close();
  });

  it.each([
    ['ETag', { etag: '"v1"' }, { 'if-none-match': '"v1"' }],
    [
      'Last-Modified',
      { 'last-modified': 'Tue, 03 Mar 2026 10:00:00 GMT' },
      { 'if-modified-since': 'Tue, 03 Mar 2026 10:00:00 GMT' },
    ],
  ])('one that is no longer fresh is asked about by its %s, and not judged again', async (_, validator, condition) => {
    const { server } = await serve({ 'cache-control': 'max-age=0', ...validator });
    const guard = bench.guard();
    const agent = await guard.discover(server.origin);
    expect(await guard.discover(server.origin)).toBe(agent);
    expect(server.seen[0]?.headers).not.toHaveProperty(Object.keys(condition)[0] ?? '');
    expect(server.seen[1]?.headers).toMatchObject(condition);
    await server.close();
  });

  it('the same bytes are the same card, whatever the server says of them', async () => {
    const { server, state } = await serve({ etag: '"v1"', 'cache-control': 'no-cache' });
    const guard = bench.guard();
    const agent = await guard.discover(server.origin);
    state.headers = { ...state.headers, etag: '"v2"' };
    expect(await guard.discover(server.origin)).toBe(agent);
    expect(bench.tickets).toEqual([]);
    await server.close();
  });

  it('a 304 that nobody asked for is no card', async () => {
    const { server, state } = await serve();
    state.status = 304;
    const ticket = await bench.ticketOf(bench.guard().discover(server.origin));
    expect(ticket).toMatchObject({ layer: 'discovery', httpStatus: 304 });
    await server.close();
  });

  it('at most cache.maxEntries are kept', async () => {
    const { server } = await serve();
    const guard = bench.guard({ cache: { maxEntries: 2 } });
    for (const path of ['a', 'b', 'c', 'a', 'c']) await guard.discover(`${server.origin}/${path}`);
    expect(server.seen).toHaveLength(4);
    await server.close();
  });

  it('a thousand that ask at once make one request', async () => {
    const { server } = await serve({ 'cache-control': 'no-store' });
    const guard = bench.guard();
    const agents = await Promise.all(Array.from({ length: 1000 }, () => guard.discover(server.origin)));
    expect(new Set(agents).size).toBe(1);
    expect(server.seen).toHaveLength(1);
    await server.close();
  });
});

describe('what a server says of its card counts', () => {
  it('a bare 304 does not take back that it wants to be asked', async () => {
    const { server, state } = await serve({ etag: '"v1"', 'cache-control': 'no-cache' });
    const guard = bench.guard();
    await guard.discover(server.origin);
    state.bare = true;
    for (const _ of [1, 2]) await guard.discover(server.origin);
    expect(server.seen).toHaveLength(3);
    await server.close();
  });

  it('a 304 that says no-store ends the keeping', async () => {
    const { server, state } = await serve({ etag: '"v1"', 'cache-control': 'max-age=0' });
    const guard = bench.guard();
    await guard.discover(server.origin);
    state.headers = { etag: '"v1"', 'cache-control': 'no-store' };
    for (const _ of [1, 2]) await guard.discover(server.origin);
    expect(server.seen.at(-1)?.headers['if-none-match']).toBeUndefined();
    await server.close();
  });

  it.each(['NO-STORE', 'No-Cache'])('in whatever letters: %s', async (control) => {
    const { server } = await serve({ 'cache-control': control });
    const guard = bench.guard();
    for (const _ of [1, 2]) await guard.discover(server.origin);
    expect(server.seen).toHaveLength(2);
    await server.close();
  });

  it('a temporary redirect is asked again, however long its target holds', async () => {
    const server = await startServer(({ path }, response) => {
      if (path !== '/card') return answer(response, '', 302, { location: '/card' });
      const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=9999' };
      answer(response, sampleCard(`${server.origin}/a2a`), 200, headers);
    });
    const guard = bench.guard();
    const agent = await guard.discover(server.origin);
    expect(await guard.discover(server.origin)).toBe(agent);
    expect(server.seen).toHaveLength(4);
    await server.close();
  });

  it.each([
    ['answers 501 to conditions', 501, {}],
    ['gives its 304 a length', 304, { 'content-length': '100' }],
  ])('one that %s is asked for the whole card', async (_, status, headers) => {
    const server = await startServer(({ headers: asked }, response) => {
      if (asked['if-none-match'] !== undefined) return void response.writeHead(status, headers).end();
      const own = { 'content-type': 'application/json', etag: '"v1"', 'cache-control': 'no-cache' };
      answer(response, sampleCard(`${server.origin}/a2a`), 200, own);
    });
    const guard = bench.guard(NO_RETRY);
    const agent = await guard.discover(server.origin);
    expect(await guard.discover(server.origin)).toBe(agent);
    expect(bench.tickets).toEqual([]);
    await server.close();
  });
});

describe('a card that changed', () => {
  const stale = { 'cache-control': 'no-cache' };

  async function change(card: CardChanges) {
    const { server, state } = await serve(stale);
    const guard = bench.guard();
    const before = await guard.discover(server.origin);
    state.card = card;
    const after = await guard.discover(server.origin);
    await server.close();
    return { before, after };
  }

  it.each([
    ['capabilities', { capabilities: { streaming: false } }],
    ['skills', { skills: sampleCard('').skills.map((skill) => ({ ...skill, id: 'other' })) }],
    ['defaultInputModes', { defaultInputModes: ['text/html'] }],
    ['name', { name: 'Parcel Bank' }],
    ['provider', { provider: { organization: 'Others', url: 'https://others.example' } }],
  ])('makes a new agent, and a ticket that names %s', async (member, card) => {
    const { before, after } = await change({ version: '9.0.0', ...card });
    expect(after).not.toBe(before);
    expect(bench.tickets).toMatchObject([
      { layer: 'trust', severity: 'warn', blocked: false, findings: [{ id: 'card-changed', path: `/${member}` }] },
    ]);
  });

  it('from signed to unsigned is said', async () => {
    const { server, state } = await serve(stale);
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'k' })).toString('base64url');
    state.card = { signatures: [{ protected: header, signature: 'AAAA' }] };
    const guard = bench.guard();
    await guard.discover(server.origin);
    state.card = { version: '9.0.0' };
    await guard.discover(server.origin);
    expect(bench.tickets).toMatchObject([{ findings: [{ id: 'card-changed', path: '/signatures' }] }]);
    await server.close();
  });

  it('its origin is said, even with the same bytes', async () => {
    const [one, two] = [await serve(stale), await serve(stale)];
    for (const { state } of [one, two])
      state.card = { supportedInterfaces: sampleCard(one.server.origin).supportedInterfaces };
    const targets = [one.server.origin, two.server.origin];
    const server = await startServer((_, response) =>
      answer(response, '', 302, { location: `${targets.shift()}/card` }),
    );
    const guard = bench.guard();
    for (const _ of [1, 2]) await guard.discover(server.origin);
    expect(bench.tickets).toMatchObject([{ findings: [{ id: 'card-changed', path: '' }] }]);
    for (const each of [server, one.server, two.server]) await each.close();
  });

  it('under the same version is said too', async () => {
    await change({ description: 'Answers other questions about parcels than it did before.' });
    expect(bench.tickets).toMatchObject([{ findings: [{ id: 'card-version', path: '/version' }] }]);
  });

  it('in the order of its members only did not change', async () => {
    const { server, state } = await serve(stale);
    const guard = bench.guard();
    await guard.discover(server.origin);
    state.reversed = true;
    await guard.discover(server.origin);
    expect(bench.tickets).toEqual([]);
    await server.close();
  });

  it('and is red is used in observe mode, but not kept', async () => {
    const { server, state } = await serve({ 'cache-control': 'max-age=60' });
    state.card = { name: '' };
    const guard = bench.guard({ mode: 'observe' });
    for (const _ of [1, 2]) await guard.discover(server.origin);
    expect(server.seen).toHaveLength(2);
    await server.close();
  });

  it('into a red one is forgotten by guard.fetch as well', async () => {
    const { server, state } = await serve(stale);
    const guard = bench.guard({ unknownAgent: 'refuse' });
    await guard.discover(server.origin);
    state.card = { name: '' };
    await expect(guard.discover(server.origin)).rejects.toMatchObject({ layer: 'spec' });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' } });
    const call = guard.fetch(`${server.origin}/a2a`, { method: 'POST', body });
    await expect(call).rejects.toMatchObject({ layer: 'interface' });
    await server.close();
  });

  it('into a red one is refused, and neither it nor the one before serves again', async () => {
    const { server, state } = await serve({ 'cache-control': 'max-age=0' });
    const guard = bench.guard({ cache: { staleIfErrorMs: 60_000 }, ...NO_RETRY });
    await guard.discover(server.origin);
    state.card = { name: '' };
    await expect(guard.discover(server.origin)).rejects.toMatchObject({ layer: 'spec' });
    state.status = 500;
    await expect(guard.discover(server.origin)).rejects.toMatchObject({ layer: 'discovery' });
    state.status = 200;
    await expect(guard.discover(server.origin)).rejects.toMatchObject({ layer: 'spec' });
    await server.close();
  });
});

describe('a server that fails when it is asked again', () => {
  async function fail(options: GuardOptions, status: number, headers: Record<string, string> = {}) {
    const { server, state } = await serve({ 'cache-control': 'max-age=0', ...headers });
    const guard = bench.guard({ ...NO_RETRY, ...options });
    const agent = await guard.discover(server.origin);
    state.status = status;
    return { agent, again: guard.discover(server.origin).finally(() => server.close()) };
  }

  it('is a failure', async () => {
    const { again } = await fail({}, 503);
    await expect(again).rejects.toMatchObject({ layer: 'discovery' });
  });

  it('with 429 too is a failure that may pass', async () => {
    const { agent, again } = await fail({ cache: { staleIfErrorMs: 60_000 } }, 429);
    expect(await again).toBe(agent);
  });

  it('after it answered that there is no card is a failure, whatever was stored before', async () => {
    const { server, state } = await serve({ 'cache-control': 'max-age=0' });
    const guard = bench.guard({ ...NO_RETRY, cache: { staleIfErrorMs: 60_000 } });
    await guard.discover(server.origin);
    for (const status of [404, 503]) {
      state.status = status;
      await expect(guard.discover(server.origin)).rejects.toMatchObject({ ticket: { httpStatus: status } });
    }
    await server.close();
  });

  it('is a warning where cache.staleIfErrorMs says so', async () => {
    const { agent, again } = await fail({ cache: { staleIfErrorMs: 60_000 } }, 503);
    expect(await again).toBe(agent);
    expect(bench.tickets).toMatchObject([
      { layer: 'discovery', severity: 'warn', httpStatus: 503, retryable: true, findings: [{ severity: 'warn' }] },
    ]);
  });

  it.each([
    ['an answer', 404, {}],
    ['a card that must be asked about', 503, { 'cache-control': 'max-age=0, must-revalidate' }],
  ])('but not for %s', async (_, status, headers) => {
    const { again } = await fail({ cache: { staleIfErrorMs: 60_000 } }, status, headers);
    await expect(again).rejects.toMatchObject({ layer: 'discovery' });
  });
});
