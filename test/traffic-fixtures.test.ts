import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Agent,
  type Client,
  canonicalCard,
  createGuard,
  type Guard,
  type GuardOptions,
  isGuardError,
  type Ticket,
} from '../src/index.ts';
import { startServer, type TestServer } from './support/server.ts';

type Json = Record<string, unknown>;
type Chunk = string | { readonly base64: string };
interface TrafficCase {
  readonly id: string;
  readonly about: string;
  readonly stage: string;
  readonly version: string;
  readonly operation: string;
  readonly params: Json;
  readonly card?: Json;
  readonly variant?: Json;
  readonly same?: boolean;
  readonly canonical?: string;
  readonly options?: GuardOptions;
  readonly skillId?: string;
  readonly known?: readonly Json[];
  readonly http?: { readonly status: number; readonly headers: Record<string, string>; readonly body?: unknown };
  readonly chunks?: readonly Chunk[];
  readonly end?: 'close' | 'reset' | 'hang';
  readonly pointer?: string;
  readonly value?: unknown;
  readonly signatures?: unknown;
  readonly expect: Json & string;
}

const cases = JSON.parse(
  readFileSync(new URL('fixtures/traffic-cases.json', import.meta.url), 'utf8'),
) as TrafficCase[];
const of = (stage: string): TrafficCase[] => cases.filter((each) => each.stage === stage);

const SPEAKS_03: GuardOptions = { speaks: [{ binding: 'JSONRPC', versions: ['0.3'] }], legacyCards: true };

const SERVED = {
  name: 'Parcel Desk',
  description: 'Answers questions about parcels and books pick-ups for a small courier.',
  version: '2.3.0',
  capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain', 'application/json', 'image/png'],
  skills: [
    { id: 'track', name: 'Track a parcel', description: 'Tells where a parcel is right now.', tags: ['parcel'] },
  ],
};

/** The text of a body or chunk with the id of the request put in. */
function withId(text: string, id: unknown): string {
  const other = typeof id === 'number' ? JSON.stringify(String(id)) : String(Number(id) || 0);
  return text.replaceAll('"{ID}"', JSON.stringify(id)).replaceAll('"{ID:other-type}"', other);
}

let server: TestServer;
let current: TrafficCase;
let tickets: Ticket[] = [];

beforeAll(async () => {
  server = await startServer(async (request, response) => {
    const { id } = JSON.parse(request.body) as { id: unknown };
    const { http, chunks, end } = current;
    if (http === undefined) return;
    if (chunks === undefined) {
      const body = http.body === undefined ? '' : typeof http.body === 'string' ? http.body : JSON.stringify(http.body);
      response.writeHead(http.status, http.headers);
      response.end(withId(body, id));
      return;
    }
    response.writeHead(http.status, http.headers);
    response.flushHeaders();
    for (const chunk of chunks) await writeChunk(response, chunk, id);
    if (end === 'close') response.end();
    if (end === 'reset') setTimeout(() => response.destroy(), 20);
  });
});
afterAll(() => server.close());

async function writeChunk(response: ServerResponse, chunk: Chunk, id: unknown): Promise<void> {
  const bytes = typeof chunk === 'string' ? withId(chunk, id) : Buffer.from(chunk.base64, 'base64');
  await new Promise((resolve) => response.write(bytes, resolve));
  await new Promise((resolve) => setTimeout(resolve, 2));
}

async function agentFor(each: TrafficCase, options: GuardOptions = {}): Promise<{ guard: Guard; agent: Agent }> {
  tickets = [];
  const guard = createGuard({
    network: { allowLoopback: true },
    ...(each.version === '0.3' && SPEAKS_03),
    onTicket: (ticket) => tickets.push(ticket),
    ...options,
    ...each.options,
  });
  const card = each.card ?? {
    ...SERVED,
    supportedInterfaces: [{ url: `${server.origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: each.version }],
  };
  const agent = await guard.agent(card);
  tickets = [];
  return { guard, agent };
}

/** A client that answers GetTask with these tasks: the agent of an admit case is nowhere to be reached. */
function answersWith(tasks: readonly Json[]): Client {
  return {
    async request({ body = '' }) {
      const { id, params } = JSON.parse(body) as { id: unknown; params: Json };
      const result = tasks.find((task) => task.id === params.id);
      const header = (name: string) => (name === 'content-type' ? 'application/json' : undefined);
      return { status: 200, header, body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result })) };
    },
    stream: () => expect.fail('no admit case streams'),
  };
}

const warned = (): boolean => tickets.some((ticket) => ticket.severity === 'warn');

function expectTicket(ticket: Ticket | undefined, want: Json): void {
  for (const key of ['layer', 'code', 'jsonRpcCode'] as const) {
    if (want[key] !== undefined) expect(ticket?.[key], key).toBe(want[key]);
  }
  if (want.path !== undefined) expect(ticket?.findings.map((finding) => finding.path)).toContain(want.path);
}

describe('may we', () => {
  for (const each of of('admit')) {
    it(`${each.id} ${each.about}`, async () => {
      const { guard, agent } = await agentFor(each, { client: answersWith(each.known ?? []) });
      for (const { id } of each.known ?? []) await agent.getTask({ id: String(id) });
      const verdict = agent.admit(
        each.operation,
        each.params,
        each.skillId === undefined ? {} : { skillId: each.skillId },
      );
      expect(verdict.ok, JSON.stringify(verdict.findings)).toBe(each.expect.ok);
      if (each.expect.ok === false) expectTicket(verdict.ticket, each.expect);
      await guard.close();
    });
  }
});

describe('one value at one pointer', () => {
  for (const each of of('check')) {
    it(`${each.id} ${each.about}`, () => {
      const findings = createGuard().check(each.pointer ?? '', each.value, { version: each.version });
      const errors = findings.filter((finding) => finding.severity === 'error');
      expect(errors.length === 0, JSON.stringify(findings)).toBe(each.expect.ok);
      if (each.expect.path !== undefined) expect(errors.map((finding) => finding.path)).toContain(each.expect.path);
      if (each.expect.keyword !== undefined)
        expect(errors.map((finding) => finding.keyword)).toContain(each.expect.keyword);
    });
  }
});

describe('the text that signatures are made over', () => {
  for (const { id, about, card, variant, same, canonical } of of('canon')) {
    it(`${id} ${about}`, () => {
      const [one, other] = [card, variant].map((each) => canonicalCard(each as Json));
      expect(one === other, `${one}\n${other}`).toBe(same);
      if (canonical !== undefined) expect(one).toBe(canonical);
    });
  }
});

describe('the shape of signatures', () => {
  for (const each of of('sig')) {
    it(`${each.id} ${each.about}`, () => {
      const card = {
        ...SERVED,
        supportedInterfaces: [{ url: 'https://a.example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
        signatures: each.signatures,
      };
      const ids = createGuard()
        .checkCard(card)
        .findings.map((finding) => finding.id);
      expect(ids.includes('signatures-shape')).toBe(each.expect === 'shape-error');
    });
  }
});

describe('one answer to a unary call', () => {
  for (const each of of('answer')) {
    it(`${each.id} ${each.about}`, async () => {
      current = each;
      const { guard, agent } = await agentFor(each);
      const before = server.seen.length;
      const outcome = await (agent.call(each.operation, each.params) as Promise<unknown>).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      await guard.close();
      if (each.expect.outcome === 'value') {
        expect(outcome, JSON.stringify(tickets)).toHaveProperty('value');
      } else {
        const error = 'error' in outcome ? outcome.error : undefined;
        expect(isGuardError(error), String(error)).toBe(true);
        if (isGuardError(error)) expectTicket(error.ticket, each.expect);
      }
      if (each.expect.warn !== undefined) expect(warned(), JSON.stringify(tickets)).toBe(each.expect.warn);
      if (each.expect.requests !== undefined) expect(server.seen.length - before).toBe(each.expect.requests);
    });
  }
});

describe('one stream', () => {
  for (const each of of('stream')) {
    it(`${each.id} ${each.about}`, async () => {
      current = each;
      const { guard, agent } = await agentFor(each, { limits: { idleMs: 1500 } });
      const before = server.seen.length;
      const delivered: unknown[] = [];
      let error: unknown;
      try {
        for await (const event of agent.call(each.operation, each.params) as AsyncIterable<unknown>)
          delivered.push(event);
      } catch (caught) {
        error = caught;
      }
      await guard.close();
      expect(delivered.length, `${error} ${JSON.stringify(tickets)}`).toBe(each.expect.delivered);
      expect(error === undefined ? 'ok' : 'error', String(error)).toBe(each.expect.end);
      if (isGuardError(error)) expectTicket(error.ticket, each.expect);
      if (each.expect.warn !== undefined) expect(warned(), JSON.stringify(tickets)).toBe(each.expect.warn);
      if (each.expect.requests !== undefined) expect(server.seen.length - before).toBe(each.expect.requests);
      if (each.expect.text !== undefined)
        expect(JSON.stringify(delivered)).toContain(JSON.stringify(each.expect.text).slice(1, -1));
    });
  }
});
