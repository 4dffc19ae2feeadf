import type { ServerResponse } from 'node:http';
import { sampleCard } from '../../examples/support/agent.ts';
import { answer, type SeenRequest, startServer, type TestServer } from './server.ts';

export type BindingName = 'JSONRPC' | 'HTTP+JSON';

/** How a call is answered: by hand, with results as the binding of the agent wraps them. */
export interface Reply {
  readonly response: ServerResponse;
  result(value: unknown): void;
  /** An event stream that stays open. */
  events(...values: readonly unknown[]): void;
  html(status?: number): void;
}

export type Behaviour = (reply: Reply) => void;

/** An agent whose card is perfect, for one binding, and whose answers are what the test makes them. */
export async function startCrookedAgent(binding: BindingName, behave: Behaviour): Promise<TestServer> {
  const server: TestServer = await startServer((request, response) => {
    if (request.path.includes('/.well-known/')) {
      const supportedInterfaces = [{ url: `${server.origin}/x`, protocolBinding: binding, protocolVersion: '1.0' }];
      answer(response, { ...sampleCard(server.origin), supportedInterfaces });
    } else behave(toReply(binding, request, response));
  });
  return server;
}

function toReply(binding: BindingName, { body }: SeenRequest, response: ServerResponse): Reply {
  const wrap = (result: unknown): unknown =>
    binding === 'JSONRPC' ? { jsonrpc: '2.0', id: (JSON.parse(body) as { id: unknown }).id, result } : result;
  return {
    response,
    result: (value) => answer(response, wrap(value)),
    events(...values) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(values.map((value) => `data: ${JSON.stringify(wrap(value))}\n\n`).join(''));
    },
    html: (status = 200) => answer(response, '<p>hello', status, { 'content-type': 'text/html' }),
  };
}
