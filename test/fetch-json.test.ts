import { describe, expect, it } from 'vitest';
import { type CardChanges, useBench } from './support/sdk-agent.ts';

const bench = useBench();

const getTask = (id: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'A2A-Version': '1.0' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'GetTask', params: { id } }),
});

async function answered(card: CardChanges = {}): Promise<Response> {
  const server = await bench.start({ card });
  const guard = bench.guard();
  await guard.discover(server.origin);
  return guard.fetch(server.url, getTask('nobody'));
}

const MISSING = { jsonrpc: '2.0', id: 7, error: { code: -32001 } };

/** Every way to read a body, each on a response of its own. */
const READERS = {
  json: (response: Response) => response.json(),
  text: async (response: Response) => JSON.parse(await response.text()),
  arrayBuffer: async (response: Response) => JSON.parse(new TextDecoder().decode(await response.arrayBuffer())),
  blob: async (response: Response) => JSON.parse(await (await response.blob()).text()),
  'body, piece by piece': (response: Response) => new Response(response.body).json(),
  clone: (response: Response) => response.clone().json(),
} satisfies Record<string, (response: Response) => Promise<unknown>>;

describe('an answer of guard.fetch is read like any other', () => {
  it.each(Object.entries(READERS))('with %s', async (_, read) => {
    expect(await read(await answered())).toMatchObject(MISSING);
  });

  it('json() counts as reading it', async () => {
    const response = await answered();
    expect(response.bodyUsed).toBe(false);
    await response.json();
    expect(response.bodyUsed).toBe(true);
    for (const again of [response.json(), response.text(), response.arrayBuffer()]) {
      await expect(again).rejects.toThrow(TypeError);
    }
    expect(() => response.clone()).toThrow(TypeError);
  });

  it('any other way does so too', async () => {
    const response = await answered();
    await response.text();
    await expect(response.json()).rejects.toThrow(TypeError);
  });

  it('and not while somebody reads its body', async () => {
    const response = await answered();
    const reader = response.body?.getReader();
    await expect(response.json()).rejects.toThrow(TypeError);
    reader?.releaseLock();
    expect(await response.json()).toMatchObject(MISSING);
  });

  it('what a clone says does not change with what is done to the original', async () => {
    const response = await answered();
    const copy = response.clone();
    const value = (await response.json()) as Record<string, unknown>;
    value.id = 'changed';
    expect(await copy.json()).toMatchObject(MISSING);
  });

  it('a client may put a method of its own in the place of json()', async () => {
    const response = await answered();
    response.json = async () => 'mine';
    expect(await response.json()).toBe('mine');
    expect(await response.text()).toContain('-32001');
  });
});
