import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sampleCard } from './agent.ts';

/** An agent with a perfect card that answers every call with this result. */
export async function startRubbishAgent(result: unknown): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') response.end(JSON.stringify(sampleCard(`${origin}/a2a`)));
    else response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
