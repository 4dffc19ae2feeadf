import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Agent, findTicket, type Guard, type GuardOptions, type Limits } from '../src/index.ts';
import { read, sampleCard, say, useBench } from './support/sdk-agent.ts';
import { answer, type SeenRequest, startServer } from './support/server.ts';

const bench = useBench();
const MIB = 1024 * 1024;
const TASK = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
const JSON_TYPE = { 'content-type': 'application/json' };
const EVENTS = { 'content-type': 'text/event-stream' };

/** Bytes that the hostile server got rid of. */
let flooded = 0;

/** Writes without end, as fast as the client reads. */
function flood(response: ServerResponse, headers: Record<string, string>, start = ''): void {
  const block = 'x'.repeat(64 * 1024);
  response.writeHead(200, headers).write(start);
  const more = (): void => {
    while (!response.destroyed) {
      flooded += block.length;
      if (!response.write(block)) break;
    }
  };
  response.on('drain', more);
  more();
}

function drip(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE);
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}

const rpc = (body: string, result: unknown): object => ({
  jsonrpc: '2.0',
  id: (JSON.parse(body) as { id: unknown }).id,
  result,
});
const wide = (members: number): object =>
  Object.fromEntries(Array.from({ length: members }, (_, at) => [`m${at}`, at]));
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

interface Row {
  readonly limits: Partial<Limits>;
  readonly hostile: (response: ServerResponse, request: SeenRequest) => void;
  readonly run: (where: { readonly guard: Guard; readonly agent: Agent; readonly origin: string }) => Promise<unknown>;
  /** The check that fails; none where the limit ends something that is well. */
  readonly want: string | undefined;
}

const getTask: Row['run'] = ({ agent }) => agent.getTask({ id: 't' });
const discover: Row['run'] = ({ guard, origin }) => guard.discover(origin);
const stream: Row['run'] = ({ agent }) => read(agent.sendStreamingMessage(say('hello')));

/** Every limit, and a server that would go beyond it. A limit without a row does not compile. */
const ROWS: { readonly [Name in keyof Limits]: Row } = {
  cardBytes: {
    limits: { cardBytes: 10_000 },
    hostile: (response) => flood(response, JSON_TYPE),
    run: discover,
    want: 'discovery-size',
  },
  responseBytes: {
    limits: { responseBytes: 10_000 },
    hostile: (response) => flood(response, JSON_TYPE),
    run: getTask,
    want: 'wire-size',
  },
  eventBytes: {
    limits: { eventBytes: 10_000 },
    hostile: (response) => flood(response, EVENTS, 'data: '),
    run: stream,
    want: 'wire-size',
  },
  jsonDepth: {
    limits: { jsonDepth: 10 },
    hostile: (response, { body }) => answer(response, rpc(body, { ...TASK, metadata: JSON.parse(nested(20)) })),
    run: getTask,
    want: 'wire-size',
  },
  findings: {
    limits: { findings: 3 },
    hostile: (response, { body }) => answer(response, rpc(body, { ...TASK, status: 1, ...wide(1000) })),
    run: async ({ agent }) => {
      const error = await getTask({ agent } as never).catch((thrown: unknown) => thrown);
      expect(findTicket(error)?.findings.map(({ severity }) => severity)).toEqual(['error', 'warn', 'warn']);
      throw error;
    },
    want: 'value-type',
  },
  connectMs: { limits: { connectMs: 100 }, hostile: () => {}, run: silentTls, want: 'discovery-timeout' },
  headersMs: { limits: { headersMs: 100 }, hostile: () => {}, run: getTask, want: 'wire-timeout' },
  idleMs: {
    limits: { idleMs: 100 },
    hostile: (response) => response.writeHead(200, JSON_TYPE).write('{'),
    run: getTask,
    want: 'wire-timeout',
  },
  totalMs: { limits: { totalMs: 200 }, hostile: drip, run: getTask, want: 'wire-timeout' },
  afterTerminalMs: {
    limits: { afterTerminalMs: 100 },
    hostile: (response, { body }) =>
      response.writeHead(200, EVENTS).write(`data: ${JSON.stringify(rpc(body, { task: TASK }))}\n\n`),
    run: stream,
    want: undefined,
  },
  redirects: {
    limits: { redirects: 2 },
    hostile: (response, { path }) => answer(response, '', 302, { location: path }),
    run: discover,
    want: 'discovery-redirect',
  },
  pages: {
    limits: { pages: 5 },
    hostile: (response, { body }) =>
      answer(response, rpc(body, { tasks: [], nextPageToken: crypto.randomUUID(), pageSize: 1, totalSize: 1 })),
    run: async ({ agent }) => {
      for await (const _ of agent.listTasks());
    },
    want: 'page-token',
  },
};

/** A server that takes connections and never says a word of TLS. */
async function silentTls({ guard }: { readonly guard: Guard }): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    await guard.discover(`https://127.0.0.1:${port}`);
  } finally {
    server.close();
  }
}

async function meet(hostile: Row['hostile'], options: GuardOptions) {
  const server = await startServer((request, response) => hostile(response, request));
  const guard = bench.guard({ retry: false, ...options });
  return { server, guard, agent: await guard.agent(sampleCard(`${server.origin}/a2a`)), origin: server.origin };
}

describe('every limit ends what goes beyond it', () => {
  it.each(Object.entries(ROWS))('limits.%s', async (_, { limits, hostile, run, want }) => {
    flooded = 0;
    const { server, ...where } = await meet(hostile, { limits });
    const started = performance.now();
    const held = process.memoryUsage().arrayBuffers;
    if (want === undefined) await run(where);
    else expect((await bench.ticketOf(run(where))).findings[0]).toMatchObject({ id: want });
    expect(performance.now() - started).toBeLessThan(5000);
    expect(process.memoryUsage().arrayBuffers - held).toBeLessThan(32 * MIB);
    expect(flooded).toBeLessThan(32 * MIB);
    await server.close();
  });
});

describe('a limit of bytes is the last size that is taken', () => {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: TASK });
  const whole = (response: ServerResponse): void => answer(response, text);
  const inPieces = (response: ServerResponse): void => {
    response.writeHead(200, JSON_TYPE).write(text.slice(0, 20));
    setTimeout(() => response.end(text.slice(20)), 20);
  };

  it.each([
    ['whole', whole],
    ['in pieces', inPieces],
  ])('an answer that comes %s', async (_, hostile) => {
    const at = async (responseBytes: number) => {
      const { server, agent } = await meet(hostile, { limits: { responseBytes } });
      return { server, asked: agent.getTask({ id: 't' }) };
    };
    const fitting = await at(text.length);
    expect(await fitting.asked).toEqual(TASK);
    const over = await at(text.length - 1);
    expect((await bench.ticketOf(over.asked)).findings).toMatchObject([{ id: 'wire-size' }]);
    for (const { server } of [fitting, over]) await server.close();
  });

  it('an error page that is larger is cut there, and its status stands', async () => {
    const { server, agent } = await meet((response) => answer(response, 'x'.repeat(5000), 502), {
      limits: { responseBytes: 1000 },
    });
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }));
    expect(ticket).toMatchObject({ httpStatus: 502, findings: [{ id: 'wire-status' }] });
    expect(ticket.message).toContain('xxx');
    await server.close();
  });
});

describe('an error page that never ends', () => {
  const unending = (response: ServerResponse): void => void response.writeHead(502, JSON_TYPE).write('so');

  it('is its status, when its time is over', async () => {
    const { server, agent } = await meet(unending, { limits: { idleMs: 60_000, totalMs: 100 } });
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }));
    expect(ticket).toMatchObject({ httpStatus: 502, findings: [{ id: 'wire-status' }] });
    await server.close();
  });

  it.each([
    ['wire-timeout', () => AbortSignal.timeout(100)],
    ['wire-aborted', () => stoppedIn(100)],
  ])('is no answer, when the caller stops waiting for it: %s', async (id, makeSignal) => {
    const { server, agent } = await meet(unending, { limits: { idleMs: 60_000 } });
    const ticket = await bench.ticketOf(agent.getTask({ id: 't' }, { signal: makeSignal() }));
    expect(ticket).toMatchObject({ outcome: 'unknown', findings: [{ id }] });
    await server.close();
  });
});

function stoppedIn(ms: number): AbortSignal {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), ms);
  return stop.signal;
}

describe('what is small on the wire and large in memory', () => {
  const bomb = gzipSync(Buffer.alloc(64 * MIB, ' '));
  const packed = (response: ServerResponse): void => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb);
  };

  it.each([
    ['a card', discover, 'discovery-content-type'],
    ['an answer', getTask, 'wire-content-type'],
    ['a stream', stream, 'wire-content-type'],
  ])('%s is not asked for packed, and not unpacked', async (_, run, id) => {
    const { server, ...where } = await meet(packed, {});
    const held = process.memoryUsage().arrayBuffers;
    expect((await bench.ticketOf(run(where))).findings[0]).toMatchObject({ id });
    expect(server.seen[0]?.headers['accept-encoding']).toBe('identity');
    expect(process.memoryUsage().arrayBuffers - held).toBeLessThan(16 * MIB);
    await server.close();
  });

  it('guard.fetch, under which the platform unpacks, stops at the limit of what comes out', async () => {
    const { server, guard, origin } = await meet(packed, {});
    const held = process.memoryUsage().arrayBuffers;
    const ticket = await bench.ticketOf(guard.fetch(`${origin}/.well-known/agent-card.json`));
    expect(ticket.findings).toMatchObject([{ id: 'discovery-size' }]);
    expect(process.memoryUsage().arrayBuffers - held).toBeLessThan(16 * MIB);
    await server.close();
  });
});
