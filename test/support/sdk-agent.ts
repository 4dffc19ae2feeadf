import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { type AgentOptions, type CardChanges, type SampleAgent, startAgent } from '../../examples/support/agent.ts';
import {
  type Agent,
  createGuard,
  type Guard,
  type GuardOptions,
  isGuardError,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  type Ticket,
} from '../../src/index.ts';

export {
  type AgentOptions,
  type CardChanges,
  type SampleAgent,
  type SeenCall,
  sampleCard,
  startAgent,
} from '../../examples/support/agent.ts';

/** Real agents, guards that may reach them, and the tickets of the running test. */
export interface Bench {
  readonly tickets: Ticket[];
  start(options?: AgentOptions): Promise<SampleAgent>;
  guard(options?: GuardOptions): Guard;
  /** Starts an agent and discovers it. */
  meet(options?: AgentOptions, guardOptions?: GuardOptions): Promise<{ server: SampleAgent; agent: Agent }>;
  /** The ticket that a call is refused with, or fails with. It must be the only one, seen once by the sink. */
  ticketOf(call: Promise<unknown>): Promise<Ticket>;
}

/** Sets up a test file: everything that was started is closed at its end, and tickets are forgotten after each test. */
export function useBench(): Bench {
  const closers: (() => Promise<void>)[] = [];
  const tickets: Ticket[] = [];
  // The SDK writes every error that it answers to the console.
  beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
  afterEach(() => void tickets.splice(0));
  afterAll(async () => {
    for (const close of closers) await close();
    vi.restoreAllMocks();
  });
  const bench: Bench = {
    tickets,
    async start(options = {}) {
      const server = await startAgent(options);
      closers.push(() => server.close());
      return server;
    },
    guard(options = {}) {
      const onTicket = (ticket: Ticket): void => void tickets.push(ticket);
      const guard = createGuard({ network: { allowLoopback: true }, onTicket, ...options });
      closers.push(() => guard.close());
      return guard;
    },
    async meet(options = {}, guardOptions = {}) {
      const server = await bench.start(options);
      return { server, agent: await bench.guard(guardOptions).discover(server.origin) };
    },
    async ticketOf(call) {
      const error = await call.then(
        () => expect.fail('the call went through'),
        (thrown: unknown) => thrown,
      );
      if (!isGuardError(error)) throw error;
      expect(tickets).toEqual([error.ticket]);
      return error.ticket;
    },
  };
  return bench;
}

export function say(text: string, more: Partial<Message> = {}): SendMessageRequest {
  return { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more } };
}

/** A card whose only interface has these members beside its own. */
export function withInterface(members: { readonly tenant?: string; readonly protocolVersion?: string }) {
  return (url: string): CardChanges => ({
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', ...members }],
  });
}

export async function read(events: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const seen: StreamResponse[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

/** The members that the events of a stream have, in order. */
export function kindsOf(events: readonly StreamResponse[]): string[] {
  return events.flatMap((event) => Object.keys(event));
}

/** The states that a stream went through. */
export function statesOf(events: readonly StreamResponse[]): string[] {
  return events.flatMap(({ task, statusUpdate }) => task?.status.state ?? statusUpdate?.status.state ?? []);
}

/** Sends and returns the task; a message in its place fails the test. */
export async function taskOf(agent: Agent, text: string, configuration = {}): Promise<Task> {
  const { task } = await agent.sendMessage({ ...say(text), configuration });
  return task ?? expect.fail('the agent answered with a message');
}
