/** The guard in front of code that takes no fetch: it stands in the place of the global one. */
import assert from 'node:assert/strict';
import { createGuard, findTicket, type Ticket } from 'a2a-guard';
import { startAgent } from './support/agent.ts';

/** Code from elsewhere: a library that reads the card and calls the agent with whatever fetch is global. */
async function ask(origin: string, method: string, params: unknown): Promise<unknown> {
  const card = await fetch(`${origin}/.well-known/agent-card.json`);
  const { supportedInterfaces } = (await card.json()) as { supportedInterfaces: { url: string }[] };
  const response = await fetch(supportedInterfaces[0]?.url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'A2A-Version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.json();
}

const server = await startAgent();
const quiet = await startAgent({ card: { capabilities: {} } });
const red = await startAgent({ card: { version: '' } });
const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'Where is parcel 42?' }] };

const before = globalThis.fetch;
const tickets: Ticket[] = [];
const guard = createGuard({ network: { allowLoopback: true }, onTicket: (ticket) => tickets.push(ticket) });
globalThis.fetch = guard.fetch; // after createGuard: the guard keeps the fetch that it found, so there is no loop
try {
  const answered = JSON.stringify(await ask(server.origin, 'SendMessage', { message }));
  assert(answered.includes('Parcel 42 is in Turin.'));
  console.log('legal:     answered');

  const refused = findTicket(await ask(quiet.origin, 'SubscribeToTask', { id: 'any' }).catch((error) => error));
  console.log(`refused:   ${refused?.layer}/${refused?.code}, ${quiet.requests.length} requests`);
  assert.deepEqual([refused?.layer, quiet.requests.length], ['capability', 0]);

  const unread = findTicket(await ask(red.origin, 'SendMessage', { message }).catch((error) => error));
  console.log(`red card:  ${unread?.layer}/${unread?.code}, ${red.requests.length} requests`);
  assert.deepEqual([unread?.layer, red.requests.length], ['spec', 0]);

  assert.equal((await fetch(server.origin)).status, 404);
  console.log(`other:     untouched, ${tickets.length} tickets in all`);
  assert.equal(tickets.length, 2);
} finally {
  globalThis.fetch = before;
}
await Promise.all([guard, server, quiet, red].map((started) => started.close()));
