/** `guard.fetch` is a fetch: hand it to any client that takes one. This client is ten lines and trusts everything. */
import assert from 'node:assert/strict';
import { createGuard, findTicket } from 'a2a-guard';
import { startAgent } from './support/agent.ts';
import { startRubbishAgent } from './support/rubbish.ts';

interface Reply {
  readonly result?: { readonly task?: { readonly status?: { readonly state?: string } } };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client as they are often written: it takes a fetch, and looks at no card. */
function createClient(url: string, send: (url: string, init: RequestInit) => Promise<Response>) {
  return async (method: string, params: unknown): Promise<Reply> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: crypto.randomUUID(), method, params });
    const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0' };
    return (await (await send(url, { method: 'POST', headers, body })).json()) as Reply;
  };
}

const server = await startAgent({ card: { capabilities: {} } });
const liar = await startRubbishAgent({ task: {} });
const text = (value: object) => ({ message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [value] } });
const ticketOf = (call: Promise<unknown>) => call.then(() => assert.fail('it went through'), findTicket);

// The card was never asked for: the guard fetches and judges it before the first call to an origin.
const guard = createGuard({ network: { allowLoopback: true } });
const call = createClient(server.url, guard.fetch);
const sent = await call('SendMessage', text({ text: 'Where is parcel 42?' }));
assert.equal(sent.result?.task?.status?.state, 'TASK_STATE_COMPLETED');
console.log(`legal:      ${sent.result.task.status.state}`);

const unsubscribed = await ticketOf(call('SubscribeToTask', { id: 'any' }));
const unseen = await ticketOf(call('SendMessage', text({ raw: 'iVBORw0KGgo=', mediaType: 'image/png' })));
console.log(`undeclared: ${unsubscribed?.code}\nimage:      ${unseen?.code}`);
assert.deepEqual([unsubscribed?.blocked, unseen?.blocked, server.requests.length], [true, true, 1]);

const nonsense = await ticketOf(createClient(`${liar.origin}/a2a`, guard.fetch)('SendMessage', text({ text: 'hi' })));
console.log(`nonsense:   ${nonsense?.code}: ${nonsense?.message}`);
assert.deepEqual([nonsense?.layer, nonsense?.direction], ['traffic', 'incoming']);

// For clients that treat a rejected fetch as a broken network, and send again: an answer in the agent's place.
const answering = createGuard({ network: { allowLoopback: true }, refuse: 'answer' });
const { error } = await createClient(server.url, answering.fetch)('SubscribeToTask', { id: 'any' });
console.log(`answer:     ${error?.code} ${error?.message}`);
assert.deepEqual([error?.code, server.requests.length], [-32004, 1]);

// Whatever is no A2A passes untouched, and comes back as the very response that the platform gave.
assert.equal((await guard.fetch(server.origin)).status, 404);
await Promise.all([guard, answering, server, liar].map((started) => started.close()));
